/** The configured nodes, for reading: bounded in time, in size of the answer and in calls under way. Errors never hold an address of a node or its words. */
import type { PublicClient } from 'viem'
import { z } from 'zod'
import type { Chain } from '../../schemas/chains.js'
import type { Config } from '../../schemas/config.js'
import { AppError, unavailable } from '../../schemas/errors.js'
import { rateLimited } from '../faults.js'
import type { Ask } from '../operation.js'
import { bitcoinMethods, boundedMethods, ethereumMethods } from './methods.js'

const longestMs = 8_000
const mostBytes = 4 * 1024 * 1024
/** Milliseconds a node that did not answer is asked last. */
const distrust = 10_000
/** Questions under way: of one caller, and of all. */
const each = 4
const all = 32

const Answer = z.object({ result: z.unknown().optional(), error: z.object({ code: z.number(), message: z.string().catch(''), data: z.unknown().optional() }).nullish() })

/** What a node said no with: its code, and the data of a reverted call. */
export interface Refusal { readonly code: number; readonly reverted: boolean; readonly data: string }
export type Said = { readonly result: unknown } | { readonly refusal: Refusal; readonly fault: AppError }

const refused = (code: number, message: string): AppError => {
  const unoffered = code === -32601 || code === -32004
  const why = unoffered ? 'it does not offer this method'
    : /missing trie node|historical state|state .*(not available|unavailable)|pruned/i.test(message) ? 'it no longer has the state at that block'
      : code === -32602 || code === -8 ? 'it finds the parameters wrong' : code === -5 ? 'it does not know what was asked for' : `its code is ${code}`
  return new AppError('NODE_REFUSED', `The node refused: ${why}.`, { status: 422, body: { hint: `${unoffered ? 'No parameters help: the node behind this chain has no such method.' : 'Try another block, or other parameters.'} Indexed data (get_block, list_txs, list_whales) need no node.` } })
}

/** The library is a tenth of the process: it is loaded with the first question. */
const library = () => import('viem')

const openClient = async (url: string, include: readonly string[]): Promise<PublicClient> => {
  const { createPublicClient, http } = await library()
  return createPublicClient({ transport: http(url, { raw: true, retryCount: 0, timeout: longestMs, maxResponseBodySize: mostBytes, methods: { include: [...include] }, fetchOptions: { redirect: 'error' } }) })
}

interface Node { silentUntil: number; ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<Said> }

/** `name`: what the log calls it; `wanted`: the chain id the node must answer with, null: not asked. */
const openNode = (url: string, name: string, include: readonly string[], wanted: number | null): Node => {
  let client: Promise<PublicClient> | undefined
  let checked = wanted === null
  const send = async (method: string, params: readonly unknown[], signal: AbortSignal): Promise<Said> => {
    let said: unknown
    try {
      client ??= openClient(url, include)
      said = await (await client).request({ method: method as never, params: params as never }, { signal })
    } catch (thrown) {
      if (thrown instanceof (await library()).ResponseBodyTooLargeError) throw new AppError('RESULT_TOO_LARGE', 'The node\'s answer is larger than is passed on: 4 MiB at most.', { status: 422, body: { hint: 'Ask for fewer blocks, or name an address or a topic.' } })
      // What viem says quotes the address of the node.
      throw unavailable(name, undefined)
    }
    const answer = Answer.safeParse(said)
    if (!answer.success) throw unavailable(name, undefined)
    const { result, error } = answer.data
    if (error === null || error === undefined) return { result }
    const data = typeof error.data === 'string' && /^0x([0-9a-f]{2})*$/i.test(error.data) ? error.data.toLowerCase() : '0x'
    return { refusal: { code: error.code, reverted: error.code === 3 || /revert/i.test(error.message), data }, fault: refused(error.code, error.message) }
  }
  return {
    silentUntil: 0,
    ask: async (method, params, signal) => {
      if (!checked) {
        const id = await send('eth_chainId', [], signal)
        if (!('result' in id) || Number(id.result) !== wanted) throw unavailable(`${name}, asked for chain ${wanted ?? ''},`, undefined)
        checked = true
      }
      return send(method, params, signal)
    },
  }
}

interface Nodes { of(chain: string): readonly Node[]; readonly underWay: Map<string, number>; total: number }
const opened = new WeakMap<Config, Nodes>()

const nodesOf = (config: Config): Nodes => {
  let nodes = opened.get(config)
  if (nodes === undefined) {
    const ethereum = (config.ETH_RPC_URL ?? []).map((url, at) => openNode(url, `node ${at + 1} of ETH_RPC_URL`, [...Object.keys(ethereumMethods), ...boundedMethods], config.ETH_CHAIN_ID))
    const bitcoin = (config.BTC_RPC_URL ?? []).map((url, at) => openNode(url, `node ${at + 1} of BTC_RPC_URL`, Object.keys(bitcoinMethods), null))
    opened.set(config, nodes = { of: (chain) => (chain === 'ETH' ? ethereum : chain === 'BTC' ? bitcoin : []), underWay: new Map(), total: 0 })
  }
  return nodes
}

/** Asks the nodes of a chain one after the other until one answers; 503 where none does. */
export interface NodeLine {
  /** What the node says, a refusal included. */
  say(method: string, params: readonly unknown[]): Promise<Said>
  /** Its result by `shape`; throws NODE_REFUSED, RESULT_TOO_LARGE. */
  ask<Value>(method: string, params: readonly unknown[], shape: z.ZodType<Value>): Promise<Value>
}

const lineTo = (nodes: readonly Node[], signal: AbortSignal): NodeLine => {
  const say: NodeLine['say'] = async (method, params) => {
    let last: unknown
    const now = performance.now()
    for (const node of [...nodes].sort((a, b) => Number(a.silentUntil > now) - Number(b.silentUntil > now))) {
      try {
        return await node.ask(method, params, AbortSignal.any([signal, AbortSignal.timeout(longestMs)]))
      } catch (thrown) {
        if (signal.aborted || !(thrown instanceof AppError) || thrown.status !== 503) throw thrown
        node.silentUntil = performance.now() + distrust
        last = thrown
      }
    }
    throw last
  }
  return {
    say,
    ask: async (method, params, shape) => {
      const said = await say(method, params)
      if ('fault' in said) throw said.fault
      const parsed = shape.safeParse(said.result)
      if (!parsed.success) throw unavailable('the node', undefined)
      return parsed.data
    },
  }
}

/** Runs `work` with a line to the nodes of `chain`; throws NODE_NOT_CONFIGURED (404), RATE_LIMITED where the caller has too much under way. */
export const withNode = async <Value>(ask: Ask, chain: Chain, work: (line: NodeLine) => Promise<Value>): Promise<Value> => {
  const nodes = nodesOf(ask.config)
  const mine = nodes.of(chain.id)
  if (mine.length === 0) throw new AppError('NODE_NOT_CONFIGURED', `No node of ${chain.id} is configured here.`, { status: 404, body: { hint: 'Raw questions need a node (ETH_RPC_URL, BTC_RPC_URL). Indexed data (get_block, list_whales) are answered without one.' } })
  const who = ask.principal.quota
  const running = nodes.underWay.get(who) ?? 0
  if (running >= each || nodes.total >= all) throw rateLimited(1, { name: 'node_questions_at_once', limit: running >= each ? each : all }, 'Too many questions to the node at once')
  nodes.underWay.set(who, running + 1)
  nodes.total += 1
  try {
    return await work(lineTo(mine, ask.signal))
  } finally {
    nodes.total -= 1
    const left = (nodes.underWay.get(who) ?? 1) - 1
    if (left === 0) nodes.underWay.delete(who)
    else nodes.underWay.set(who, left)
  }
}
