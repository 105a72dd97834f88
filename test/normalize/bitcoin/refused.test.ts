/** Bytes and JSON that are not the block they were fetched as: refused in words, and no half of them stays. */
import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { AppError } from '../../../schemas/errors.js'
import { jsonAnswer, normalizeAnswers, rawAnswer, recordedBlock, recordedJson, type BitcoinAnswer } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'
import { countOf, facts } from './facts.js'
import { spentOf } from './madeUp.js'

const height = 482_683
const good = rawAnswer(height)
const payload = (bytes: Buffer): BitcoinAnswer => ({ ...good, payload: bytes })
const changed = (at: number): Buffer => { const bytes = Buffer.from(good.payload); bytes[at] = (bytes[at] ?? 0) ^ 1; return bytes }
const json = (text: string): BitcoinAnswer => ({ ...jsonAnswer(height, recordedJson(height) ?? ''), payload: Buffer.from(`{"result":${text},"error":null,"id":1}`) })
const text = recordedJson(height) ?? ''

const cases: readonly (readonly [what: string, answer: BitcoinAnswer, says: RegExp, retry: string])[] = [
  ['cut off in a transaction', payload(good.payload.subarray(0, 5_000)), /Block 482683 cannot be read: truncated/, 'never'],
  ['cut off in its header', payload(good.payload.subarray(0, 60)), /truncated/, 'never'],
  ['empty', payload(Buffer.alloc(0)), /truncated/, 'never'],
  ['of another block', payload(recordedBlock(1)), /its header is that of 00000000839a8e6886ab5951d76f411475428afc90947ee320161bbf18eb6048/, 'never'],
  ['with a bit of an amount changed', payload(changed(8_000)), /not those its header commits to|truncated|beyond/, 'never'],
  ['with a byte more', payload(Buffer.concat([good.payload, Buffer.alloc(1)])), /1 bytes more/, 'never'],
  ['with a count that no block has', payload(Buffer.concat([good.payload.subarray(0, 80), Buffer.from('feffffffff', 'hex'), good.payload.subarray(81)])), /4294967295 transactions in/, 'never'],
  ['with spent outputs of another block', { ...good, spent: spentOf(recordedJson(277_647) ?? '') }, /another number of transactions/, 'never'],
  ['as JSON cut off', json(text.slice(0, 4_000)), /not whole JSON/, 'attempt'],
  ['as JSON of an error', json('null'), /not whole JSON/, 'attempt'],
  ['as JSON with hashes only', json(text.replace(/"tx":\[.*\]/, '"tx":["77", "78"]')), /all transactions|only hashes/, 'attempt'],
  ['as JSON with a part of a satoshi', json(text.replace(/"value":([0-9.]+)/, '"value":$1000000001')), /not a whole number of satoshis/, 'attempt'],
  ['as JSON with an amount of too many digits to hold', json(text.replace(/"value":([0-9.]+)/, '"value":100000000000000000000000')), /not a whole number of satoshis/, 'attempt'],
  ['as JSON with a part of a satoshi beyond what is held', json(text.replace(/"value":([0-9.]+)/, '"value":0.0000000100000000001')), /not a whole number of satoshis/, 'attempt'],
  ['as JSON with an amount below zero', json(text.replace(/"value":([0-9.]+)/, '"value":-$1')), /not a whole number of satoshis/, 'attempt'],
]

describe('an answer about a Bitcoin block', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => { store = (await freshStore()).store })
  for (const [what, answer, says, retry] of cases) {
    it(`${what} is refused`, async () => {
      await store.execute('TRUNCATE TABLE raw_payloads')
      await assert.rejects(normalizeAnswers(store, [answer]), (thrown: unknown) => { assert.ok(thrown instanceof AppError); assert.match(thrown.message, says); assert.equal(thrown.retry, retry); return true })
      for (const table of [...facts, 'btc_read_blocks', 'btc_read_inputs', 'btc_parties']) assert.equal(await countOf(store, table), 0, table)
    })
  }

  it('takes down none of the good ones: the next block is read', async () => {
    await store.execute('TRUNCATE TABLE raw_payloads')
    await normalizeAnswers(store, [good])
    assert.equal(await countOf(store, 'btc_transactions'), 12)
  })
})
