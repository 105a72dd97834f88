/** The made history that questions are timed on: the same each time, whole, and indexed like a real one. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { generate, perBlock } from '../../scripts/bench/history/generate.js'
import { differenceOf } from '../../scripts/bench/history/agree.js'
import { pickAddresses } from '../../scripts/bench/history/ask.js'
import { historyBars } from '../../scripts/bench/history/report.js'
import type { Store } from '../../schemas/clickhouse.js'
import { fillRecorded } from '../api/support/recorded.js'
import { freshStore } from '../support/servers.js'

const one = async (store: Store, sql: string): Promise<Record<string, string>> => (await store.query(`SELECT ${sql}`, {}, z.record(z.string(), z.coerce.string())))[0] ?? {}
const looks = `hex(sum(cityHash64(kind, position, tx_hash, from_address, to_address, amount, value_usd, from_label, to_class))) AS digest FROM transfers`

describe('a made history', function () {
  this.timeout(180_000)
  it('has what was ordered, the same for the same seed, with sums by address and segment', async () => {
    const digests: (string | undefined)[] = []
    for (let round = 0; round < 2; round += 1) {
      const { store } = await freshStore()
      await fillRecorded(store, [17034869])
      const made = await generate(store, 20 * perBlock, () => undefined)
      assert.deepEqual([made.transfers, made.swaps, made.blocks], [20 * perBlock, 4 * perBlock, 20])
      digests.push((await one(store, looks))['digest'])
      assert.deepEqual(await one(store, `count() AS sides, uniqExact(address) > 500 AS many, (SELECT sum(transfers) FROM token_hours) AS moved, (SELECT sum(transfers) FROM class_hours WHERE from_class != 'unknown' OR to_class != 'unknown') > 1000 AS known,
        (SELECT sum(transfers_in + transfers_out) FROM address_segments FINAL) AS summed FROM address_transfers`),
      { sides: `${40 * perBlock}`, many: '1', moved: `${20 * perBlock}`, known: '1', summed: `${40 * perBlock}` })
      const { any, busiest } = await pickAddresses(store)
      assert.ok(busiest.length === 10 && any.every((address) => /^0x[0-9a-f]{40}$/.test(address)))
    }
    assert.equal(digests[0], digests[1])
  })

  it('is judged by its bars', () => {
    const asked = { p50: 2, p95: 30, first95: 40, busiest: undefined }
    const bars = historyBars({
      history: { transfers: 1, swaps: 1, blocks: 1, seconds: 1, bytesPerTransfer: 60 }, answered: [{ name: 'a', bar: 50, times: 30, ...asked }, { name: 'b', bar: 39, times: 0.5, ...asked }, { name: 'c', bar: 50, times: undefined, ...asked }],
      floor: { nothing: 1, lookup: 2, rows: 1 }, postgres: { version: '15', seconds: 1, bytesPerTransfer: 1, medians: { a: 59, b: 1 }, busiest: {}, agreed: 2 }, clickhouse: '',
    })
    assert.deepEqual(bars.map(({ met }) => met), [true, false, true, false, true, false])
  })

  it('is told by both stores alike: amounts to the last digit, dollars as far as floats go', () => {
    assert.equal(differenceOf(['0xa|12|1000000000000000000|342.856415|'], ['0xa|12|1000000000000000000|342.8564166615|']), null)
    assert.match(differenceOf(['0xa|12'], ['0xa|13']) ?? '', /row 1: ours 0xa\|12, theirs 0xa\|13/)
    assert.notEqual(differenceOf(['1000000000000000000'], ['1000000000000000001']), null)
    assert.notEqual(differenceOf(['1.5'], ['1.6']), null)
    assert.match(differenceOf(['a'], []) ?? '', /theirs nothing/)
  })
})
