import { z } from 'zod'
import { Amount, Instant } from '../../../schemas/primitives.js'
import { withNode } from '../../nodes/nodes.js'
import { operation } from '../../operation.js'
import { atBlock, evmChainOf, headerAt, nodeChain, nodeLacks, withStatus } from './evm.js'

const Shown = z.object({
  number: z.number().int(), hash: z.string(), parent_hash: z.string(), timestamp: Instant, miner: z.string(), gas_used: Amount, gas_limit: Amount, base_fee_per_gas: Amount.nullable(), difficulty: Amount.nullable(),
  extra_data: z.string().describe('Hex, untrusted'), state_root: z.string(), transactions_root: z.string(), receipts_root: z.string(), withdrawals_root: z.string().nullable(), parent_beacon_block_root: z.string().nullable(),
  mix_hash: z.string().nullable(), nonce: z.string().nullable(), size: Amount.nullable(), blob_gas_used: Amount.nullable(), excess_blob_gas: Amount.nullable(), tx_count: z.number().int(),
})

export default operation({
  name: 'get_block_raw', aliases: ['get_block_header', 'get_raw_block'], route: 'GET /v1/rpc/block', auth: 'key', lane: 'raw_rpc', tool: true, sources: ['node'], rows: 'header',
  summary: 'Header of a block as the node has it, roots included. Use get_block for the indexed one.',
  input: z.object({ chain: nodeChain, block_number: atBlock }),
  output: z.object({ chain: z.string(), header: Shown.nullable(), ...withStatus }),
  empty: nodeLacks,
  run: async (input, ask) => {
    const chain = evmChainOf(input.chain, ask)
    const [seen, status] = await Promise.all([withNode(ask, chain, (line) => headerAt(line, input.block_number)), ask.services.coverage.status(chain.id)])
    return {
      chain: chain.id, coverage_status: status,
      header: seen === null ? null : {
        number: seen.number, hash: seen.hash, parent_hash: seen.parentHash, timestamp: new Date(seen.timestamp * 1_000).toISOString(), miner: seen.miner, gas_used: seen.gasUsed, gas_limit: seen.gasLimit,
        base_fee_per_gas: seen.baseFeePerGas, difficulty: seen.difficulty, extra_data: seen.extraData, state_root: seen.stateRoot, transactions_root: seen.transactionsRoot, receipts_root: seen.receiptsRoot,
        withdrawals_root: seen.withdrawalsRoot, parent_beacon_block_root: seen.parentBeaconBlockRoot, mix_hash: seen.mixHash, nonce: seen.nonce, size: seen.size, blob_gas_used: seen.blobGasUsed,
        excess_blob_gas: seen.excessBlobGas, tx_count: seen.transactions,
      },
    }
  },
})
