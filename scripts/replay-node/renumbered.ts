/**
 * Consecutive blocks made of recorded ones: bytes are copied and numbers, hashes and times overwritten in place, so that a chain of
 * any length costs no parsing. Hashes carry their height and transaction hashes their block's offset, so that both can be found.
 */
import { createHash } from 'node:crypto'
import type { ReplayChain } from './chain.js'
import { recorded } from './fixtures.js'
import { openTemplate, type Kind, type Template } from './template.js'

/** Heights of ordinary blocks: about 200 transactions and 400 logs each. */
export const ordinary: readonly number[] = [15_547_621, 17_034_870, 17_062_257]

/** `from` and `count` in blocks; `shapes` are recorded heights; `time` is the first block's, in Unix seconds. */
export interface Renumber { readonly from: number; readonly count: number; readonly shapes?: readonly number[]; readonly time?: number; readonly cacheBytes?: number }

const heightDigits = 12
const offsetDigits = 8

export const renumberedChain = ({ from, count, shapes = ordinary, time = 1_700_000_000, cacheBytes = 64 << 20 }: Renumber): ReplayChain => {
  const last = from + count - 1
  const hex = (height: number) => `0x${height.toString(16)}`
  const widths = { hex: hex(from).length, decimal: String(from).length }
  if (count < 1 || hex(last).length !== widths.hex || String(last).length !== widths.decimal) {
    throw new Error(`renumber: heights ${from} to ${last} differ in width; choose a range within one power of ten and of sixteen`)
  }
  const templates = shapes.map((height): Template => {
    const block = recorded.find((candidate) => candidate.height === height)
    if (block === undefined) throw new Error(`renumber: no recorded block ${height}`)
    return openTemplate(block, widths)
  })
  const forks: number[] = []
  const branch = (height: number) => forks.filter((at) => at <= height).length
  const template = (height: number) => templates[(height - from + branch(height)) % templates.length] as Template
  const hashOf = (height: number): string =>
    `0x${createHash('sha256').update(`${branch(height)}:${height}`).digest('hex').slice(heightDigits)}${height.toString(16).padStart(heightDigits, '0')}`
  const holds = (height: number) => Number.isInteger(height) && height >= from && height <= last

  const patch = (height: number, kind: Kind): Buffer | undefined => {
    const mould = template(height).body(kind)
    if (mould === undefined) return undefined
    const bytes = Buffer.from(mould.bytes)
    const values = {
      hash: Buffer.from(hashOf(height)), parent: Buffer.from(hashOf(height - 1)), number: Buffer.from(hex(height)), decimal: Buffer.from(String(height)),
      time: Buffer.from(hex(time + 12 * (height - from))), transaction: Buffer.from((height - from).toString(16).padStart(offsetDigits, '0')),
    }
    for (const { at, what } of mould.spots) values[what].copy(bytes, what === 'transaction' ? at + 66 - offsetDigits : at)
    return bytes
  }
  const cache = new Map<string, Buffer>()
  let cached = 0
  const body = (height: number, kind: Kind): Buffer | undefined => {
    if (!holds(height)) return undefined
    const key = `${height}:${kind}`
    const present = cache.get(key)
    if (present !== undefined) return present
    const made = patch(height, kind)
    if (made === undefined) return undefined
    cache.set(key, made)
    cached += made.length
    for (const [oldest, bytes] of cache) {
      if (cached <= cacheBytes) break
      cache.delete(oldest)
      cached -= bytes.length
    }
    return made
  }
  return {
    first: from, last, body,
    at: (height) => (height < from ? undefined : Math.min(height, last)),
    hashOf: (height) => (holds(height) ? hashOf(height) : undefined),
    heightOf: (hash) => {
      const height = Number.parseInt(hash.slice(-heightDigits), 16)
      return holds(height) && hashOf(height) === hash ? height : undefined
    },
    mould: (height, kind) => (holds(height) ? template(height).body(kind) : undefined),
    element: (height, kind, index) => {
      const range = holds(height) ? template(height).body(kind)?.elements[index] : undefined
      return range === undefined ? undefined : body(height, kind)?.subarray(...range)
    },
    find: (transactionHash) => {
      const height = from + Number.parseInt(transactionHash.slice(-offsetDigits), 16)
      if (!holds(height)) return undefined
      const stem = transactionHash.slice(0, -offsetDigits)
      const index = template(height).transactions.findIndex((hash) => hash.startsWith(stem))
      return index === -1 ? undefined : { height, index }
    },
    fork: (height) => {
      forks.push(height)
      cache.clear()
      cached = 0
      return true
    },
  }
}
