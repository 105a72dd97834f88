/** Reading what Bitcoin writes on the wire: integers little-endian, counts as compact sizes, hashes as they are hashed (shown reversed). */
import { hash as digest } from 'node:crypto'

/** What ends before its content does, or goes on after it. */
export class Misshapen extends Error {}

export interface Reader { readonly at: () => number; skip(bytes: number): void; uint32(): number; compact(): number; done(): boolean }

/** A reader over `bytes` from `start` on; every step throws Misshapen past the end. */
export const openReader = (bytes: Buffer, start = 0): Reader => {
  let at = start
  const take = (count: number): number => {
    const from = at
    if (count > bytes.length - from) throw new Misshapen(`truncated: ${bytes.length} bytes, more are announced`)
    at = from + count
    return from
  }
  return {
    at: () => at,
    skip: (count) => { take(count) },
    uint32: () => bytes.readUInt32LE(take(4)),
    compact: () => {
      const first = bytes[take(1)] ?? 0
      if (first < 0xfd) return first
      if (first === 0xfd) return bytes.readUInt16LE(take(2))
      if (first === 0xfe) return bytes.readUInt32LE(take(4))
      throw new Misshapen('a count beyond 32 bits')
    },
    done: () => at === bytes.length,
  }
}

const sha256 = (bytes: Buffer): Buffer => digest('sha256', bytes, 'buffer')

/** SHA-256 twice: how headers, transactions and pairs of the merkle tree are hashed. */
export const sha256d = (bytes: Buffer): Buffer => sha256(sha256(bytes))

/** A hash in the order people write it. */
export const shown = (hash: Buffer): string => Buffer.from(hash).reverse().toString('hex')
/** The bytes of a hash that people wrote. */
export const wired = (hash: string): Buffer => Buffer.from(hash, 'hex').reverse()

/**
 * Root of the merkle tree over `leaves`. A list whose end repeats itself has the root of the shorter list: null then, for a body may
 * have been doubled that way.
 */
export const merkleRoot = (leaves: readonly Buffer[]): Buffer | null => {
  let level = leaves
  while (level.length > 1) {
    const above: Buffer[] = []
    for (let index = 0; index < level.length; index += 2) {
      const left = level[index] as Buffer, right = level[index + 1] ?? left
      if (index + 1 < level.length && left.equals(right)) return null
      above.push(sha256d(Buffer.concat([left, right], 64)))
    }
    level = above
  }
  return level[0] ?? null
}
