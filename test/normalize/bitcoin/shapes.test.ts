/** Answers to getblock as nodes of different ages and settings write them: one block, one set of rows. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { recordedBitcoin } from '../../../scripts/replay-node/bitcoin/chain.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { jsonAnswer, normalizeAnswers, rawAnswer, recordedJson, type BitcoinAnswer } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'
import { addressesOf, facts, rowsOf } from './facts.js'
import { withTexts } from './madeUp.js'
import { bare, old, without, type Json } from './olderJson.js'

const normalized = async (answers: readonly BitcoinAnswer[]): Promise<Store> => {
  const { store } = await freshStore()
  await normalizeAnswers(store, answers)
  return store
}
const alike = async (one: Store, other: Store, heights: readonly number[]): Promise<void> => {
  for (const table of facts) {
    for (const height of heights) {
      const [rows, others] = [await rowsOf(one, table, height), await rowsOf(other, table, height)]
      assert.ok(rows.length > 0, `${table} of ${height}`)
      assert.equal(others.length, rows.length, `${table} of ${height}`)
      const at = rows.findIndex((row, index) => row !== others[index])
      assert.equal(others[at], rows[at], `${table} of ${height}, row ${at}`)
    }
  }
  assert.deepEqual(await addressesOf(other), await addressesOf(one))
}

describe('JSON of nodes of different ages', function () {
  this.timeout(120_000)
  const chain = recordedBitcoin()
  const first = Array.from({ length: 255 }, (_, index) => index + 1), some = [1, 9, 170, 181, 182, 183, 187, 221, 248, 255]
  const early = (verbosity: 2 | 3): BitcoinAnswer[] => first.map((height) => jsonAnswer(height, chain.json(height, verbosity)?.toString('utf8') ?? ''))

  it('says of the first blocks at verbosity 3 what bytes with spent outputs say', async () => {
    await alike(await normalized(first.map((height) => rawAnswer(height, undefined, chain.spent(height)))), await normalized(early(3)), some)
  })

  it('says of them at verbosity 2 what bytes alone say', async () => {
    await alike(await normalized(first.map((height) => rawAnswer(height))), await normalized(early(2)), some)
  })

  it('of the first block is what an old node wrote, in all that the replay serves', () => {
    const path = '../../fixtures/bitcoin/bitcoin-etl/block_1/rpc_response_getblock_00000000839a8e6886ab5951d76f411475428afc90947ee320161bbf18eb6048_2.json'
    const told = JSON.parse(withTexts(readFileSync(new URL(path, import.meta.url), 'utf8').replace(/": /g, '":'))) as Json
    const covers = (served: unknown, recorded: unknown, where: string): void => {
      if (typeof served !== 'object' || served === null) { assert.deepEqual(served, recorded, where); return }
      for (const [name, value] of Object.entries(served)) covers(value, (recorded as Json | undefined)?.[name], `${where}.${name}`)
    }
    // The weight of a transaction is of newer nodes.
    covers(changedBack(chain.json(1, 2)?.toString('utf8') ?? ''), told, 'block')
  })

  for (const height of [482_683, 540_107]) {
    it(`with addresses instead of an address leads to the same rows: ${height}`, async () => {
      const text = recordedJson(height) ?? '', older = old(text)
      assert.ok(older.includes('"addresses":["') && !older.includes('"address":'), 'it has the old shape')
      await alike(await normalized([rawAnswer(height)]), await normalized([jsonAnswer(height, older)]), [height])
    })
  }

  it('without what is spent, and without fees, is bytes without spent outputs: unresolved, not guessed', async () => {
    const text = bare(recordedJson(277_647) ?? '')
    assert.ok(!/"(prevout|fee)":/.test(text))
    await alike(await normalized([rawAnswer(277_647)]), await normalized([jsonAnswer(277_647, text)]), [277_647])
  })
})

/** Without what an older node did not write. */
const changedBack = (text: string): Json => JSON.parse(withTexts(text), (name, value: unknown) => (name === 'tx' ? (value as Json[]).map((one) => without(one, 'weight')) : value)) as Json
