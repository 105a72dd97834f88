/**
 * The bare limit, as a process: the same bytes from the same node, streamed into ClickHouse with one decode into logs. No queue, no
 * other table, nothing checked. Arguments: node URL, ClickHouse URL, database, first block, blocks. Prints seconds and rows as JSON.
 */
import { z } from 'zod'
import { openStore } from '../../schemas/clickhouse.js'
import { outgoing, type Piece } from '../../schemas/outgoing.js'
import { openEndpoint } from '../../stages/ingest/ethereum/endpoint.js'
import { fetchBlock, type Abilities, type Answers } from '../../stages/ingest/ethereum/fetchBlock.js'

const [node = '', clickhouse = '', database = '', first = '0', count = '0'] = process.argv.slice(2)
const store = openStore(clickhouse, database)
await store.execute('DROP TABLE IF EXISTS limit_logs')
await store.execute('CREATE TABLE limit_logs AS logs')
const insert = `INSERT INTO limit_logs
  SELECT 'ETH', number, toUInt32(reinterpretAsUInt64(reverse(unhex(substring(log.logIndex, 3))))), toFixedString(unhex(substring(receipt.blockHash, 3)), 32), toDateTime64(0, 3, 'UTC'),
    toUInt32(reinterpretAsUInt64(reverse(unhex(substring(receipt.transactionIndex, 3))))), toFixedString(unhex(substring(receipt.transactionHash, 3)), 32),
    toFixedString(unhex(substring(log.address, 3)), 20), toUInt8(length(log.topics)),
    toFixedString(unhex(substring(log.topics[1], 3)), 32), toFixedString(unhex(substring(log.topics[2], 3)), 32), toFixedString(unhex(substring(log.topics[3], 3)), 32), toFixedString(unhex(substring(log.topics[4], 3)), 32),
    unhex(substring(log.data, 3)), 0
  FROM (SELECT number, JSONExtract(receipts, 'result', 'Array(Tuple(blockHash String, transactionIndex String, transactionHash String, logs Array(Tuple(logIndex String, address String, topics Array(String), data String))))') AS r
    FROM input('number UInt64, block String, receipts String'))
  ARRAY JOIN r AS receipt ARRAY JOIN receipt.logs AS log FORMAT RowBinary`

const varint = (value: number): Buffer => {
  const bytes: number[] = []
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  bytes.push(Math.floor(value / 0x80 ** bytes.length))
  return Buffer.from(bytes)
}
const endpoint = openEndpoint(node, 0, { concurrency: 16, perSecond: 100_000, timeoutMs: 30_000 })
const abilities: Abilities = { traces: '' }
const total = Number(count), start = Number(first), perInsert = 64, lanes = 3

async function* rows(from: number, to: number): AsyncGenerator<Piece> {
  const running: Promise<Answers>[] = []
  for (let number = from; number <= to || running.length > 0;) {
    while (number <= to && running.length < 8) { running.push(fetchBlock(endpoint, abilities, number, '', false)); number += 1 }
    const answers = await running.shift()
    if (answers === undefined) continue
    const height = Buffer.alloc(8)
    height.writeBigUInt64LE(BigInt(answers.number))
    yield* [height, varint(answers.block.bytes.length), answers.block, varint(answers.receipts.bytes.length), answers.receipts]
  }
}

const started = performance.now()
let next = start
await Promise.all(Array.from({ length: lanes }, async () => {
  while (next < start + total) {
    const from = next, to = Math.min(start + total, from + perInsert) - 1
    next = to + 1
    await store.insertStream(insert, outgoing(rows(from, to)), {}, `limit-${from}`)
  }
}))
const seconds = (performance.now() - started) / 1_000
const [row] = await store.query('SELECT count() AS rows FROM limit_logs', {}, z.object({ rows: z.coerce.number() }))
process.stdout.write(`${JSON.stringify({ seconds, rows: row?.rows ?? 0 })}\n`)
await endpoint.close()
await store.close()
