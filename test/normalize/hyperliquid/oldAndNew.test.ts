/** A batch of old and new things beside a long history: nothing stands twice, and what is read hangs on the batch, not on the time between. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import { digest, infoAnswer, insertHeard, message } from '../../support/hyperliquid.js'
import { freshStore } from '../../support/servers.js'

const account = `0x${'11'.repeat(20)}`, hash = `0x${'ab'.repeat(32)}`
const day = 86_400_000, now = Date.now() - 60_000, long = now - 400 * day
const stored = 300_000
const fill = (time: number, tid: number, dir = 'Close Long'): object => ({ coin: 'BTC', px: '100.0', sz: '1.0', side: 'A', time, startPosition: '1.0', dir, closedPnl: '0.0', hash, oid: tid, crossed: true, fee: '0.1', tid, feeToken: 'USDC' })
const trade = (time: number, tid: number): object => ({ coin: 'BTC', side: 'B', px: '100.0', sz: '1.0', time, hash, tid, users: [account, `0x${'22'.repeat(20)}`] })
const payment = (time: number): object => ({ time, hash, delta: { type: 'funding', coin: 'BTC', usdc: '-0.5', szi: '1.0', fundingRate: '0.0000125', nSamples: null } })

/** The history between the oldest and the newest: a copy of the one row in `table` for every so many seconds. */
const lengthen = (store: Store, table: string, identity: string): Promise<number> =>
  store.execute(`INSERT INTO ${table} SELECT one.* REPLACE(fromUnixTimestamp64Milli(toInt64({long:Int64} + 1 + number * intDiv({span:Int64}, {stored:UInt64})), 'UTC') AS time, now64(3) AS heard_at${identity}) FROM (SELECT * FROM ${table} LIMIT 1) AS one CROSS JOIN numbers({stored:UInt64}) AS n`, { long, span: now - long, stored })

describe('old and new things in one batch', function () {
  this.timeout(120_000)
  let store: Store
  before(async () => {
    ({ store } = await freshStore())
    const ask = { type: 'userFills', user: account }
    await insertHeard(store, 1, [infoAnswer(ask, [fill(long, 1), fill(long, 5, 'Liquidated Cross Long')]), message('trades', [trade(long, 2)]), infoAnswer({ type: 'userFunding', user: account }, [payment(long)])])
    await digest(store, 1, 1)
    await lengthen(store, 'hl_fills', ', 1000000 + number AS tid')
    await lengthen(store, 'hl_trades', ', 1000000 + number AS tid')
    await lengthen(store, 'hl_funding_payments', '')
    await lengthen(store, 'hl_liquidations', ', 1000000 + number AS tid')
    await insertHeard(store, 2, [infoAnswer(ask, [fill(now, 3), fill(long, 1), fill(now, 6, 'Liquidated Cross Long'), fill(long, 5, 'Liquidated Cross Long')]), message('trades', [trade(long, 2), trade(now, 4)]), infoAnswer({ type: 'userFunding', user: account }, [payment(now), payment(long)])])
    await digest(store, 2, 2)
  })

  it('stand once each', async () => {
    const [row] = await store.query('SELECT (SELECT count() FROM hl_fills) AS fills, (SELECT count() FROM hl_trades) AS trades, (SELECT count() FROM hl_funding_payments) AS payments, (SELECT count() FROM hl_liquidations) AS forced', {}, z.object({ forced: z.coerce.number(), fills: z.coerce.number(), trades: z.coerce.number(), payments: z.coerce.number() }))
    assert.deepEqual(row, { fills: stored + 4, trades: stored + 2, payments: stored + 2, forced: stored + 2 })
  })

  for (const name of ['fills', 'trades', 'funding_payments', 'liquidations']) {
    it(`${name}: what stands between is not read`, async () => {
      const { text } = loadSql(new URL('../../../stages/enrich/hyperliquid/statements.ts', import.meta.url).href, `${name}.sql`)
      const { summary } = await store.client.command({ query: text, query_params: { chain: 'HL', from: 2, to: 2, generation: 0 } })
      assert.ok(Number(summary?.read_rows) < stored / 4, `${summary?.read_rows} rows were read for a batch of two`)
    })
  }
})
