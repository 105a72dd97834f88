/** A batch whose rows lie in two months, so in two partitions of most tables: each row once, however many segments it has and however often it is done. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { digest, infoAnswer, insertHeard, insertSegments, message, recordedAnswers, type Heard } from '../../support/hyperliquid.js'
import { freshStore } from '../../support/servers.js'

const now = new Date(), next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) + 3_600_000
const recorded = recordedAnswers()
/** What is in a segment was heard in turn in this month and in the next; no segment holds the same answers as another. */
const segmentOf = (segment: number): Heard[] => [
  ...recorded.filter((_, index) => index % 4 !== segment % 4).map(({ request, response }, index) => infoAnswer(request, response, (index + segment) % 2 === 0 ? now.getTime() + segment * 1_000 : next + segment * 1_000)),
  ...[now.getTime(), next].map((time) => message('l2Book', { coin: 'BTC', time: time + segment * 1_000, levels: [[{ px: '1', sz: '1', n: 1 }], [{ px: '2', sz: '1', n: 1 }]] }, {}, time)),
]

const Counted = z.object({ text: z.string() }), tables = ['hl_accounts', 'hl_positions', 'hl_records', 'hl_mids', 'hl_coins', 'hl_books', 'hl_candles', 'hl_read_fills', 'hl_read_funding_rates', 'hl_fills']
/** Rows, months and a sum over all rows, by table. */
const standing = async (store: Store): Promise<Record<string, string>> => Object.fromEntries(await Promise.all(tables.map(async (table) => {
  const [row] = await store.query("SELECT concat(toString(count()), ' in ', toString(uniqExact(toYYYYMM(time))), ', ', toString(sum(cityHash64(toString(tuple(*)))))) AS text FROM {table:Identifier}", { table }, Counted)
  return [table, row!.text] as const
})))

describe('a batch of the venue over the end of a month', function () {
  this.timeout(240_000)
  it('is what its segments are one by one, and the same after it is done again', async () => {
    const [{ store: whole }, { store: single }] = [await freshStore(), await freshStore()]
    for (const from of [1, 7, 13]) {
      for (const store of [whole, single]) {
        // Parts of several segments and parts of one: of such a reading ClickHouse 26.7 refuses to put what views made into several partitions, unless it is one block.
        await insertSegments(store, [0, 1, 2].map((more) => ({ number: from + more, heard: segmentOf(from + more) })))
        for (let number = from + 3; number < from + 6; number += 1) await insertHeard(store, number, segmentOf(number))
      }
      await digest(whole, from, from + 5)
      for (let number = from; number < from + 6; number += 1) await digest(single, number, number)
    }
    const stood = await standing(whole)
    for (const table of ['hl_accounts', 'hl_positions', 'hl_records']) assert.match(stood[table]!, / in 2, /, table)
    assert.deepEqual(stood, await standing(single))
    for (const again of [false, true]) {
      for (const from of [1, 7, 13]) await digest(whole, from, from + 5, again)
      assert.deepEqual(await standing(whole), stood)
    }
  })
})
