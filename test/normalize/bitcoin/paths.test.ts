/** Bytes and JSON are two ways to the same rows. */
import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { insertBitcoin, normalizeAnswers, jsonAnswer, rawAnswer, recordedHeights, recordedJson } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'
import { addressesOf, facts, rowsOf } from './facts.js'
import { spentOf } from './madeUp.js'

/** Of this block the JSON says what inputs spend, and the outputs they spend come beside the bytes. */
const told = 277_647
const spent = (height: number): Buffer | undefined => (height === told ? spentOf(recordedJson(height) ?? '') : undefined)

describe('a block as bytes and as JSON', function () {
  this.timeout(120_000)
  let bytes: Store, json: Store
  before(async () => {
    bytes = (await freshStore()).store
    json = (await freshStore()).store
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

  for (const [first, second] of [['bytes', 'JSON'], ['JSON', 'bytes']] as const) {
    it(`is taken once where it landed as ${first} and, by another attempt, as ${second}`, async () => {
      const { store } = await freshStore()
      const height = told, answer = { bytes: rawAnswer(height, undefined, spent(height)), JSON: jsonAnswer(height, recordedJson(height) ?? '') }
      await insertBitcoin(store, [answer[first]])
      await new Promise((resolve) => setTimeout(resolve, 5))
      await normalizeAnswers(store, [answer[second]])
      for (const table of facts) assert.equal((await rowsOf(store, table, height)).length, (await rowsOf(first === 'bytes' ? bytes : json, table, height)).length, table)
    })
  }

  it('gives the same addresses', async () => {
    assert.deepEqual(await addressesOf(json), await addressesOf(bytes))
  })
})
