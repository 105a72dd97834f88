/** The recorded mainnet blocks in test/fixtures/ethereum: what there is, and the bytes of each answer. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

export type FileName = 'block' | 'receipts' | 'call_traces' | 'parity_traces'

/** One recorded block; `timestamp` in Unix seconds, hashes with 0x. */
export interface Recorded {
  readonly height: number; readonly hash: string; readonly parentHash: string; readonly timestamp: number
  readonly txs: number; readonly logs: number; readonly files: readonly FileName[]
}

const folder = new URL('../../test/fixtures/ethereum/', import.meta.url)

/** Every recorded block, lowest first. */
export const recorded: readonly Recorded[] = (JSON.parse(readFileSync(new URL('index.json', folder), 'utf8')) as Recorded[])
  .sort((left, right) => left.height - right.height)

/** Recorded heights with neighbours merged, inclusive bounds, lowest first: what a backfill of the bundled blocks asks for. */
export const recordedRanges = (): readonly { from: number; to: number }[] => recorded.reduce<{ from: number; to: number }[]>((ranges, { height }) => {
  const last = ranges.at(-1)
  if (last?.to === height - 1) last.to = height
  else ranges.push({ from: height, to: height })
  return ranges
}, [])

/** Bytes of one answer's `result` as it was recorded; undefined where the block has no such file. */
export const readRecorded = (block: Recorded, file: FileName): Buffer | undefined =>
  (block.files.includes(file) ? gunzipSync(readFileSync(new URL(`${block.height}/${file}.json.gz`, folder))) : undefined)
