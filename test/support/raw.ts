/** Recorded mainnet blocks as ingest leaves them: one raw_payloads row for each answer of the node, wrapped as JSON-RPC wraps it. */
import { existsSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import type { Store } from '../../schemas/clickhouse.js'
import { randomName } from './servers.js'

export const rawKinds = ['block', 'receipts', 'call_traces', 'parity_traces'] as const
export type RawKind = (typeof rawKinds)[number]

const folder = new URL('../fixtures/ethereum/', import.meta.url)

/** Text of the bare `result` a node gave for `height`; undefined where none was recorded. */
export const recorded = (height: number, kind: RawKind): string | undefined => {
  const path = new URL(`${height}/${kind}.json.gz`, folder)
  return existsSync(path) ? gunzipSync(readFileSync(path)).toString('utf8') : undefined
}

export interface RawAnswer { readonly number: number; readonly kind: RawKind; readonly hash: string; readonly parentHash: string; /** Text of the bare result. */ readonly result: string }

const insert = `INSERT INTO raw_payloads (chain, number, kind, block_hash, parent_hash, problem, generation, endpoint, fetched_at, payload, receipts, traces, traces_kind)
  SELECT {chain:String}, number, 'block', toFixedString(unhex(hash), 32), toFixedString(unhex(parent), 32), '', {generation:UInt32}, 'recorded', now64(3), block, receipts, traces, traces_kind
  FROM input('number UInt64, hash String, parent String, block String, receipts String, traces String, traces_kind String') FORMAT JSONEachRow`

/** Puts answers into raw_payloads, those about one block side by side; hashes are hex with 0x. */
export const insertAnswers = async (store: Store, answers: readonly RawAnswer[], generation = 1): Promise<void> => {
  const wrapped = (answer: RawAnswer | undefined): string => (answer === undefined ? '' : `{"jsonrpc":"2.0","id":1,"result":${answer.result}}`)
  const blocks = answers.filter((answer) => answer.kind === 'block')
  const lines = blocks.map(({ number, hash, parentHash }, index) => {
    const nth = blocks.slice(0, index).filter((other) => other.number === number && other.hash === hash).length
    const of = (kind: RawKind) => { const all = answers.filter((answer) => answer.kind === kind && answer.number === number && answer.hash === hash); return all[nth] ?? all[0] }
    const traces = of('call_traces') ?? of('parity_traces')
    return JSON.stringify({
      number, hash: hash.slice(2), parent: parentHash.slice(2), block: wrapped(of('block')), receipts: wrapped(of('receipts')), traces: wrapped(traces), traces_kind: traces?.kind ?? '',
    })
  })
  await store.insertStream(insert, Readable.from([lines.join('\n')]), { chain: 'ETH', generation }, randomName('raw'))
}

/** Every recorded answer about `height`, filed under the number `as`. */
export const recordedAnswers = (height: number, as = height): RawAnswer[] => {
  const block = recorded(height, 'block')
  if (block === undefined) throw new Error(`block ${height} is not recorded in ${folder.pathname}`)
  const { hash, parentHash } = JSON.parse(block) as { hash: string; parentHash: string }
  return rawKinds.flatMap((kind) => {
    const result = recorded(height, kind)
    return result === undefined ? [] : [{ number: as, kind, hash, parentHash, result }]
  })
}

/** Puts the recorded blocks at `heights` into raw_payloads, with the traces that were recorded. */
export const insertRaw = async (store: Store, heights: readonly number[], generation = 1): Promise<void> => {
  for (const height of heights) await insertAnswers(store, recordedAnswers(height), generation)
}
