/** The JSON-RPC methods of an Ethereum node, each answering with bytes that are ready to send. */
import type { ReplayChain } from './chain.js'
import { InvalidFilter, logsOf, type LogFilter } from './logs.js'
import type { Kind } from './template.js'

/** Error of a JSON-RPC call, as a node words it. */
export class RpcError extends Error {
  constructor(readonly code: number, message: string) { super(message) }
}

/** The node's state a method may look at. `finalized` and `safe` are heights. */
export interface View { readonly chain: ReplayChain; readonly chainId: number; readonly head: number; readonly finalized: number; readonly safe: number }
export type Method = (params: readonly unknown[], view: View) => Buffer

export const nothing = Buffer.from('null')
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const hex = (value: number): string => `0x${value.toString(16)}`
const isHash = (value: unknown): value is string => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)

/** Height a tag, quantity or hash means; undefined where the chain has no such block at or below its head. */
const heightOf = (reference: unknown, { chain, head, finalized, safe }: View): number | undefined => {
  const tags: Record<string, number> = { latest: head, pending: head, finalized, safe, earliest: chain.first }
  if (typeof reference === 'object' && reference !== null) {
    const { blockHash, blockNumber } = reference as { blockHash?: unknown; blockNumber?: unknown }
    return heightOf(blockHash ?? blockNumber, { chain, head, finalized, safe, chainId: 0 })
  }
  if (typeof reference === 'string' && reference in tags) return chain.at(tags[reference] ?? head)
  if (typeof reference !== 'string' || !/^0x[0-9a-f]+$/i.test(reference)) throw new RpcError(-32602, 'invalid argument 0: hex string without 0x prefix or unknown tag')
  const height = isHash(reference) ? chain.heightOf(reference.toLowerCase()) : Number.parseInt(reference, 16)
  return height === undefined || height > head || chain.hashOf(height) === undefined ? undefined : height
}

const block: Method = ([reference, full], view) => {
  const height = heightOf(reference, view)
  return (height === undefined ? undefined : view.chain.body(height, full === true ? 'block' : 'header')) ?? nothing
}
const whole = (kind: Kind): Method => ([reference], view) => {
  const height = heightOf(reference, view)
  return (height === undefined ? undefined : view.chain.body(height, kind)) ?? nothing
}
const one = (kind: 'block' | 'receipts'): Method => ([hash], view) => {
  if (!isHash(hash)) throw new RpcError(-32602, 'invalid argument 0: not a transaction hash')
  const place = view.chain.find(hash.toLowerCase())
  return (place === undefined || place.height > view.head ? undefined : view.chain.element(place.height, kind, place.index)) ?? nothing
}
/** Logs of a range of heights, bounds as for blocks, or of the block with a hash. */
const logs: Method = ([given], view) => {
  if (typeof given !== 'object' || given === null) throw new RpcError(-32602, 'missing value for required argument 0')
  const { fromBlock = 'latest', toBlock = 'latest', blockHash } = given as { fromBlock?: unknown; toBlock?: unknown; blockHash?: unknown }
  // Bounds may lie beyond the chain.
  const bound = (reference: unknown): number => (typeof reference === 'string' && /^0x[0-9a-f]{1,16}$/i.test(reference) ? Number.parseInt(reference, 16) : heightOf(reference, view) ?? view.chain.first)
  const one = blockHash === undefined ? undefined : heightOf(blockHash, view)
  if (blockHash !== undefined && one === undefined) throw new RpcError(-32000, 'unknown block')
  try {
    return logsOf(view.chain, given as LogFilter, one ?? bound(fromBlock), Math.min(one ?? bound(toBlock), view.head))
  } catch (thrown) {
    throw thrown instanceof InvalidFilter ? new RpcError(-32602, thrown.message) : thrown
  }
}
/** Traces are there for some blocks only, like on a node that has pruned the state they need. */
const traces = (kind: Kind): Method => ([reference, options], view) => {
  const tracer = (options as { tracer?: unknown } | undefined)?.tracer
  if (kind === 'call_traces' && tracer !== 'callTracer') throw new RpcError(-32000, `tracer ${String(tracer)} is not recorded`)
  const height = heightOf(reference, view)
  if (height === undefined) throw new RpcError(-32000, 'block not found')
  const body = view.chain.body(height, kind)
  if (body === undefined) throw new RpcError(-32000, `required historical state unavailable (block ${height})`)
  return body
}

/** Method name → answer. What is not in here is -32601. */
export const methods: Readonly<Record<string, Method>> = {
  eth_chainId: (_, { chainId }) => json(hex(chainId)),
  net_version: (_, { chainId }) => json(String(chainId)),
  web3_clientVersion: () => json('hydrophone-replay/1.0.0'),
  eth_syncing: () => json(false),
  eth_blockNumber: (_, { chain, head }) => json(hex(chain.at(head) ?? chain.first)),
  eth_getBlockByNumber: block,
  eth_getBlockByHash: block,
  eth_getBlockReceipts: whole('receipts'),
  eth_getLogs: logs,
  eth_getTransactionReceipt: one('receipts'),
  eth_getTransactionByHash: one('block'),
  debug_traceBlockByNumber: traces('call_traces'),
  debug_traceBlockByHash: traces('call_traces'),
  trace_block: traces('parity_traces'),
}
