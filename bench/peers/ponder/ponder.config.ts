/** Ponder on a local node: every block, and every ERC-20 Transfer event, of blocks FROM_BLOCK to TO_BLOCK. */
import { createConfig } from 'ponder'
import { erc20 } from './abi'

const startBlock = Number(process.env.FROM_BLOCK), endBlock = Number(process.env.TO_BLOCK)

export default createConfig({
  database: { kind: 'postgres', connectionString: process.env.DB_URL },
  chains: { mainnet: { id: 1, rpc: process.env.RPC_URL } },
  contracts: { Erc20: { abi: erc20, chain: 'mainnet', startBlock, endBlock } },
  blocks: { Every: { chain: 'mainnet', interval: 1, startBlock, endBlock } },
})
