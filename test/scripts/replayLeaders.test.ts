/** A replay of blocks in which somebody who led opened a position. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import { openStore } from '../../schemas/clickhouse.js'
import { alertStatements } from '../../stages/alert/statements.js'
import { runStatements, type Context } from '../../stages/stage.js'
import { fillRecorded } from '../api/support/recorded.js'
import { runScript } from '../support/run.js'
import { clickhouseUrl, databaseName, freshStore } from '../support/servers.js'

const height = 12914944
const Alert = z.object({ id: z.string(), account: z.string() })
const alerts = "SELECT lower(hex(id)) AS id, lower(hex(from_address)) AS account FROM alerts FINAL WHERE rule = 'copy_trade' ORDER BY id"

describe('npm run replay, where somebody led', function () {
  this.timeout(120_000)

  it('tells again what those who led opened, and is equal', async () => {
    const { store, url, database } = await freshStore()
    await fillRecorded(store, [height])
    const [buyer] = await store.query("SELECT lower(hex(account)) AS account FROM wallet_trades WHERE side = 'buy' AND usd >= 1000 ORDER BY position LIMIT 1", {}, z.object({ account: z.string() }))
    const run = { asOf: height - 500, from: height - 200 }
    await store.execute("INSERT INTO leaders SELECT 'ETH', 'smart_trader', 2, {asOf:UInt64}, {from:UInt64}, 30, unhex({account:String}), 1, 100", { ...run, account: buyer?.account ?? '' })
    await store.execute("INSERT INTO leader_runs SELECT 'ETH', 'smart_trader', 2, {asOf:UInt64}, toDateTime64('2021-07-28 00:00:00', 3), {from:UInt64}, now64(3)", run)
    const context = { store, chain: { chain: findChain('ETH') }, checkpoint: async () => undefined, log: { debug: () => undefined } } as unknown as Context
    await runStatements(alertStatements, { chain: 'ETH', from: height, to: height, hash: 'x', generation: 1, floor: height }, context)
    const told = await store.query(alerts, {}, Alert)
    assert.ok(told.length > 0 && told.every(({ account }) => account === buyer?.account))
    const into = databaseName(), { code, text } = await runScript('scripts/replay.ts', ['--into', into], { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database })
    assert.match(text, /\nequal\n$/)
    const replayed = openStore(await clickhouseUrl(), into)
    try { assert.deepEqual([code, await replayed.query(alerts, {}, Alert)], [0, told]) } finally { await replayed.close() }
  })
})
