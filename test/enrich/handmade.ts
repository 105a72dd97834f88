/** Hand-made chain rows for the stages after normalize: blocks twelve seconds apart, addresses by short hex names. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import type { Store } from '../../schemas/clickhouse.js'
import { countsOf, givenBy, type Statements } from '../../stages/stage.js'
import { randomName } from '../support/servers.js'

export const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
export const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7'
export const coin = `0x${'00'.repeat(20)}`
/** A 20-byte address that ends in the given hex digits. */
export const at = (tail: string): string => `0x${tail.padStart(40, '0')}`
/** whole × 10^decimals as digits. */
export const units = (whole: number, decimals: number): string => (BigInt(Math.round(whole * 1e6)) * 10n ** BigInt(decimals) / 1_000_000n).toString()

const send = async (store: Store, into: string, columns: string, structure: string, rows: readonly object[]): Promise<void> => {
  if (rows.length === 0) return
  await store.insertStream(`INSERT INTO ${into} SELECT ${columns} FROM input('${structure}') FORMAT JSONEachRow`,
    Readable.from([rows.map((row) => JSON.stringify(row)).join('\n')]), {}, randomName('hand'))
}

const address = (name: string): string => `toFixedString(unhex(substring(${name}, 3)), 20)`
const hashOf = 'SHA256(concat(\'block\', fork, toString(n)))'
const time = 'toDateTime64(1700000000 + n * 12, 3, \'UTC\')'
const txHash = 'SHA256(concat(\'tx\', fork, toString(n), \'/\', toString(tx)))'

/** Which blocks exist: rows of `blocks`, and one transaction (index 0) in each from `at('ee')`. fork tells two blocks of a height apart. */
export const putBlocks = async (store: Store, from: number, to: number, generation = 0, fork = ''): Promise<void> => {
  const rows = Array.from({ length: to - from + 1 }, (_, i) => ({ n: from + i, generation, fork, tx: 0 }))
  await send(store, 'blocks (chain, block_number, block_hash, parent_hash, block_time, miner, tx_count, generation)',
    `'ETH', n, ${hashOf}, SHA256(concat('block', toString(n - 1))), ${time}, ${address(`'${at('aa')}'`)}, 1, generation`, 'n UInt64, generation UInt32, fork String', rows)
  await send(store, 'transactions (chain, block_number, tx_index, block_hash, block_time, tx_hash, from_address, generation)',
    `'ETH', n, 0, ${hashOf}, ${time}, ${txHash}, ${address(`'${at('ee')}'`)}, generation`, 'n UInt64, generation UInt32, fork String, tx UInt32', rows)
}

export interface Move { n: number; kind?: string; position: number; token: string; from: string; to: string; amount: string; generation?: number; fork?: string }
export const putMoves = (store: Store, moves: readonly Move[]): Promise<void> => send(store,
  'movements (chain, block_number, kind, position, sub, block_hash, block_time, tx_index, tx_hash, token, from_address, to_address, amount, token_id, generation)',
  `'ETH', n, kind, position, 0, ${hashOf}, ${time}, 0, ${txHash}, ${address('token')}, ${address('source')}, ${address('target')}, toUInt256(amount), 0, generation`,
  'n UInt64, kind String, position UInt32, token String, source String, target String, amount String, generation UInt32, fork String, tx UInt32',
  moves.map(({ from, to, ...rest }) => ({ kind: 'erc20', generation: 0, fork: '', tx: 0, ...rest, source: from, target: to })))

export interface Swap {
  n: number; log: number; sold: string; amountSold: string; bought: string; amountBought: string
  depthSold?: string; depthBought?: string; trusted?: boolean; aggregator?: boolean; known?: boolean; generation?: number; fork?: string
}
export const putSwaps = (store: Store, swaps: readonly Swap[]): Promise<void> => send(store,
  `swap_legs (chain, block_number, log_index, block_hash, block_time, tx_index, tx_hash, protocol, aggregator, pool, factory, trusted, sender, recipient,
    token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought, depth_sold, depth_bought, generation)`,
  `'ETH', n, log, ${hashOf}, ${time}, 0, ${txHash}, 'uniswap_v2', aggregator, toFixedString('pool', 32), ${address(`'${at('fa')}'`)}, trusted, ${address(`'${at('51')}'`)}, ${address(`'${at('52')}'`)},
    ${address('sold')}, known, toUInt256(amountSold), ${address('bought')}, known, toUInt256(amountBought), toUInt256(depthSold), toUInt256(depthBought), generation`,
  `n UInt64, log UInt32, sold String, amountSold String, bought String, amountBought String, depthSold String, depthBought String, trusted Bool, aggregator Bool, known Bool,
    generation UInt32, fork String, tx UInt32`,
  swaps.map((swap) => ({ depthSold: '0', depthBought: '0', trusted: true, aggregator: false, known: true, generation: 0, fork: '', tx: 0, ...swap })))

export interface Log { n: number; log: number; address: string; topics: readonly string[]; data?: string; generation?: number; fork?: string }
export const putLogs = (store: Store, logs: readonly Log[]): Promise<void> => {
  const topic = (index: number): string => `toFixedString(unhex(substring(topics[${index}], 3)), 32)`
  return send(store, 'logs (chain, block_number, log_index, block_hash, block_time, tx_index, tx_hash, address, topic_count, topic0, topic1, topic2, topic3, data, generation)',
    `'ETH', n, log, ${hashOf}, ${time}, 0, ${txHash}, ${address('address')}, length(topics), ${topic(1)}, ${topic(2)}, ${topic(3)}, ${topic(4)}, unhex(substring(data, 3)), generation`,
    'n UInt64, log UInt32, address String, topics Array(String), data String, generation UInt32, fork String, tx UInt32',
    logs.map((log) => ({ data: '0x', generation: 0, fork: '', tx: 0, ...log })))
}

export interface Token { address: string; symbol: string; decimals: number | null; stable?: boolean; source?: string }
export const putTokens = async (store: Store, tokens: readonly Token[]): Promise<void> => {
  await send(store, 'tokens', `'ETH', ${address('address')}, symbol, symbol, decimals, stable, source, 1`,
    'address String, symbol String, decimals Nullable(UInt8), stable Bool, source String', tokens.map((token) => ({ stable: false, source: 'test', ...token })))
  await store.execute('SYSTEM RELOAD DICTIONARY token_of')
}
/** The coin, WETH, USDC and USDT. */
export const majors: readonly Token[] = [
  { address: coin, symbol: 'ETH', decimals: 18 }, { address: weth, symbol: 'WETH', decimals: 18 },
  { address: usdc, symbol: 'USDC', decimals: 6, stable: true }, { address: usdt, symbol: 'USDT', decimals: 6, stable: true },
]

/** A 32-byte word of an integer, hex with 0x. */
export const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`

/** Runs statements over each of the consecutive ranges, those too that the runner would leave out: they must write nothing. */
export const run = async (store: Store, statements: Statements, ranges: readonly (readonly [number, number])[], generation = 0, floor = 0): Promise<void> => {
  for (const [from, to] of ranges) {
    for (const group of statements) {
      const params = { chain: 'ETH', from, to, hash: '', generation, floor, segmentBlocks: 8 }
      await Promise.all(group.map(async (sql) => {
        const given = sql.given === undefined ? {} : await givenBy(sql.given, params, store)
        const count = sql.only === undefined ? 1 : (await countsOf(sql.only.asks, params, store))[sql.only.column]
        const rows = await store.execute(sql, { ...params, ...given }, { token: `${from}-${to}-${generation}-${sql.name}` })
        assert.ok(count !== 0 || rows === 0, `${sql.name} wrote ${rows} rows from ${from} to ${to}, and would have been left out`)
      }))
    }
  }
}
