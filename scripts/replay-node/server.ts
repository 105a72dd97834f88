/** A JSON-RPC node of Ethereum over HTTP on loopback that serves recorded blocks: `startReplayNode(options)`. */
import { recordedChain } from './chain.js'
import { openControl, type Control } from './control.js'
import { openDice, spoil, type Faults } from './faults.js'
import { methods, RpcError, type View } from './methods.js'
import { renumberedChain, type Renumber } from './renumbered.js'
import { serveNode, type ReplayNode } from './serve.js'

export type { ReplayNode } from './serve.js'

export interface ReplayOptions {
  /** 0 or absent: any free one. */
  readonly port?: number
  readonly chainId?: number
  /** Serve consecutive renumbered blocks instead of the recorded heights. */
  readonly renumber?: Renumber
  /** Height of the head at the start; absent: the newest block. */
  readonly head?: number
  /** The head grows by one every so many milliseconds. */
  readonly advanceMs?: number
  /** Blocks that finality lags behind the head; absent: 0 for recorded blocks, 64 for renumbered ones. */
  readonly finality?: number
  /** Milliseconds before each answer. */
  readonly latencyMs?: number
  readonly faults?: Faults
  readonly seed?: number
}

const comma = Buffer.from(',')
const failure = (id: unknown, code: number, message: string): Buffer[] => [Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message } }))]

/** One call's answer as pieces: the payload is put between head and tail as it is. */
const answer = (call: unknown, control: Control, view: () => View): Buffer[] => {
  if (typeof call !== 'object' || call === null || Array.isArray(call)) return failure(null, -32600, 'invalid request')
  const { id, method, params } = call as { id?: unknown; method?: unknown; params?: unknown }
  if (typeof method !== 'string') return failure(id, -32600, 'invalid request')
  control.count(method)
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (run === undefined) return failure(id, -32601, `the method ${method} does not exist/is not available`)
  try {
    const seen = view()
    const result = spoil(method, run(Array.isArray(params) ? params : [], seen), seen, control.dice)
    return [Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id ?? null)},"result":`), result, Buffer.from('}')]
  } catch (thrown) {
    if (thrown instanceof RpcError) return failure(id, thrown.code, thrown.message)
    throw thrown
  }
}

const answers = (text: string, control: Control, view: () => View): Buffer[] => {
  let parsed: unknown
  try { parsed = JSON.parse(text) } catch { return failure(null, -32700, 'parse error') }
  if (!Array.isArray(parsed)) return answer(parsed, control, view)
  if (parsed.length === 0) return failure(null, -32600, 'empty batch')
  return [Buffer.from('['), ...parsed.flatMap((call, index) => (index === 0 ? answer(call, control, view) : [comma, ...answer(call, control, view)])), Buffer.from(']')]
}

/** Starts the node; resolves when it listens on 127.0.0.1. */
export const startReplayNode = (options: ReplayOptions = {}): Promise<ReplayNode> => {
  const chain = options.renumber === undefined ? recordedChain() : renumberedChain(options.renumber)
  const chainId = options.chainId ?? 1, finality = options.finality ?? (options.renumber === undefined ? 0 : 64)
  const control = openControl(chain, { chainId, head: options.head ?? chain.last, latencyMs: options.latencyMs ?? 0, dice: openDice(options.faults ?? {}, options.seed ?? 1) })
  if (options.advanceMs !== undefined) control.change({ advanceMs: options.advanceMs })
  const lagging = (blocks: number): number => Math.max(chain.first, control.head() - blocks)
  const view = (): View => ({ chain, chainId, head: control.head(), finalized: lagging(finality), safe: lagging(finality >> 1) })
  return serveNode(control, ({ method, text }) => (method === 'POST' ? { status: 200, pieces: answers(text, control, view) } : { status: 405, pieces: failure(null, -32600, 'POST only') }), options.port)
}
