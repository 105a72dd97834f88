/** A block of Bitcoin whose inputs the node tells is answered as soon as it is read; one with others once they were looked for. */
import assert from 'node:assert/strict'
import type { Ask } from '../../api/operation.js'
import { readBtcBlock } from '../../api/operations/blocks/readBtcBlock.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { listsOf } from '../../stages/lists.js'
import { normalizeBitcoin } from '../../stages/normalize/bitcoin/statements.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext, insertBitcoin, jsonAnswer, rawAnswer, recordedJson, type BitcoinAnswer } from '../support/bitcoin.js'
import { startService, type Service } from './support/service.js'

const told = 277_647, untold = 482_683

describe('a block of Bitcoin that was read', function () {
  this.timeout(60_000)
  let service: Service
  const batch = (height: number) => bitcoinBatch(height, height)
  const read = async (answer: BitcoinAnswer, seq: number): Promise<void> => {
    const { store } = service, { number, hash } = answer, ledger = openLedger(store)
    await store.execute(`INSERT INTO plans SELECT 'BTC', {seq:UInt64}, 'plan', {number:UInt64}, {number:UInt64}, {hash:String}, '', 1, 't', {number:UInt64}, 'w', now64(3)`, { seq, number, hash })
    await insertBitcoin(store, [answer])
    await runStatements(normalizeBitcoin, batch(number), bitcoinContext(store))
    for (const stage of ['ingest', 'normalize'] as const) await ledger.land(batch(number), stage, { rows: 0, bytes: 0, endpoint: '' }, 0)
  }
  const enrich = async (height: number): Promise<void> => { await runStatements(listsOf('BTC').enrich, batch(height), bitcoinContext(service.store)) }
  /** What both operations tell of it. */
  const shown = async (height: number): Promise<any[]> => Promise.all(['feed/block', 'blocks'].map(async (path) => (await service.call(`GET /v1/${path}/BTC/${height}`)).body.block))
  before(async () => {
    service = await startService()
    await read(jsonAnswer(told, recordedJson(told) ?? ''), 1)
    await read(rawAnswer(untold), 2)
  })
  after(() => service.stop())

  it('is whole before enrich has come to it, where the node told its inputs, and the same after', async () => {
    const early = await shown(told)
    assert.deepEqual([early[0].tx_count, early[0].bitcoin.fees, early[0].bitcoin.unresolved_inputs, early[0].bitcoin.miner_by, early[0].transactions.senders > 0], [213, '4737355', 0, 'coinbase_tag', true])
    assert.deepEqual(early[1], early[0])
    const { body } = await service.call(`GET /v1/feed/block/BTC/${told}`)
    assert.deepEqual([body.indexed, body.events, body.whale_txs], [false, [], []])
    assert.deepEqual((await service.call(`GET /v1/blocks/BTC`)).body.blocks.find((one: any) => one.number === told).difficulty, early[0].difficulty)
    await enrich(told)
    assert.deepEqual(await shown(told), early)
  })

  it('is not there while a part of it is not, and is what it is beside what a late writer left of it', async () => {
    const { store } = service, block = async (): Promise<unknown> => (await service.call(`GET /v1/feed/block/BTC/${told}`)).body.block, whole = await block(), tables = ['blocks', 'btc_outputs', 'btc_inputs', 'btc_transactions'] as const
    for (const table of tables) {
      await store.execute(`CREATE TABLE kept AS ${table}`)
      await store.execute(`INSERT INTO kept SELECT * FROM ${table} WHERE block_number = {told:UInt64}`, { told })
      await store.execute(`DELETE FROM ${table} WHERE block_number = {told:UInt64}${table === 'blocks' ? '' : ' AND tx_index = 7'}`, { told })
      assert.equal(await block(), null, table)
      await store.execute(`DELETE FROM ${table} WHERE block_number = {told:UInt64}`, { told })
      await store.execute(`INSERT INTO ${table} SELECT * FROM kept`)
      await store.execute('DROP TABLE kept')
    }
    assert.deepEqual(await block(), whole)
    for (const table of tables) await store.execute(`INSERT INTO ${table} SELECT * REPLACE (0 AS generation) FROM ${table} WHERE block_number = {told:UInt64}`, { told })
    assert.deepEqual(await block(), whole)
  })

  it('is answered where a part of it lands while it is read, and not waited for where none does', async () => {
    const { store } = service, { signal } = new AbortController()
    const late = async (part: string, times: number): Promise<unknown> => {
      let empty = times
      const query = ((sql: { path?: string }, ...rest: unknown[]) => ((sql.path ?? '').endsWith(`/btcBlock${part}.sql`) && empty-- > 0 ? Promise.resolve([]) : (store.query as (...all: unknown[]) => unknown)(sql, ...rest))) as typeof store.query
      return readBtcBlock('BTC', told, { store: { ...store, query }, signal } as Ask)
    }
    const whole = await late('Rows', 0)
    assert.ok(whole !== null)
    for (const part of ['Rows', 'Own', 'Sums', 'Parties']) {
      assert.deepEqual(await late(part, 3), whole, part)
      assert.equal(await late(part, Infinity), null, part)
    }
  })

  it('is not there while inputs have to be looked for, and then with their number', async () => {
    assert.deepEqual(await shown(untold), [null, null])
    await enrich(untold)
    const [late] = await shown(untold)
    assert.deepEqual([late.tx_count, late.bitcoin.unresolved_inputs > 0, late.bitcoin.fees, late.transactions.fees, late.transactions.senders], [12, true, null, null, null])
  })

  it('is what it was when what was read of it is gone', async () => {
    const late = await shown(told)
    for (const table of ['btc_read_blocks', 'btc_read_transactions', 'btc_read_inputs']) await service.store.execute(`TRUNCATE TABLE ${table}`)
    assert.deepEqual(await shown(told), late)
  })
})
