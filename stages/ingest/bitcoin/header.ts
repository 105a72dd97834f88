/** The 80 bytes every block begins with: what they say, and whether they are what was asked for. */
import { sha256d, shown } from '../../normalize/bitcoin/decodeBlock.js'

export const headerBytes = 80

/** Hashes as people write them; `time` in Unix seconds. */
export interface Header { readonly hash: string; readonly parent: string; readonly merkleRoot: Buffer; readonly time: number; readonly bits: number }

/** `hash`: the block asked for, as people write it. `work`: whether the header must show the work it claims; `easiest`: the easiest target that is believed, null for any; `mweb`: whether an extension block may follow. */
export interface Demand { readonly hash: string; readonly work: boolean; readonly easiest: number | null; readonly mweb: boolean }

export const readHeader = (bytes: Buffer): Header => ({
  hash: shown(sha256d(bytes.subarray(0, headerBytes))), parent: shown(bytes.subarray(4, 36)), merkleRoot: bytes.subarray(36, 68), time: bytes.readUInt32LE(68), bits: bytes.readUInt32LE(72),
})

/** The target a compact form means; zero for what no header may claim. */
export const targetOf = (bits: number): bigint => {
  const mantissa = BigInt(bits & 0x7fffff), exponent = bits >>> 24
  if ((bits & 0x800000) !== 0) return 0n
  return exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
}

/** What is wrong with a header, '' if nothing. */
export const headerProblem = (header: Header, { hash, work, easiest }: Demand): string => {
  if (header.hash !== hash) return `another block: ${header.hash}, asked for ${hash}`
  if (!work) return ''
  const target = targetOf(header.bits)
  if (easiest !== null && target > targetOf(easiest)) return `claims less work than any block of this chain (bits ${header.bits.toString(16)})`
  return BigInt(`0x${header.hash}`) > target ? 'without the work it claims' : ''
}
