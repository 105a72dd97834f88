/** What a replayed node of Bitcoin serves. The recorded chain has gaps between its heights. */
import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { Served } from '../control.js'
import { openEarlyJson } from './earlyJson.js'
import { coin, sha256d, shown, spentOf, stripped, transactionsOf } from './wire.js'

/** Hashes as people write them. */
export interface BitcoinChain extends Served {
  /** Newest height at or below `height` that has a block; undefined below the first. */
  at(height: number): number | undefined
  hashOf(height: number): string | undefined
  heightOf(hash: string): number | undefined
  /** Bytes of the block at a height that has one. */
  block(height: number): Buffer
  /** The outputs its inputs spend; undefined where they are not known. */
  spent(height: number): Buffer | undefined
  /** Text of getblock with transactions: recorded, or made of the bytes of blocks 1 to 255; undefined for any other. */
  json(height: number, verbosity: 2 | 3): Buffer | undefined
}

const folder = new URL('../../../test/fixtures/bitcoin/', import.meta.url)
const unpacked = (path: string): Buffer | undefined => (existsSync(new URL(path, folder)) ? gunzipSync(readFileSync(new URL(path, folder))) : undefined)
/** Heights recorded one by one; 1 to 255 lie in one file. */
const single = [277_647, 426_884, 482_683, 514_485, 540_107, 574_200]
const early = 255

/** Every recorded height, lowest first. */
export const recordedBitcoinHeights: readonly number[] = [...Array.from({ length: early }, (_, index) => index + 1), ...single]
/** The same with neighbours merged, inclusive bounds: what a backfill of them asks for. */
export const recordedBitcoinRanges: readonly { readonly from: number; readonly to: number }[] = [{ from: 1, to: early }, ...single.map((height) => ({ from: height, to: height }))]

const earlyBlocks = (): Buffer[] => {
  const bytes = unpacked('1-255/blocks.blk.gz') ?? Buffer.alloc(0)
  const blocks: Buffer[] = []
  // Each follows its network's magic and its length.
  for (let at = 0; at < bytes.length;) { const length = bytes.readUInt32LE(at + 4); blocks.push(bytes.subarray(at + 8, at + 8 + length)); at += 8 + length }
  return blocks
}

/** Spent outputs of blocks that stand on one another from the first on. */
const spentEarly = (blocks: readonly Buffer[]): Buffer[] => {
  const made = new Map<string, Buffer[]>()
  return blocks.map((block) => spentOf(transactionsOf(block).map((transaction, index) => {
    const spent = index === 0 ? [] : transaction.inputs.map((input) => made.get(block.toString('hex', input.at, input.at + 32))?.[input.index] as Buffer)
    made.set(sha256d(stripped(block, transaction)).toString('hex'), transaction.outputs.map(({ value, script }) => coin(value, script)))
    return spent
  })))
}

interface WithPrevouts { readonly tx: readonly { readonly vin: readonly { readonly prevout?: { readonly value: string; readonly scriptPubKey: { readonly hex: string } } }[] }[] }

/** Satoshis of an amount in coins, by its digits; small ones are written with an exponent. */
const satoshis = (text: string): bigint => {
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '0', part = ''] = digits.split('.')
  return BigInt(`${whole}${part}`.padEnd(whole.length + 8 + Number(exponent), '0').slice(0, whole.length + 8 + Number(exponent)))
}

/** Spent outputs out of a recorded answer at verbosity 3; its amounts never become numbers. */
const spentIn = (json: Buffer): Buffer => {
  const { tx } = JSON.parse(json.toString('utf8').replace(/"value":([\d.eE+-]+)/g, '"value":"$1"')) as WithPrevouts
  return spentOf(tx.map(({ vin }) => vin.flatMap(({ prevout }) => (prevout === undefined ? [] : [coin(satoshis(prevout.value), Buffer.from(prevout.scriptPubKey.hex, 'hex'))]))))
}

/** The recorded blocks, byte for byte. */
export const recordedBitcoin = (): BitcoinChain => {
  const first = earlyBlocks()
  let firstSpent: Buffer[] | undefined, firstJson: ReturnType<typeof openEarlyJson> | undefined
  const blocks = new Map<number, Buffer>(first.map((block, index) => [index + 1, block]))
  const hashes = new Map<number, string>(first.map((block, index) => [index + 1, shown(sha256d(block.subarray(0, 80)))]))
  const block = (height: number): Buffer => {
    const bytes = blocks.get(height) ?? unpacked(`${height}/block.bin.gz`) ?? Buffer.alloc(0)
    blocks.set(height, bytes)
    return bytes
  }
  for (const height of single) hashes.set(height, shown(sha256d(block(height).subarray(0, 80))))
  const heights = new Map([...hashes].map(([height, hash]) => [hash, height]))
  const json = (height: number, verbosity: 2 | 3): Buffer | undefined => unpacked(`${height}/getblock.v${verbosity}.json.gz`)
  return {
    first: 1, last: single.at(-1) ?? early, block,
    at: (height) => recordedBitcoinHeights.findLast((candidate) => candidate <= height),
    hashOf: (height) => hashes.get(height),
    heightOf: (hash) => heights.get(hash),
    spent: (height) => {
      if (height <= early) return (firstSpent ??= spentEarly(first))[height - 1]
      const answer = json(height, 3)
      return answer === undefined ? undefined : spentIn(answer)
    },
    // What was recorded with more detail holds what is asked for with less.
    json: (height, verbosity) => (height <= early ? (firstJson ??= openEarlyJson(first))(height, verbosity) : json(height, verbosity) ?? json(height, verbosity === 2 ? 3 : 2)),
    fork: () => false,
  }
}
