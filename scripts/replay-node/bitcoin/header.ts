/** What the first 80 bytes of a block say, and the count behind them, as getblockheader writes it. */
import { countOf, sha256d, shown } from './wire.js'

/** How much harder than the easiest a compact target is. */
const difficulty = (bits: number): number => (0xffff / (bits & 0x7fffff)) * 2 ** (8 * (0x1d - (bits >>> 24)))

/** All of getblockheader's answer that follows from the block itself and its height. */
export const headerOf = (block: Buffer, height: number): Record<string, unknown> => {
  const version = block.readUInt32LE(0), bits = block.readUInt32LE(72)
  return {
    hash: shown(sha256d(block.subarray(0, 80))), height, version: version | 0, versionHex: version.toString(16).padStart(8, '0'), merkleroot: shown(block.subarray(36, 68)),
    time: block.readUInt32LE(68), nonce: block.readUInt32LE(76), bits: bits.toString(16).padStart(8, '0'), difficulty: difficulty(bits), nTx: countOf(block),
    previousblockhash: shown(block.subarray(4, 36)),
  }
}
