/** What questions to an Ethereum node share: their fields, and the block whose state they read. */
import { z } from 'zod'
import { Hash as HashOut } from '../../../schemas/primitives.js'
import type { Chain } from '../../../schemas/chains.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { notFound, unfit } from '../../faults.js'
import { blockChainOf } from '../../fields.js'
import { withNode, type NodeLine } from '../../nodes/nodes.js'
import { Header } from '../../nodes/shapes.js'
import type { Ask } from '../../operation.js'

export const nodeChain = z.string().min(1).max(64).default('ETH').describe('Chain id')
export const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/).describe('Address')
export const txHash = z.string().regex(/^0x[0-9a-fA-F]{64}$/).describe('Transaction hash')
export const atBlock = z.number().int().min(0).optional().describe('Height; unset: the newest')

/** Members every answer about the state at a block has. */
export const At = z.object({ chain: z.string(), block_number: z.number().int(), block_hash: HashOut })
export const withStatus = { coverage_status: CoverageStatus.describe('About indexed data; this answer is the node\'s') }

/** A node that has nothing may have pruned it or not have got so far: its silence is a gap, and no word on whether the thing is there. */
export const nodeLacks = () => emptyBecause('data_gap')

/** The chain, where its node speaks Ethereum's language; throws UNKNOWN_CHAIN, CHAIN_NO_BLOCKS, or 422 for Bitcoin. */
export const evmChainOf = (received: string, ask: Ask): Chain => {
  const chain = blockChainOf(received)
  if (chain.id === 'BTC' && ask.config.BTC_RPC_URL !== undefined) throw unfit('chain', 'This question is for EVM chains; call_node asks a Bitcoin node')
  return chain
}

export const hexOf = (height: number): string => `0x${height.toString(16)}`

/** The header at a height (undefined: newest); null where the node has none. */
export const headerAt = (line: NodeLine, height: number | undefined) => line.ask('eth_getBlockByNumber', [height === undefined ? 'latest' : hexOf(height), false], Header.nullable())

/** Asks about the state at one block, by its hash, so that number, hash and answer belong together. */
export const readState = async <Answer extends object>(
  input: { readonly chain: string; readonly block_number?: number | undefined }, ask: Ask, read: (line: NodeLine, reference: { readonly blockHash: string }) => Promise<Answer>,
) => {
  const chain = evmChainOf(input.chain, ask)
  const [answer, status] = await Promise.all([
    withNode(ask, chain, async (line) => {
      const header = await headerAt(line, input.block_number)
      if (header === null) throw notFound('Block')
      return { chain: chain.id, block_number: header.number, block_hash: header.hash, ...await read(line, { blockHash: header.hash }) }
    }),
    ask.services.coverage.status(chain.id),
  ])
  return { ...answer, coverage_status: status }
}
