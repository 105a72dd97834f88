/** Transactions of Bitcoin made by hand, as normalize leaves them: rows of btc_blocks, btc_transactions, btc_outputs, btc_inputs and the tables they are found by. */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Store } from '../../schemas/clickhouse.js'
import { randomName } from './servers.js'

/** An input: who paid how much ('' and null: unresolved). spends: the output it takes (block null: as the node told it), told from its own place when left out. script: which one, of a script without an address (all the same when left out). wraps: the address a P2SH script holds. */
export interface In { readonly address: string; readonly value: number | null; readonly type?: string; readonly spends?: { readonly txid: string; readonly vout: number; readonly block: number | null }; readonly script?: string; readonly wraps?: string }
/** script: its bytes, told from the address when left out. data: what an OP_RETURN carries. */
export interface Out { readonly address: string; readonly value: number; readonly type?: string; readonly script?: string; readonly data?: string }
export interface Tx { readonly ins: readonly In[]; readonly outs: readonly Out[]; readonly txid?: string; readonly coinbase?: boolean; readonly locktime?: number }
/** at: its time (ISO 8601), told from its number when left out. */
export interface Block { readonly number: number; readonly txs: readonly Tx[]; readonly fork?: string; readonly at?: string }

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** An address that could be: P2PKH of a made hash. */
export const addressOf = (name: string): string => {
  const body = Buffer.concat([Buffer.from([0]), sha256(Buffer.from(`${name}!`)).subarray(0, 20)])
  let number = BigInt(`0x${Buffer.concat([body, sha256(sha256(body)).subarray(0, 4)]).toString('hex')}`), text = ''
  for (; number > 0n; number /= 58n) text = (base58[Number(number % 58n)] ?? '') + text
  return `1${text}`
}
/** The id of an address, hex. */
export const idOf = (address: string): string => hashOf(address).slice(0, 40)
export const blockHash = ({ number, fork = '' }: Pick<Block, 'number' | 'fork'>): string => hashOf(`block ${number} ${fork}`)
export const txidOf = (block: Block, index: number): string => block.txs[index]?.txid ?? hashOf(`tx ${block.number} ${index} ${block.fork ?? ''}`)
const time = ({ number, at }: Block): string => (at ?? new Date(Date.UTC(2019, 0, 1) + number * 600_000).toISOString()).replace('T', ' ').replace('Z', '')

const insert = async (store: Store, table: string, columns: Readonly<Record<string, readonly [type: string, expression: string]>>, rows: readonly object[], generation: number): Promise<void> => {
  const names = Object.keys(columns)
  const sql = `INSERT INTO ${table} (chain, generation, ${names.join(', ')}) SELECT 'BTC', ${generation}, ${names.map((name) => columns[name]?.[1]).join(', ')}
    FROM input('${Object.entries(columns).map(([name, [type]]) => `${name} ${type}`).join(', ')}') FORMAT JSONEachRow`
  if (rows.length > 0) await store.insertStream(sql, Readable.from([rows.map((row) => JSON.stringify(row)).join('\n')]), {}, randomName('seed'))
}
const hash = (name: string): readonly [string, string] => ['String', `toFixedString(unhex(${name}), 32)`]
const plain = (type: string) => (name: string): readonly [string, string] => [type, name]
const columns = (kinds: Readonly<Record<string, (name: string) => readonly [string, string]>>) => Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, kind(name)]))
const u32 = plain('UInt32'), u64 = plain('UInt64'), text = plain('String'), moment = (name: string): readonly [string, string] => ['String', `toDateTime64(${name}, 3, 'UTC')`], maybe = plain('Nullable(UInt64)'), bool = plain('Bool')
const place = { block_number: u64, block_hash: hash, block_time: moment }

/** Puts blocks into the store. The first transaction of a block need not be a coinbase. */
export const insertBlocks = async (store: Store, blocks: readonly Block[], generation = 0): Promise<void> => {
  const at = (block: Block) => ({ block_number: block.number, block_hash: blockHash(block), block_time: time(block) })
  const txs = blocks.flatMap((block) => block.txs.map((tx, index) => {
    const unresolved = tx.ins.filter((one) => one.value === null).length
    const input = unresolved > 0 ? null : tx.ins.reduce((sum, one) => sum + (one.value ?? 0), 0)
    const output = tx.outs.reduce((sum, one) => sum + one.value, 0)
    return { block, tx, index, row: {
      ...at(block), tx_index: index, txid: txidOf(block, index), locktime: tx.locktime ?? 0, coinbase: tx.coinbase ?? false, input_count: tx.ins.length, output_count: tx.outs.length, unresolved_inputs: unresolved,
      input_value: tx.coinbase === true ? 0 : input, output_value: output, fee: input === null || tx.coinbase === true ? null : input - output, version: 2, size: 100, weight: 400,
    } }
  }))
  await insert(store, 'btc_transactions', columns({
    ...place, tx_index: u32, txid: hash, locktime: u32, coinbase: bool, input_count: u32, output_count: u32, unresolved_inputs: u32, input_value: maybe, output_value: u64, fee: maybe, version: plain('Int32'), size: u32, weight: u32,
  }), txs.map(({ row }) => row), generation)
  await insert(store, 'btc_txids', { prefix: ['String', 'reinterpretAsUInt64(unhex(prefix))'], block_number: u64('block_number'), tx_index: u32('tx_index') }, txs.map(({ row }) => ({ prefix: row.txid, block_number: row.block_number, tx_index: row.tx_index })), generation)
  await insert(store, 'btc_outputs', columns({ ...place, tx_index: u32, vout: u32, txid: hash, value: u64, script_type: text, address: text, script: text, data: text }), txs.flatMap(({ tx, row }) => tx.outs.map((out, vout) => (
    { block_number: row.block_number, block_hash: row.block_hash, block_time: row.block_time, tx_index: row.tx_index, txid: row.txid, vout, value: out.value, script_type: out.type ?? 'witness_v0_keyhash', address: out.address, script: out.script ?? hashOf(out.address), data: out.data ?? '' }))), generation)
  const inputs = txs.flatMap(({ tx, row }) => tx.ins.map((one, vin) => ({
    block_number: row.block_number, block_hash: row.block_hash, block_time: row.block_time, tx_index: row.tx_index, txid: row.txid, vin, value: one.value, address: one.address, script_id: one.address === '' && (one.value ?? 0) > 0 ? hashOf(one.script ?? hashOf('')) : '', sequence: 0xfffffffd,
    script_type: one.type ?? (one.value === null ? '' : 'witness_v0_keyhash'), prevout: tx.coinbase === true ? 'coinbase' : one.value === null ? 'unresolved' : one.spends?.block === null ? 'node' : 'own',
    prev_txid: one.spends?.txid ?? hashOf(`spent ${row.txid} ${vin}`), prev_vout: one.spends?.vout ?? 0, prev_block: one.spends?.block ?? null,
  })))
  await insert(store, 'btc_inputs', columns({
    ...place, tx_index: u32, vin: u32, txid: hash, prev_txid: hash, prev_vout: u32, prev_block: maybe, prevout: text, value: maybe, script_type: text, address: text, script_id: text, sequence: u32,
  }), inputs, generation)
  await insert(store, 'btc_spends', { prefix: ['String', 'reinterpretAsUInt64(unhex(prefix))'], prev_vout: u32('prev_vout'), block_number: u64('block_number'), tx_index: u32('tx_index') },
    inputs.filter(({ prevout }) => prevout !== 'coinbase').map(({ prev_txid, prev_vout, block_number, tx_index }) => ({ prefix: prev_txid, prev_vout, block_number, tx_index })), generation)
  await insert(store, 'btc_blocks', columns({ ...place, tx_count: u32, input_count: u32, output_count: u32 }), blocks.map((block) => (
    { ...at(block), tx_count: block.txs.length, input_count: block.txs.reduce((sum, tx) => sum + tx.ins.length, 0), output_count: block.txs.reduce((sum, tx) => sum + tx.outs.length, 0) })), generation)
}
