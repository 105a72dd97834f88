/** Which of the accounts that reach a list are vaults: the venue is asked about each of them once, within the weight of those that are looked at. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { startVenue } from '../../../scripts/replay-node/hyperliquid/server.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { parseConfig } from '../../../schemas/config.js'
import { loadSql } from '../../../schemas/sql.js'
import { openRest } from '../../../stages/ingest/hyperliquid/rest.js'
import { openHyperliquidSource } from '../../../stages/ingest/hyperliquid/source.js'
import { openTracked } from '../../../stages/ingest/hyperliquid/tracked.js'
import { digest, infoAnswer, insertHeard } from '../../support/hyperliquid.js'
import { until } from '../../support/pipeline.js'
import { freshStore } from '../../support/servers.js'

const Named = z.object({ name: z.string() })
const account = (nth: number): string => `0x${nth.toString(16).padStart(40, '0')}`
const judge = (store: Store, hex: string, more: string): Promise<unknown> => store.execute(`INSERT INTO hl_traders (chain, account, judged_at, last_at, net_usd, copy_score, suspicion, style, flags, version) SELECT 'HL', unhex('${hex.replace('0x', '')}'), now64(3), now64(3), ${more}, 1`)

describe('what accounts of the lists are', function () {
  this.timeout(90_000)
  const rolesSql = loadSql(new URL('../../../stages/ingest/hyperliquid/source.ts', import.meta.url).href, 'roles.sql')

  it('is asked of those fit to be copied, the suspected, the styled and those that earned most, until the venue has said it', async () => {
    const { store } = await freshStore()
    const named = async (most: number, atOnce: number, asked: string[] = []): Promise<string[]> => (await store.query(rolesSql, { chain: 'HL', most, at_once: atOnce, asked }, Named)).map((one) => one.name)
    for (const [nth, more] of [[1, "50, 0, 0, '', []"], [2, "40, 0, 0, '', []"], [3, "30, 0, 0, 'DIRECTIONAL', []"], [4, "-20, 0, 70, '', []"], [5, "10, 61.2, 0, 'SNIPER', []"], [6, "900, 0, 0, '', ['vault']"]] as const) await judge(store, account(nth), more)
    await judge(store, `53594e54${'00'.repeat(16)}`, "9999, 0, 0, '', []")
    assert.deepEqual([await named(10, 10), await named(1, 10), await named(10, 2, [account(5)])], [[5, 4, 3, 1, 2].map(account), [5, 4, 3, 1].map(account), [4, 3].map(account)])
    await insertHeard(store, 1, [infoAnswer({ type: 'userRole', user: account(5) }, { role: 'user' }), infoAnswer({ type: 'userRole', user: account(1).toUpperCase().replace('X', 'x') }, { role: 'vault' }), infoAnswer({ type: 'userRole', user: account(4) }, {})])
    await digest(store, 1, 1)
    assert.deepEqual([await named(10, 10), await named(1, 10)], [[4, 3, 2].map(account), [4, 3].map(account)])
  })

  it('is asked of a few a round, each once an hour at most', async () => {
    const asked: string[] = [], without: (readonly string[])[] = []
    const venue = await startVenue({ answer: ({ type, user }) => { if (type === 'userRole') asked.push(String(user)); return type === 'userRole' ? { role: 'user' } : undefined } })
    const rest = openRest(venue.url, 1_000_000, () => undefined)
    const roles = (lately: readonly string[], atOnce: number): Promise<readonly string[]> => { without.push(lately); return Promise.resolve([1, 2, 3].map(account).filter((one) => !lately.includes(one)).slice(0, atOnce)) }
    const tracked = openTracked({ accounts: () => Promise.resolve([]), roles, dexes: () => [''], perMinute: 1_000_000 }, rest, (reason) => { assert.fail(reason) }, 1_000)
    try { await until(() => Promise.resolve(without.length >= 4), 'not all were asked about') } finally { tracked.close(); await rest.close(); await venue.close() }
    assert.deepEqual([asked.slice(0, 3), without.slice(0, 3)], [[1, 2, 3].map(account), [[], [1, 2].map(account), [1, 2, 3].map(account)]])
  })

  it('is kept by a source that listens, though it looks at no positions', async () => {
    const { store, url, database } = await freshStore()
    await judge(store, account(7), "50, 0, 0, '', []")
    const venue = await startVenue({ answer: ({ type }) => (type === 'userRole' ? { role: 'vault' } : undefined) })
    const source = openHyperliquidSource(parseConfig({ CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, HL_API_URL: venue.url, HL_SEGMENT_MS: '20', HL_COINS: 'BTC', HL_BOOK_COINS: 'BTC', HL_TRACK: '0' }))
    const count = async (sql: string): Promise<number> => (await store.query(`SELECT count() AS count FROM ${sql}`, {}, z.object({ count: z.coerce.number() })))[0]?.count ?? 0
    try {
      await source.head().catch(() => undefined)
      await until(async () => await count("raw_payloads WHERE JSONExtractString(receipts, 'type') = 'userRole'") > 0, 'nobody asked')
    } finally { await source.close(); await venue.close() }
    await digest(store, 1, (await store.query("SELECT max(number) AS number FROM raw_payloads WHERE chain = 'HL'", {}, z.object({ number: z.coerce.number() })))[0]?.number ?? 0)
    assert.equal(await count(`hl_records WHERE type = 'userRole' AND account = '${account(7)}' AND item = '{"role":"vault"}'`), 1)
  })
})
