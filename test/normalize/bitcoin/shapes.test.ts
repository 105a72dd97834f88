/** Answers to getblock as nodes of different ages and settings write them: one block, one set of rows. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { bech32 } from '@scure/base'
import { z } from 'zod'
import { recordedBitcoin } from '../../../scripts/replay-node/bitcoin/chain.js'
import { bitcoinScriptType } from '../../../schemas/bitcoin.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { jsonAnswer, normalizeAnswers, rawAnswer, recordedJson, type BitcoinAnswer } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'
import { addressesOf, facts, rowsOf } from './facts.js'
import { coinbase, madeRaw, makeBlock, withTexts, type Out } from './madeUp.js'
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
      // Most of the first blocks spend nothing.
      assert.ok(rows.length > 0 || table === 'btc_spends', `${table} of ${height}`)
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

  it('with witness programs of version 1 and later in bech32, as before BIP 350, leads to the same rows: outputs, and what is spent', async () => {
    const programs = [['5120', 32, 'witness_v1_taproot'], ['5102', 2, 'witness_unknown'], ['5214', 20, 'witness_unknown'], ['6028', 40, 'witness_unknown'], ['0014', 20, 'witness_v0_keyhash'], ['0020', 32, 'witness_v0_scripthash']] as const
    const outs: Out[] = [...programs.map(([head, length, type]) => ({ value: 5_000n, type, script: Buffer.concat([Buffer.from(head, 'hex'), Buffer.alloc(length, 7)]) })), { value: 0n, type: 'anchor', script: Buffer.from('51024e73', 'hex') }]
    const made = makeBlock(7, [coinbase(Buffer.from('07', 'hex'), outs), { version: 2, locktime: 0, outs, ins: outs.map((spends, vout) => ({ txid: 'ab'.repeat(32), vout, sequence: 0, script: Buffer.alloc(0), witness: [], spends })) }])
    const told = made.json.replace(/"hex":"(00|5[1-9a-f]|60)[0-9a-f]{2}([0-9a-f]+)","type":"(witness_\w+|anchor)"/g, (all, version: string, program: string) =>
      `${all},"addresses":["${bech32.encode('bc', [Math.max(Number.parseInt(version, 16) - 0x50, 0), ...bech32.toWords(Buffer.from(program, 'hex'))])}"]`)
    assert.equal(told.split('"addresses":["bc1').length - 1, 3 * outs.length)
    const [bytes, json] = [await normalized([madeRaw(7, made)]), await normalized([jsonAnswer(7, told)])]
    await alike(bytes, json, [7])
    for (const { address } of await json.query("SELECT DISTINCT address FROM btc_parties WHERE address != ''", {}, z.object({ address: z.string() }))) assert.notEqual(bitcoinScriptType(address), null, address)
  })

  it('without what is spent, and without fees, is bytes without spent outputs: unresolved, not guessed', async () => {
    const text = bare(recordedJson(277_647) ?? '')
    assert.ok(!/"(prevout|fee)":/.test(text))
    await alike(await normalized([rawAnswer(277_647)]), await normalized([jsonAnswer(277_647, text)]), [277_647])
  })
})

/** Without what an older node did not write. */
const changedBack = (text: string): Json => JSON.parse(withTexts(text), (name, value: unknown) => (name === 'tx' ? (value as Json[]).map((one) => without(one, 'weight')) : value)) as Json
