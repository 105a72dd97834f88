/** Recorded blocks of Bitcoin as ingest leaves them, and normalized: rows of btc_* tables, blocks to work on. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { networkParameters } from '../../stages/normalize/bitcoin/parameters.js'
import { networkOf } from '../../schemas/bitcoinNetworks.js'
import { normalizeBitcoin, resolvingBitcoin } from '../../stages/normalize/bitcoin/statements.js'
import { runStatements, type Context } from '../../stages/stage.js'
import { randomName } from './servers.js'

const folder = new URL('../fixtures/bitcoin/', import.meta.url)
const unpacked = (path: string): Buffer => gunzipSync(readFileSync(new URL(path, folder)))
/** Heights of the blocks that were recorded one by one; 1 to 255 are recorded too. */
export const recordedHeights = [277_647, 426_884, 482_683, 514_485, 540_107, 574_200] as const
export const mainnet = networkOf('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f')

let early: Buffer[] | undefined
const earlyBlocks = (): Buffer[] => {
  if (early !== undefined) return early
  const bytes = unpacked('1-255/blocks.blk.gz')
  early = []
  for (let at = 0; at < bytes.length;) { const length = bytes.readUInt32LE(at + 4); early.push(bytes.subarray(at + 8, at + 8 + length)); at += 8 + length }
  return early
}

/** Bytes of the block at `height`. */
export const recordedBlock = (height: number): Buffer => (height <= 255 ? earlyBlocks()[height - 1] ?? Buffer.alloc(0) : unpacked(`${height}/block.bin.gz`))
/** The same block as getblock writes it in JSON; undefined for 1 to 255. */
export const recordedJson = (height: number): string | undefined => {
  const path = ['v3', 'v2'].map((verbosity) => `${height}/getblock.${verbosity}.json.gz`).find((one) => existsSync(new URL(one, folder)))
  return path === undefined ? undefined : unpacked(path).toString('utf8')
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
const shown = (hash: Buffer): string => Buffer.from(hash).reverse().toString('hex')
export const blockHashOf = (block: Buffer): string => shown(sha256(sha256(block.subarray(0, 80))))

/** One answer about a block; `spent`: the outputs it spends, '' where the node does not say. */
export interface BitcoinAnswer { readonly number: number; readonly hash: string; readonly parent: string; readonly payload: Buffer; readonly spent: Buffer; readonly kind: 'btc_raw' | 'btc_json' }

export const rawAnswer = (number: number, block = recordedBlock(number), spent: Buffer = Buffer.alloc(0)): BitcoinAnswer =>
  ({ number, hash: blockHashOf(block), parent: shown(block.subarray(4, 36)), payload: block, spent, kind: 'btc_raw' })

/** `result` is the text of the bare result. */
export const jsonAnswer = (number: number, result: string): BitcoinAnswer => {
  const { hash, previousblockhash = '0'.repeat(64) } = JSON.parse(result) as { hash: string; previousblockhash?: string }
  return { number, hash, parent: previousblockhash, payload: Buffer.from(`{"result":${result},"error":null,"id":1}\n`), spent: Buffer.alloc(0), kind: 'btc_json' }
}

const insert = `INSERT INTO raw_payloads (chain, number, kind, block_hash, parent_hash, problem, generation, endpoint, fetched_at, payload, receipts, traces, traces_kind)
  SELECT 'BTC', number, 'block', toFixedString(unhex(hash), 32), toFixedString(unhex(parent), 32), '', {generation:UInt32}, 'recorded', now64(3), payload, spent, '', traces_kind
  FROM input('number UInt64, hash String, parent String, payload String, spent String, traces_kind String') FORMAT RowBinary`
const text = (bytes: Buffer): Buffer => {
  const length: number[] = []
  let rest = bytes.length
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) length.push((rest % 0x80) | 0x80)
  return Buffer.concat([Buffer.from([...length, rest]), bytes])
}
const uint64 = (value: number): Buffer => { const bytes = Buffer.alloc(8); bytes.writeBigUInt64LE(BigInt(value)); return bytes }

export const insertBitcoin = async (store: Store, answers: readonly BitcoinAnswer[], generation = 1): Promise<void> => {
  const rows = answers.map((one) => Buffer.concat([uint64(one.number), text(Buffer.from(one.hash)), text(Buffer.from(one.parent)), text(one.payload), text(one.spent), text(Buffer.from(one.kind))]))
  await store.insertStream(insert, Readable.from(rows, { objectMode: false }), { generation }, randomName('raw'))
}

/** What statements of Bitcoin run in: a context without config. */
export const bitcoinContext = (store: Store, again = false, network = mainnet): Context => ({
  store, again, checkpoint: async () => undefined, log: { debug: () => undefined, info: () => undefined, warn: () => undefined },
  chain: { chain: findChain('BTC'), parameters: networkParameters(network) },
} as unknown as Context)

export const bitcoinBatch = (from: number, to: number, generation = 1, floor = 0): BatchRef => ({ chain: 'BTC', from, to, hash: `${from}-${to}`, generation, floor })

/** Puts answers into the store and runs normalize and what enrich begins with, one batch for blocks in a row, lowest first. */
export const normalizeAnswers = async (store: Store, answers: readonly BitcoinAnswer[], generation = 1): Promise<void> => {
  await insertBitcoin(store, answers, generation)
  const numbers = [...new Set(answers.map((one) => one.number))].sort((a, b) => a - b)
  const firsts = numbers.filter((number, index) => numbers[index - 1] !== number - 1), lasts = numbers.filter((number, index) => numbers[index + 1] !== number + 1)
  for (const [index, from] of firsts.entries()) {
    for (const statements of [normalizeBitcoin, Object.values(resolvingBitcoin)]) await runStatements(statements, bitcoinBatch(from, lasts[index] ?? from, generation), bitcoinContext(store))
  }
}

/** Recorded blocks from their bytes to rows: blocks, btc_blocks, btc_transactions, btc_outputs, btc_inputs, btc_parties. Unresolved inputs stay so. */
export const seedBitcoin = (store: Store, heights: readonly number[], generation = 1): Promise<void> => normalizeAnswers(store, heights.map((height) => rawAnswer(height)), generation)
