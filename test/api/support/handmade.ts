/** Ledgers made by hand: accounts are one hex digit, tokens another; blocks 0…99 are indexed, with every call inside. */
import type { Store } from '../../../schemas/clickhouse.js'

export interface Move {
  readonly from: string; readonly to: string; readonly block: number; readonly amount: bigint | number
  /** Default 'f'; '0' is the coin. */
  readonly token?: string
  readonly usd?: number | null
  /** Default 'erc20'. */
  readonly kind?: 'native' | 'internal' | 'erc20' | 'wrap' | 'unwrap'
  /** Place within its block (default: place in the list). */
  readonly position?: number
  /** Place of its transaction within the block (default: position). */
  readonly txIndex?: number
  /** Transaction, by number (default: the block's). */
  readonly tx?: number
}

export const account = (digit: string): string => `0x${digit.repeat(40)}`
export const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`

/** Blocks first…last of the chain, as the ledger has them. */
export const seedBlocks = (store: Store, first: number, last: number, traced = true): Promise<number> => store.execute(
  `INSERT INTO blocks SELECT 'ETH', number, unhex(leftPad(hex(number), 64, '0')), unhex(leftPad(hex(number), 64, '0')), toDateTime64(1700000000 + 12 * number, 3), unhex(repeat('aa', 20)), 0, 0, NULL, 0, 0, '', 0, 0, 0, NULL, NULL, {traced:Bool}, 0
  FROM numbers({first:UInt64}, {count:UInt64})`, { first, count: last - first + 1, traced })

/** Both sides of every move. */
export const seedMoves = async (store: Store, moves: readonly Move[]): Promise<void> => {
  const rows = moves.map(({ from, to, block, amount, token = 'f', usd = null, kind = 'erc20', position, txIndex, tx = block }, index) => [from.repeat(40), to.repeat(40), String(block), String(amount), token.repeat(40), usd === null ? '' : String(usd), kind, String(position ?? index), hashOf(tx).slice(2), String(txIndex ?? position ?? index)])
  await store.execute(
    `INSERT INTO address_transfers SELECT 'ETH', unhex(m[side.1]), toUInt64(m[3]), m[7], toUInt32(m[8]), 0, side.2, toDateTime64(1700000000 + 12 * toUInt64(m[3]), 3), unhex(m[9]), unhex(m[5]), unhex(m[side.3]), toUInt256(m[4]), 0, toFloat64OrNull(m[6]), 0, toUInt32(m[10])
    FROM (SELECT arrayJoin({rows:Array(Array(String))}) AS m) ARRAY JOIN [(1, 'out', 2), (2, 'in', 1)] AS side`, { rows })
}

/** What accounts paid for gas: [account, block, place of the transaction within it, fee]. */
export const seedFees = (store: Store, fees: readonly (readonly [from: string, block: number, txIndex: number, fee: number])[]): Promise<number> => store.execute(
  `INSERT INTO address_fees SELECT 'ETH', toFixedString(unhex(repeat(f[1], 40)), 20), toUInt64(f[2]), toUInt32(f[3]), toUInt256(f[4]), 0 FROM (SELECT arrayJoin({fees:Array(Array(String))}) AS f)`, { fees: fees.map((one) => one.map(String)) })

/** What a source says of an account. */
export const seedLabel = async (store: Store, digit: string, text: string, category: string, confidence = 90): Promise<void> => {
  await store.insert('labels', [{ chain: 'ETH', address: account(digit), label: text, entity: text, category, source: 'test', rule: '', confidence, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
  await store.execute('SYSTEM RELOAD DICTIONARY label_of')
}

/** Tokens that a list names. */
export const listTokens = async (store: Store, ...digits: readonly string[]): Promise<void> => {
  await store.execute("INSERT INTO tokens SELECT 'ETH', toFixedString(unhex(repeat(arrayJoin({digits:Array(String)}) AS digit, 40)), 20), digit, digit, 18, false, 'test', 1", { digits })
  await store.execute('SYSTEM RELOAD DICTIONARY token_of')
}

/** A swap in the transaction of a block. */
export const seedSwap = (store: Store, trader: string, pool: string, block: number, sold: string, bought: string): Promise<number> => store.execute(
  `INSERT INTO swaps SELECT 'ETH', {block:UInt64}, 0, unhex({hash:String}), toDateTime64(1700000000 + 12 * {block:UInt64}, 3), 0, unhex({hash:String}), 'uniswap_v2', false, unhex(leftPad({pool:String}, 64, '0')), true,
  unhex({trader:String}), unhex({trader:String}), unhex({trader:String}), unhex({sold:String}), true, 'S', 18, 1, unhex({bought:String}), true, 'B', 18, 1, NULL, '', '', 0`,
  { block, hash: hashOf(block).slice(2), pool: pool.repeat(40), trader: trader.repeat(40), sold: sold.repeat(40), bought: bought.repeat(40) })
