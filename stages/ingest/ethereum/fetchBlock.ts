/** The answers of one block from one endpoint, as bytes: block with transactions, receipts, traces where the node has them. */
import { AppError } from '../../../schemas/errors.js'
import type { Body, Endpoint } from './endpoint.js'

export type TracesKind = 'call_traces' | 'parity_traces' | ''

/** What an endpoint turned out to offer; undefined until it was asked once. */
export interface Abilities { receipts?: 'block' | 'each'; traces?: TracesKind }

export interface Answers { readonly number: number; readonly endpoint: string; readonly block: Body; readonly receipts: Body; readonly traces: Body; readonly tracesKind: TracesKind }

const empty: Body = { chunks: [], size: 0 }
const quantity = (number: number): string => `0x${number.toString(16)}`
const unsupported = (thrown: unknown): boolean => thrown instanceof AppError && (thrown.code === 'RPC_UNSUPPORTED' || thrown.code === 'RPC_ERROR')

/** Receipts one by one, for nodes without eth_getBlockReceipts, put together as that call would answer. Hex strings only: nothing is rounded. */
const eachReceipt = async (endpoint: Endpoint, block: Body): Promise<Body> => {
  const { result } = JSON.parse(Buffer.concat([...block.chunks]).toString('utf8')) as { result: { transactions: { hash: string }[] } | null }
  const hashes = (result?.transactions ?? []).map((transaction) => transaction.hash)
  const receipts: unknown[] = []
  for (let start = 0; start < hashes.length; start += 100) {
    const body = await endpoint.batch(hashes.slice(start, start + 100).map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
    const answers = JSON.parse(Buffer.concat([...body.chunks]).toString('utf8')) as { id: number; result?: unknown; error?: { message?: string } }[]
    if (!Array.isArray(answers)) throw new AppError('RPC_ERROR', `${endpoint.name}: eth_getTransactionReceipt: the answer to a batch is not a list`, { retry: 'attempt', endpoint: endpoint.name })
    for (const answer of answers.sort((left, right) => left.id - right.id)) {
      if (answer.result === null || answer.result === undefined) throw new AppError('RPC_ERROR', `${endpoint.name}: eth_getTransactionReceipt: ${answer.error?.message ?? 'null'}`, { retry: 'attempt', endpoint: endpoint.name })
      receipts.push(answer.result)
    }
  }
  const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: receipts }))
  return { chunks: [text], size: text.length }
}

const fetchReceipts = async (endpoint: Endpoint, abilities: Abilities, reference: string, block: () => Promise<Body>): Promise<Body> => {
  if (abilities.receipts !== 'each') {
    try {
      const body = await endpoint.call('eth_getBlockReceipts', [reference])
      abilities.receipts = 'block'
      return body
    } catch (thrown) {
      if (abilities.receipts === 'block' || !(thrown instanceof AppError) || thrown.code !== 'RPC_UNSUPPORTED') throw thrown
      abilities.receipts = 'each'
    }
  }
  return eachReceipt(endpoint, await block())
}

const isNull = (body: Body): boolean => body.size < 200 && /"result"\s*:\s*null/.test(Buffer.concat([...body.chunks]).toString('utf8'))

/** A node that has traces of some blocks only (pruned) gives none for this one: the block is then marked as incomplete inside. */
const fetchTraces = async (endpoint: Endpoint, abilities: Abilities, number: number, hash: string): Promise<{ traces: Body; tracesKind: TracesKind }> => {
  const none = { traces: empty, tracesKind: '' } as const
  if (abilities.traces === '') return none
  if (abilities.traces !== 'parity_traces') {
    try {
      const traces = hash === '' ? await endpoint.call('debug_traceBlockByNumber', [quantity(number), { tracer: 'callTracer' }]) : await endpoint.call('debug_traceBlockByHash', [hash, { tracer: 'callTracer' }])
      abilities.traces = 'call_traces'
      return isNull(traces) ? none : { traces, tracesKind: 'call_traces' }
    } catch (thrown) {
      if (!unsupported(thrown)) throw thrown
      if (abilities.traces === 'call_traces' || (thrown instanceof AppError && thrown.code !== 'RPC_UNSUPPORTED')) return none
    }
  }
  try {
    const traces = await endpoint.call('trace_block', [quantity(number)])
    abilities.traces = 'parity_traces'
    return isNull(traces) ? none : { traces, tracesKind: 'parity_traces' }
  } catch (thrown) {
    if (!unsupported(thrown)) throw thrown
    if (abilities.traces === undefined && thrown instanceof AppError && thrown.code === 'RPC_UNSUPPORTED') abilities.traces = ''
    return none
  }
}

/** Fetches by hash where it is known (single blocks at the tip), by number otherwise; a block the node does not have is BLOCK_GONE. */
export const fetchBlock = async (endpoint: Endpoint, abilities: Abilities, number: number, hash: string, withTraces: boolean): Promise<Answers> => {
  const block = hash === '' ? endpoint.call('eth_getBlockByNumber', [quantity(number), true]) : endpoint.call('eth_getBlockByHash', [hash, true])
  const [body, receipts, traced] = await Promise.all([
    block,
    fetchReceipts(endpoint, abilities, hash === '' ? quantity(number) : hash, () => block),
    withTraces ? fetchTraces(endpoint, abilities, number, hash) : { traces: empty, tracesKind: '' as const },
  ])
  if (isNull(body)) throw new AppError('BLOCK_GONE', `${endpoint.name}: block ${number}${hash === '' ? '' : ` (${hash})`} is not there (any more)`, { retry: 'wait', endpoint: endpoint.name })
  return { number, endpoint: endpoint.name, block: body, receipts, ...traced }
}
