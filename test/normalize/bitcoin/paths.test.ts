/** Bytes and JSON are two ways to the same rows. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { normalizeAnswers, jsonAnswer, rawAnswer, recordedHeights, recordedJson } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'

export const factsOf = ['blocks', 'btc_blocks', 'btc_transactions', 'btc_outputs', 'btc_inputs', 'btc_txids', 'movements'] as const

/** Rows of a table as text, without the generation of their batch. */
export const rowsOf = async (store: Store, table: string, height: number): Promise<string[]> =>
  (await store.query(`SELECT toString(tuple(* EXCEPT (generation))) AS row FROM ${table} WHERE block_number = {height:UInt64} ORDER BY row`, { height }, z.object({ row: z.string() }))).map(({ row }) => row)

export const addressesOf = async (store: Store): Promise<string[]> =>
  (await store.query('SELECT DISTINCT toString(tuple(*)) AS row FROM btc_addresses ORDER BY row', {}, z.object({ row: z.string() }))).map(({ row }) => row)

describe('a block as bytes and as JSON', function () {
  this.timeout(120_000)
  let bytes: Store, json: Store
  before(async () => {
    bytes = (await freshStore()).store
    json = (await freshStore()).store
    // Only of this block the JSON says what inputs spend; the bytes do not.
    const heights = recordedHeights.filter((height) => height !== 277_647)
    await normalizeAnswers(bytes, heights.map((height) => rawAnswer(height)))
    await normalizeAnswers(json, heights.map((height) => jsonAnswer(height, recordedJson(height) ?? '')))
  })

  for (const height of recordedHeights.filter((one) => one !== 277_647)) {
    it(`gives the same rows: ${height}`, async () => {
      for (const table of factsOf) {
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
