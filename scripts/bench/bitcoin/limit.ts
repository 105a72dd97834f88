/**
 * The bare limit of Bitcoin, as a process: the same bytes from the same node, decoded here and streamed into ClickHouse as outputs. No
 * queue, no other table, nothing checked. Arguments: node URL, ClickHouse URL, database, first block, blocks. Prints seconds and rows as JSON.
 */
import { Readable } from 'node:stream'
import { z } from 'zod'
import { networkOf } from '../../../schemas/bitcoinNetworks.js'
import { openStore } from '../../../schemas/clickhouse.js'
import { openEndpoint } from '../../../stages/ingest/bitcoin/endpoint.js'
import { fetchBlock, type Abilities } from '../../../stages/ingest/bitcoin/fetchBlock.js'
import { hashAt } from '../../../stages/ingest/bitcoin/heads.js'
import { decodeBlock, writingOf } from '../../../stages/normalize/bitcoin/decodeBlock.js'

const [node = '', clickhouse = '', database = '', first = '0', count = '0'] = process.argv.slice(2)
const store = openStore(clickhouse, database)
await store.execute('DROP TABLE IF EXISTS limit_outputs')
await store.execute('CREATE TABLE limit_outputs (block_number UInt64, tx_index UInt32, vout UInt32, txid FixedString(32), value UInt64, address String, script String) ENGINE = MergeTree ORDER BY (block_number, tx_index, vout)')
const insert = `INSERT INTO limit_outputs SELECT block_number, s.tx_index, s.place, s.txid, s.value, s.address, s.script
  FROM input('block_number UInt64, block_hash FixedString(32), parent_hash FixedString(32), version Int32, merkle_root FixedString(32), time UInt32, bits UInt32, nonce UInt32, size UInt32, weight UInt32, coinbase_text String,
    transactions Array(Tuple(txid FixedString(32), version Int32, locktime UInt32, size UInt32, weight UInt32, input_count UInt32, output_count UInt32, output_value UInt64)), brought Array(Nullable(UInt64)),
    sides Array(Tuple(tx_index UInt32, place UInt32, side UInt8, txid FixedString(32), value UInt64, script String, kind UInt8, address String, prev_txid FixedString(32), prev_vout UInt32, sequence UInt32))')
  ARRAY JOIN sides AS s WHERE s.side = 1 FORMAT RowBinary`

const endpoint = openEndpoint(node, 0, { concurrency: 8, perSecond: 100_000, timeoutMs: 60_000 })
const abilities: Abilities = {}, writing = writingOf(networkOf('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'))
const total = Number(count), start = Number(first), perInsert = 16, lanes = 2

const fetched = async (number: number): Promise<Buffer> => {
  const hash = await hashAt(endpoint, number) ?? ''
  const { block, spent } = await fetchBlock(endpoint, abilities, 'rest', hash)
  const row = decodeBlock({ number, hash, block: block.bytes, spent: spent.bytes, txids: Buffer.alloc(0) }, writing)
  block.release()
  spent.release()
  return row
}

async function* rows(from: number, to: number): AsyncGenerator<Buffer> {
  const running: Promise<Buffer>[] = []
  for (let number = from; number <= to || running.length > 0;) {
    while (number <= to && running.length < 4) { running.push(fetched(number)); number += 1 }
    const row = await running.shift()
    if (row !== undefined) yield row
  }
}

const started = performance.now()
let next = start
await Promise.all(Array.from({ length: lanes }, async () => {
  while (next < start + total) {
    const from = next, to = Math.min(start + total, from + perInsert) - 1
    next = to + 1
    await store.insertStream(insert, Readable.from(rows(from, to), { objectMode: false, highWaterMark: 1 << 20 }), {}, `limit-${from}`)
  }
}))
const seconds = (performance.now() - started) / 1_000
const [row] = await store.query('SELECT count() AS rows FROM limit_outputs', {}, z.object({ rows: z.coerce.number() }))
process.stdout.write(`${JSON.stringify({ seconds, rows: row?.rows ?? 0 })}\n`)
await endpoint.close()
await store.close()
