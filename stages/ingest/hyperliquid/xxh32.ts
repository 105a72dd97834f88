/** xxHash, 32 bits: the checksum of LZ4 frames. */

const p1 = 0x9e3779b1, p2 = 0x85ebca77, p3 = 0xc2b2ae3d, p4 = 0x27d4eb2f, p5 = 0x165667b1
const turn = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))
const round = (lane: number, word: number): number => Math.imul(turn((lane + Math.imul(word, p2)) | 0, 13), p1)

export interface Sum { update(bytes: Buffer): void; digest(): number }

/** A sum over bytes that come in pieces. */
export const openSum = (): Sum => {
  let a = (p1 + p2) | 0, b = p2 | 0, c = 0, d = -p1 | 0, length = 0
  let rest = Buffer.alloc(0)
  const stripe = (bytes: Buffer, at: number): void => { a = round(a, bytes.readInt32LE(at)); b = round(b, bytes.readInt32LE(at + 4)); c = round(c, bytes.readInt32LE(at + 8)); d = round(d, bytes.readInt32LE(at + 12)) }
  return {
    update: (bytes) => {
      length += bytes.length
      let at = 0
      if (rest.length > 0) {
        at = Math.min(16 - rest.length, bytes.length)
        rest = Buffer.concat([rest, bytes.subarray(0, at)])
        if (rest.length < 16) return
        stripe(rest, 0)
      }
      for (; at + 16 <= bytes.length; at += 16) stripe(bytes, at)
      rest = Buffer.from(bytes.subarray(at))
    },
    digest: () => {
      let hash = length >= 16 ? (turn(a, 1) + turn(b, 7) + turn(c, 12) + turn(d, 18)) | 0 : p5 | 0
      hash = (hash + length) | 0
      let at = 0
      for (; at + 4 <= rest.length; at += 4) hash = Math.imul(turn((hash + Math.imul(rest.readInt32LE(at), p3)) | 0, 17), p4)
      for (; at < rest.length; at += 1) hash = Math.imul(turn((hash + Math.imul(rest[at] ?? 0, p5)) | 0, 11), p1)
      hash = Math.imul(hash ^ (hash >>> 15), p2)
      hash = Math.imul(hash ^ (hash >>> 13), p3)
      return (hash ^ (hash >>> 16)) >>> 0
    },
  }
}

export const sumOf = (bytes: Buffer): number => { const sum = openSum(); sum.update(bytes); return sum.digest() }
