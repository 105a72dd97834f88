/** The made market of a first look: made once, and at each later start what came since, as if it had been made in one go. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { makeMarket } from '../../scripts/market/market.js'
import { wantMarket } from '../../scripts/up/market.js'
import { digest } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'

const Row = z.record(z.string(), z.union([z.string(), z.number()]))
const one = async (store: Store, sql: string) => (await store.query(sql, {}, Row))[0] ?? {}

describe('the made market of a first look', function () {
  this.timeout(120_000)
  const minute = 60_000, day = 1_440 * minute, now = Math.floor(Date.now() / minute) * minute
  let store: Store, done = 0
  before(async () => { ({ store } = await freshStore()) })
  const start = async (at: number): Promise<number> => {
    const fills = await wantMarket(store, at), last = Number((await one(store, "SELECT max(number) AS last FROM raw_payloads WHERE chain = 'HL'"))['last'])
    for (; done < last; done += 1) await digest(store, done + 1, done + 1)
    return fills
  }
  const told = () => one(store, `SELECT toString((SELECT count() FROM hl_fills)) AS fills, toString((SELECT uniqExact(time, coin, tid, account) FROM hl_fills)) AS apart, toString((SELECT count() FROM hl_unknown)) AS unknown, toString((SELECT max(time) FROM hl_mids)) AS newest,
    toString((SELECT count() FROM (SELECT start_position AS stood, lagInFrame(start_position + if(side = 'buy', sz, -sz), 1, start_position) OVER (PARTITION BY account, coin ORDER BY time, tid ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS left FROM hl_fills WHERE (account, coin) NOT IN (SELECT account, coin FROM hl_fills GROUP BY account, coin, time HAVING count() > 1)) WHERE stood != left)) AS leaps`)

  it('is made once a minute at most; what came since goes on where it ended, and nothing is told twice', async () => {
    const before = await start(now - day)
    assert.ok(before > 1_000)
    assert.deepEqual([(await told())['fills'], await wantMarket(store, now - day + minute - 1)], [String(before), 0])
    const after = await start(now)
    assert.ok(after > before + 50, `${before} ${after}`)
    const { newest, ...rest } = await told()
    assert.deepEqual(rest, { fills: String(after), apart: String(after), unknown: '0', leaps: '0' })
    assert.ok(Date.parse(`${newest}Z`) > now - 15 * minute, String(newest))
  })

  it('is what it would be had it been made in one go', async () => {
    const market = await makeMarket(store, { seed: 8, traders: 24, days: 29, until: now })
    assert.equal((await one(store, 'SELECT toString(count()) AS fills FROM hl_fills'))['fills'], String(market.fills))
    assert.deepEqual(await one(store, `SELECT toString(count()) AS lacking FROM made_fills AS m INNER JOIN made_traders AS t ON t.trader = m.trader WHERE (m.at, t.account) NOT IN (SELECT time, account FROM hl_fills)`), { lacking: '0' })
    assert.deepEqual(await one(store, "SELECT toString((SELECT count() FROM hl_ledger_updates WHERE kind = 'withdraw')) AS said, toString((SELECT countIf(kind = 'withdraw') FROM made_flows INNER JOIN made_traders USING (trader) WHERE role NOT IN ('maker', 'backstop'))) AS made"), { said: '1', made: '1' })
  })

  it('begins where it began when its payloads have gone', async () => {
    // Not as a mutation: those wait in the background of a server that all tests share.
    await store.execute("CREATE TABLE kept_payloads ENGINE = Memory AS SELECT * FROM raw_payloads WHERE chain = 'HL' AND fetched_at >= now() - INTERVAL 2 DAY")
    await store.execute("ALTER TABLE raw_payloads DROP PARTITION ('HL', 0)")
    await store.execute('INSERT INTO raw_payloads SELECT * FROM kept_payloads')
    const { fills } = await told()
    const after = await start(now + minute)
    assert.ok(after >= Number(fills) && after < Number(fills) + 50, `${fills} ${after}`)
    assert.deepEqual([(await told())['fills'], (await told())['leaps']], [String(after), '0'])
  })
})
