/** The answers of one block from one endpoint, as bytes: block with transactions, receipts, traces where the node has them. */
import { AppError } from '../../../schemas/errors.js'
import { plain } from '../../../schemas/slots.js'
import { noBody, textOf, type Body } from '../endpoint.js'
import type { Answers as AnyAnswers } from '../source.js'
import { limitOf } from './answer.js'
import { refusals, type Endpoint } from './endpoint.js'

export type TracesKind = 'call_traces' | 'parity_traces' | ''

/** What an endpoint turned out to offer; undefined until it was asked once. What it once gave it has, until it was away: a refusal after that is a fault. */
export interface Abilities { receipts?: 'block' | 'each'; traces?: TracesKind; /** Until when it is not asked for traces, as its plan or its key has no part in them: by a clock that nobody sets. */ refusedUntil?: number; /** The highest block of which it has pruned what traces need, by what it said last. */ prunedTo?: number; /** That it offers no trace_block for what its debugger has pruned. */ keepsNone?: true; /** The block of which it last had more traces than can be given. */ tooLarge?: number }

/** Blocks above one whose traces are pruned of which they mostly are too. */
const prunedNear = 64

/** Whether it is known to have no traces of a block; `near`: or most likely has none. */
export const hasNoTraces = ({ traces, refusedUntil = 0, prunedTo, tooLarge }: Abilities, number: number, near: boolean): boolean => traces === '' || number === tooLarge || refusedUntil > performance.now() || (prunedTo !== undefined && number <= prunedTo + (near ? prunedNear : 0))

export interface Answers extends AnyAnswers { readonly tracesKind: TracesKind }

const isNull = (body: Body): boolean => body.bytes.length < 200 && /"result"\s*:\s*null/.test(textOf(body))
const quantity = (number: number): string => `0x${number.toString(16)}`

/** Receipts one by one, for nodes without eth_getBlockReceipts, put together as that call would answer. Hex strings only: nothing is rounded. */
const eachReceipt = async (endpoint: Endpoint, block: Body): Promise<Body> => {
  const { result } = JSON.parse(textOf(block)) as { result: { transactions: { hash: string }[] } | null }
  const hashes = (result?.transactions ?? []).map((transaction) => transaction.hash)
  const receipts: unknown[] = []
  for (let start = 0; start < hashes.length; start += 100) {
    const body = await endpoint.batch(hashes.slice(start, start + 100).map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })))
    const answers = JSON.parse(textOf(body)) as { id: number; result?: unknown; error?: { code?: number; message?: string } }[]
    if (!Array.isArray(answers)) throw new AppError('RPC_ERROR', `${endpoint.name}: eth_getTransactionReceipt: the answer to a batch is not a list`, { retry: 'attempt', endpoint: endpoint.name })
    for (const answer of answers.sort((left, right) => left.id - right.id)) {
      const limit = limitOf(answer.error, true)
      if (limit !== undefined) throw new AppError('RPC_LIMITED', `${endpoint.name}: eth_getTransactionReceipt: ${limit}`, { retry: 'wait', endpoint: endpoint.name })
      if (answer.result === null || answer.result === undefined) throw new AppError('RPC_ERROR', `${endpoint.name}: eth_getTransactionReceipt: ${answer.error?.message ?? 'null'}`, { retry: 'attempt', endpoint: endpoint.name })
      receipts.push(answer.result)
    }
  }
  return plain(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, result: receipts })))
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

/** What nodes say when they once had the state a trace needs and have it no more, or there never was any before it. */
const pruned = /missing ?trie ?node|historical state|state .*(not available|unavailable)|no state available|pruned|due to pruning|genesis is not traceable/i
/** What they say of an answer that is larger than they give: anybody can make one so with a transaction. */
const tooLarge = /\bresponse (is )?too (big|large)\b|\bresponse size\b.{0,40}\b(exceed|larger|greater|limit)/i
/** What providers say of calls that a plan or a key has no part in. */
const notInPlan = /tier\b|\b(plan|upgrade|subscription|whitelisted|not (allowed|enabled|permitted)|forbidden|unauthorized|access denied|permission)\b/i

/** What they say of too many calls, mostly with the advice to upgrade. */
const tooMany = /limit|exceed|too many|capacity|quota|credit|throttl|again|progress|temporar|slow down/i
/** Milliseconds after which it is asked again: a plan changes, and a word may mislead. */
const refusedMs = 600_000

/** Whether a fault says that a plan or a key has no part in the call: by its words, or by a status of refusal. */
const isNotInPlan = ({ code, body }: AppError, words: string): boolean => !tooMany.test(words) && ((code === 'RPC_REFUSED' && refusals.has(Number(body['status']))) || ((code === 'RPC_ERROR' || code === 'RPC_UNSUPPORTED') && notInPlan.test(words)))

/** One tracing call: its answer, or that the node has pruned the state, that it is too large, or that the node does not offer it, or not to us: what it refuses while it gives the `block`. Any other fault is one to retry. */
const traced = async (endpoint: Endpoint, method: string, params: readonly unknown[], block: Promise<Body>): Promise<Body | 'unsupported' | 'refused' | 'pruned' | 'large'> => {
  try {
    const body = await endpoint.call(method, params)
    if (isNull(body)) throw new AppError('RPC_ERROR', `${endpoint.name}: ${method}: null`, { retry: 'attempt', endpoint: endpoint.name })
    return body
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    // Its name is part of the message.
    const words = thrown.message.replace(endpoint.name, '')
    if (thrown.code === 'RPC_ERROR' && (pruned.test(words) || pruned.test(String(thrown.body['data'] ?? '')))) return 'pruned'
    if (thrown.code === 'RPC_TOO_LARGE' || (thrown.code === 'RPC_ERROR' && tooLarge.test(words))) return 'large'
    const isRefused = isNotInPlan(thrown, words)
    if (!isRefused && thrown.code === 'RPC_UNSUPPORTED') return 'unsupported'
    if (!isRefused || isNull(await block)) throw thrown
    return 'refused'
  }
}

/** Whether it has given traces since it was looked at last. */
const gives = ({ traces }: Abilities): boolean => traces !== undefined && traces !== ''

/** Traces in the shape the node offers; none where it offers none, has pruned the block or its traces are too large: it is then marked as incomplete inside. */
const fetchTraces = async (endpoint: Endpoint, abilities: Abilities, number: number, hash: string, block: Promise<Body>): Promise<{ traces: Body; tracesKind: TracesKind }> => {
  const none = { traces: noBody, tracesKind: '' } as const
  /** One that has them of a block has them of those near: behind one name there may be several nodes, of which one lags. `kept`: from a store of traces, by a node whose debugger has pruned the block and is asked first for the next. */
  const has = <Kind extends TracesKind>(traces: Body, tracesKind: Kind, kept = false): { traces: Body; tracesKind: Kind } => {
    if (!kept) abilities.traces = tracesKind
    delete abilities.refusedUntil
    if (abilities.prunedTo !== undefined && number <= abilities.prunedTo + prunedNear) delete abilities.prunedTo
    return { traces, tracesKind }
  }
  const lost = (): typeof none => { abilities.prunedTo = Math.max(abilities.prunedTo ?? 0, number); return none }
  /** Of this block alone, and perhaps of no other at its height: there it is asked again. */
  const large = (): typeof none => { abilities.tooLarge = number; return none }
  if (abilities.traces === '' || (abilities.refusedUntil ?? 0) > performance.now()) return none
  let isRefused = false, isPruned = false
  if (abilities.traces !== 'parity_traces') {
    const answer = hash === '' ? await traced(endpoint, 'debug_traceBlockByNumber', [quantity(number), { tracer: 'callTracer' }], block) : await traced(endpoint, 'debug_traceBlockByHash', [hash, { tracer: 'callTracer' }], block)
    if (typeof answer === 'object') return has(answer, 'call_traces')
    isPruned = answer === 'pruned'
    if (isPruned && abilities.keepsNone) return lost()
    if (answer === 'large') return large()
    isRefused = answer === 'refused'
  }
  // A debugger that has pruned the block leaves it without traces whatever else the node says, unless it is away.
  const answer = await traced(endpoint, 'trace_block', [quantity(number)], block).catch((thrown: unknown) => {
    if (isPruned && thrown instanceof AppError && thrown.retry !== 'wait') return 'refused' as const
    throw thrown
  })
  if (typeof answer === 'object') return has(answer, 'parity_traces', isPruned)
  if (isPruned && answer === 'unsupported') abilities.keepsNone = true
  if (answer === 'pruned' || (isPruned && answer !== 'large')) return lost()
  if (answer === 'large') return large()
  // As it is by now: blocks are asked for side by side.
  if (gives(abilities)) throw new AppError('RPC_ERROR', `${endpoint.name}: refuses traces of block ${number}, and gave others before (ETH_TRACES=off does without)`, { retry: 'attempt', endpoint: endpoint.name })
  if (isRefused || answer === 'refused') abilities.refusedUntil = performance.now() + refusedMs
  else abilities.traces = ''
  return none
}

/** Fetches by hash where it is known (single blocks at the tip), by number otherwise; a block the node does not have is BLOCK_GONE. */
export const fetchBlock = async (endpoint: Endpoint, abilities: Abilities, number: number, hash: string, withTraces: boolean): Promise<Answers> => {
  const block = hash === '' ? endpoint.call('eth_getBlockByNumber', [quantity(number), true]) : endpoint.call('eth_getBlockByHash', [hash, true])
  const [body, receipts, traced] = await Promise.allSettled([
    block,
    fetchReceipts(endpoint, abilities, hash === '' ? quantity(number) : hash, () => block),
    withTraces ? fetchTraces(endpoint, abilities, number, hash, block) : { traces: noBody, tracesKind: '' as const },
  ])
  if (body.status === 'fulfilled' && isNull(body.value)) throw new AppError('BLOCK_GONE', `${endpoint.name}: block ${number}${hash === '' ? '' : ` (${hash})`} is not there (any more)`, { retry: 'wait', endpoint: endpoint.name })
  if (body.status === 'rejected') throw body.reason
  if (receipts.status === 'rejected') throw receipts.reason
  if (traced.status === 'rejected') throw traced.reason
  return { number, endpoint: endpoint.name, block: body.value, receipts: receipts.value, ...traced.value }
}
