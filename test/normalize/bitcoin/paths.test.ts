/** Bytes and JSON are two ways to the same rows. */
import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { normalizeAnswers, jsonAnswer, rawAnswer, recordedHeights, recordedJson } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'
import { addressesOf, facts, rowsOf } from './facts.js'
import { spentOf } from './madeUp.js'

describe('a block as bytes and as JSON', function () {
  this.timeout(120_000)
  let bytes: Store, json: Store
  before(async () => {
    bytes = (await freshStore()).store
    json = (await freshStore()).store
    // Of this block the JSON says what inputs spend, and the outputs they spend come beside the bytes.
    const spent = (height: number): Buffer | undefined => (height === 277_647 ? spentOf(recordedJson(height) ?? '') : undefined)
    await normalizeAnswers(bytes, recordedHeights.map((height) => rawAnswer(height, undefined, spent(height))))
    await normalizeAnswers(json, recordedHeights.map((height) => jsonAnswer(height, recordedJson(height) ?? '')))
  })

  for (const height of recordedHeights) {
    it(`gives the same rows: ${height}`, async () => {
      for (const table of facts) {
        const [one, other] = [await rowsOf(bytes, table, height), await rowsOf(json, table, height)]
        assert.ok(one.length > 0, table)
        const differs = one.findIndex((row, index) => row !== other[index])
        assert.equal(differs < 0 ? undefined : other[differs], differs < 0 ? undefined : one[differs], `${table}, row ${differs}`)
        assert.equal(other.length, one.length, table)
      }
    })
  }

  it('gives the same addresses', async () => {
    assert.deepEqual(await addressesOf(json), await addressesOf(bytes))
  })
})
