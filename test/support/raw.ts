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

const insert = `INSERT INTO raw_payloads
  SELECT {chain:String}, number, kind, toFixedString(unhex(hash), 32), toFixedString(unhex(parent), 32), '', {generation:UInt32}, 'recorded', now64(3), payload
  FROM input('number UInt64, kind String, hash String, parent String, payload String') FORMAT JSONEachRow`

/** Puts answers into raw_payloads; hashes are hex with 0x. */
export const insertAnswers = async (store: Store, answers: readonly RawAnswer[], generation = 1): Promise<void> => {
  const lines = answers.map(({ number, kind, hash, parentHash, result }) => JSON.stringify({
    number, kind, hash: hash.slice(2), parent: parentHash.slice(2), payload: `{"jsonrpc":"2.0","id":1,"result":${result}}`,
  }))
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
