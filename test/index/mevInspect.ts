/**
 * Blocks of which only traces were recorded, as rows of the tables that index reads: swaps, liquidity and liquidations are taken from the calls
 * that contracts answered, which say the same as the events these calls emit. A frame's number stands for its log index.
 */
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import type { Store } from '../../schemas/clickhouse.js'
import { randomName } from '../support/servers.js'

interface Frame {
  action: { from: string; to?: string; callType?: string; input?: string; value?: string }
  result: { output?: string } | null; trace_address: number[]; transaction_hash: string | null; transaction_position: number; type: string; error: string | null; block_hash: string
}
interface Inspected { block_number: number; block_timestamp: number; miner: string; traces: Frame[]; receipts: { transaction_index: number; gas_used: number; effective_gas_price: number }[] }
interface Move { at: number; token: string; from: string; to: string; amount: bigint; kind: 'native' | 'internal' | 'erc20'; path: string }

const coin = `0x${'00'.repeat(20)}`, eth = `0x${'ee'.repeat(20)}`, aaveV1 = '0x398ec7346dcd622edc5ae82352f02be94c62d119'
const word = (input: string, index: number): string => input.slice(10 + 64 * index, 74 + 64 * index).padEnd(64, '0')
const address = (input: string, index: number): string => `0x${word(input, index).slice(24)}`
const amount = (input: string, index: number): bigint => BigInt(`0x${word(input, index)}`)
const bare = (text: string): string => text.replace(/^0x/, '')

/** Frames that took effect, in the order of execution, with the moves of value each made. */
const readFrames = (traces: readonly Frame[]) => {
  const failed = traces.filter((frame) => frame.error !== null).map((frame) => [frame.transaction_position, ...frame.trace_address])
  const inside = (frame: Frame): boolean => failed.some((path) => path.every((step, index) => step === [frame.transaction_position, ...frame.trace_address][index]))
  return traces.map((frame, at) => ({ frame, at })).filter(({ frame }) => frame.transaction_hash !== null && frame.type === 'call' && frame.action.callType === 'call' && !inside(frame))
    .map(({ frame, at }) => ({ at, tx: frame.transaction_position, hash: frame.transaction_hash ?? '', path: frame.trace_address.join('.'), from: frame.action.from, to: frame.action.to ?? '', input: frame.action.input ?? '0x', value: BigInt(frame.action.value ?? '0x0'), output: `0x00000000${bare(frame.result?.output ?? '')}` }))
}
type Call = ReturnType<typeof readFrames>[number]

const movesOf = (calls: readonly Call[]): Move[] => calls.flatMap(({ at, to, from, input, value, path }): Move[] => [
  ...(value > 0n ? [{ at, token: coin, from, to, amount: value, kind: path === '' ? 'native' as const : 'internal' as const, path }] : []),
  ...(input.startsWith('0xa9059cbb') ? [{ at, token: to, from, to: address(input, 0), amount: amount(input, 1), kind: 'erc20' as const, path }] : []),
  // A lending pool hands over its share token.
  ...(input.startsWith('0xf866c319') ? [{ at, token: to, from: address(input, 0), to: address(input, 1), amount: amount(input, 2), kind: 'erc20' as const, path }] : []),
  ...(input.startsWith('0x23b872dd') ? [{ at, token: to, from: address(input, 0), to: address(input, 1), amount: amount(input, 2), kind: 'erc20' as const, path }] : []),
])

/** A pool's swap: what it paid out is the move below the call, what it took in the last move to it before, or one below the call. */
const swapOf = (call: Call, moves: readonly Move[]) => {
  const v2 = call.input.startsWith('0x022c0d9f'), v3 = call.input.startsWith('0x128acb08')
  if (!v2 && !v3) return []
  const recipient = address(call.input, v2 ? 2 : 0)
  const below = moves.filter((move) => move.at > call.at && (call.path === '' || move.path.startsWith(`${call.path}.`)))
  const paid = below.find((move) => move.from === call.to && move.to === recipient)
  const taken = moves.filter((move) => move.at < call.at && move.to === call.to).at(-1)
  const given = v3 ? below.find((move) => move.to === call.to) : taken ?? below.find((move) => move.to === call.to)
  return paid === undefined || given === undefined ? [] : [{ ...call, pool: call.to, protocol: v2 ? 'uniswap_v2' : 'uniswap_v3', recipient, sold: given.token, amountSold: given.amount, bought: paid.token, amountBought: paid.amount }]
}

const hex = (value: bigint): string => value.toString(16).padStart(64, '0')
const padded = (text: string): string => bare(text).padStart(64, '0')
/** The events of liquidity and liquidations a call emits: topics and data without 0x. */
const eventsOf = (call: Call, calls: readonly Call[], moves: readonly Move[]): { topics: string[]; data: string }[] => {
  const { input, output, from } = call
  const below = (other: { at: number; path: string }): boolean => other.at > call.at && (call.path === '' || other.path.startsWith(`${call.path}.`))
  switch (input.slice(0, 10)) {
    case '0x3c8a7d8d': return [{ topics: ['7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde', word(input, 0), word(input, 1), word(input, 2)], data: padded(from) + word(input, 3) + word(output, 0) + word(output, 1) }]
    case '0xa34123a7': return [{ topics: ['0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c', padded(from), word(input, 0), word(input, 1)], data: word(input, 2) + word(output, 0) + word(output, 1) }]
    case '0x4f1eb3d8': return [{ topics: ['70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0', padded(from), word(input, 1), word(input, 2)], data: word(input, 0) + word(output, 0) + word(output, 1) }]
    case '0x00a718a9': {
      const [collateral, debt] = [address(input, 0), address(input, 1)], shares = amount(input, 4) === 1n
      const named = (asset: string): string => (asset === eth ? coin : asset)
      const repaid = moves.find((move) => below(move) && move.token === named(debt) && move.from === from)
      const seized = moves.find((move) => below(move) && (shares ? move.from === address(input, 2) : move.token === named(collateral)) && move.to === from)
      if (repaid === undefined || seized === undefined) return []
      const topics = [padded(collateral), padded(debt), word(input, 2)], sums = hex(repaid.amount) + hex(seized.amount)
      return call.to === aaveV1
        ? [{ topics: ['56864757fd5b1fc9f38f5f3a981cd8ae512ce41b902cf73fc506ee369c6bc237', ...topics], data: sums + hex(0n) + padded(from) + word(input, 4) + hex(0n) }]
        : [{ topics: ['e413a321e8681d831f4dbccbca790d2952b56f977908e45be37335533e005286', ...topics], data: sums + padded(from) + word(input, 4) }]
    }
    case '0xf5e3c462': case '0xaae40a2a': {
      const seize = calls.find((other) => below(other) && other.input.startsWith('0xb2a02ff1'))
      const repaid = input.startsWith('0xaae40a2a') ? call.value : amount(input, 1)
      return seize === undefined ? [] : [{ topics: ['298637f684da70674f26509b10f07ec2fbc77a335ab1e7d6215a4b2484d8bb52'], data: padded(from) + padded(address(input, 0)) + hex(repaid) + padded(seize.to) + hex(amount(seize.input, 2)) }]
    }
    default: return []
  }
}

const put = async (store: Store, table: string, columns: string, expressions: string, structure: string, rows: readonly object[]): Promise<void> => {
  const text = rows.map((row) => JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))).join('\n')
  if (rows.length > 0) await store.insertStream(`INSERT INTO ${table} (chain, generation, ${columns}) SELECT 'ETH', 1, ${expressions} FROM input('${structure}') FORMAT JSONEachRow`, Readable.from([text]), {}, randomName('inspected'))
}
const bytes = (name: string, size: number): string => `toFixedString(unhex(substring(${name}, 3)), ${size})`

/** Puts one block of test/fixtures/mev-inspect into blocks, transactions, movements, swap_legs and logs. */
export const putInspected = async (store: Store, height: number): Promise<void> => {
  const block = JSON.parse(gunzipSync(readFileSync(new URL(`../fixtures/mev-inspect/${height}.json.gz`, import.meta.url))).toString()) as Inspected
  const calls = readFrames(block.traces)
  const byTx = new Map<number, Call[]>()
  for (const call of calls) byTx.set(call.tx, [...(byTx.get(call.tx) ?? []), call])
  const common = { n: height, hash: block.traces[0]?.block_hash ?? '', time: block.block_timestamp ?? 1_640_000_000 }
  const shared = 'n UInt64, hash String, time UInt32', at = 'block_number, block_hash, block_time', where = `n, ${bytes('hash', 32)}, toDateTime64(time, 3, 'UTC')`
  await put(store, 'blocks', `${at}, miner, internal_complete`, `${where}, ${bytes('miner', 20)}, true`, `${shared}, miner String`, [{ ...common, miner: block.miner }])
  const gas = new Map(block.receipts.map((receipt) => [receipt.transaction_index, receipt]))
  await put(store, 'transactions', `${at}, tx_index, tx_hash, from_address, to_address, status, gas_used, gas_price`, `${where}, i, ${bytes('tx', 32)}, ${bytes('source', 20)}, ${bytes('target', 20)}, 1, gas, toUInt256(price)`,
    `${shared}, i UInt32, tx String, source String, target String, gas UInt64, price String`,
    block.traces.filter((frame) => frame.transaction_hash !== null && frame.trace_address.length === 0).map((frame) => ({
      ...common, i: frame.transaction_position, tx: frame.transaction_hash, source: frame.action.from, target: frame.action.to ?? coin, gas: gas.get(frame.transaction_position)?.gas_used ?? 0, price: String(gas.get(frame.transaction_position)?.effective_gas_price ?? 0) })))
  const rows = [...byTx.values()].map((list) => ({ list, moves: movesOf(list) }))
  await put(store, 'movements', `${at}, kind, position, tx_index, tx_hash, token, from_address, to_address, amount`, `${where}, kind, position, i, ${bytes('tx', 32)}, ${bytes('token', 20)}, ${bytes('source', 20)}, ${bytes('target', 20)}, toUInt256(amount)`,
    `${shared}, kind String, position UInt32, i UInt32, tx String, token String, source String, target String, amount String`,
    rows.flatMap(({ list, moves }) => moves.map((move) => ({ ...common, kind: move.kind, position: move.at, i: list[0]?.tx, tx: list[0]?.hash, token: move.token, source: move.from, target: move.to, amount: move.amount }))))
  await put(store, 'swap_legs', `${at}, log_index, tx_index, tx_hash, protocol, trusted, pool, sender, recipient, token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought`,
    `${where}, position, i, ${bytes('tx', 32)}, protocol, true, toFixedString(concat(toFixedString('', 12), unhex(substring(pool, 3))), 32), ${bytes('source', 20)}, ${bytes('target', 20)}, ${bytes('sold', 20)}, true, toUInt256(a), ${bytes('bought', 20)}, true, toUInt256(b)`,
    `${shared}, position UInt32, i UInt32, tx String, protocol String, pool String, source String, target String, sold String, a String, bought String, b String`,
    rows.flatMap(({ list, moves }) => list.flatMap((call) => swapOf(call, moves)).map((swap) => ({
      ...common, position: swap.at, i: swap.tx, tx: swap.hash, protocol: swap.protocol, pool: swap.pool, source: swap.from, target: swap.recipient, sold: swap.sold, a: swap.amountSold, bought: swap.bought, b: swap.amountBought }))))
  const topic = (index: number): string => `toFixedString(unhex(topics[${index}]), 32)`
  await put(store, 'logs', `${at}, log_index, tx_index, tx_hash, address, topic_count, topic0, topic1, topic2, topic3, data`, `${where}, position, i, ${bytes('tx', 32)}, ${bytes('emitter', 20)}, length(topics), ${topic(1)}, ${topic(2)}, ${topic(3)}, ${topic(4)}, unhex(data)`,
    `${shared}, position UInt32, i UInt32, tx String, emitter String, topics Array(String), data String`,
    rows.flatMap(({ list, moves }) => list.flatMap((call) => eventsOf(call, list, moves).map((event) => ({ ...common, position: call.at, i: call.tx, tx: call.hash, emitter: call.to, ...event })))))
}
