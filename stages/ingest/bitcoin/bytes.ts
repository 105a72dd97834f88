/** Hashes as Bitcoin uses them: SHA-256 twice, written the other way round by people. */
import { hash as digest } from 'node:crypto'

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
