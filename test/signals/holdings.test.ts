/** What a look starts from, kept from the look before: held against the same worked out of all fills, over many looks at a made history. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { seeded } from '../../scripts/simulate/random.js'
import { freshStore } from '../support/servers.js'

const steps = ['holding_looks', 'holdings', 'leading', 'stances'].map((name) => loadSql(new URL('../../stages/signals/giveSignals.ts', import.meta.url).href, `${name}.sql`))
const whole = loadSql(import.meta.url, 'stancesWhole.sql')
const start = Date.UTC(2026, 8, 1), minute = 60_000, hour = 60 * minute, coins = ['BTC', 'ETH', 'SOL']
const iso = (at: number): string => new Date(at).toISOString()

interface Look { readonly from: number; readonly to: number; readonly through: number }
const Row = z.record(z.string(), z.unknown())
const Way = z.object({ prior: z.string().nullable(), own: z.coerce.number() })

/** Fills heard in a look, in its segment: of six accounts at a time, the first of which fall silent as looks go on. */
const openHistory = (seed: number) => {
  const { int, chance, pick, next } = seeded(seed), held = new Map<string, number>()
  let tid = 0
  return ({ from, to, through }: Look, count: number, generation = 0): object[] => Array.from({ length: count }, () => {
    const account = `account ${Math.floor(through / 3) + int(1, 6)}`, coin = pick(coins), before = held.get(account + coin) ?? 0
    // To nothing, through nothing, more or less.
    const size = before !== 0 && chance(0.5) ? pick([-before, -2 * before]) : int(1, 40) * pick([-1, 1])
    held.set(account + coin, before + size)
    // Heard at once, minutes later, hours or two days later (then it is known when it happened), or of a clock that is ahead. Many are of one moment.
    const heard = int(from, to - 1), luck = next()
    const late = luck < 0.6 ? 1_000 : luck < 0.8 ? int(0, 9 * minute) : luck < 0.9 ? int(0, 6 * hour) : luck < 0.97 ? int(0, 50 * hour) : -int(0, 40 * hour)
    tid += 1
    return {
      chain: 'HL', block_number: through, source: 'made', heard_at: iso(heard), coin, market: chance(0.95) ? 'perp' : 'spot', dex: '', time: iso(Math.floor((heard - late) / minute) * minute), tid, extra: 0, account, side: size > 0 ? 'buy' : 'sell', px: '100', sz: String(Math.abs(size)),
      start_position: String(before), dir: '', closed_pnl: String(int(-90, 100)), hash: '', oid: tid, crossed: true, fee: '1', builder_fee: null, fee_token: 'USDC', twap_id: null, cloid: '', liquidated_account: '', liquidation_mark: null, liquidation_method: '', venue_block: null, generation,
    }
  })
}

describe('what a look at the market starts from', function () {
  this.timeout(180_000)
  let store: Store, found = 0, run = 0
  before(async () => { ({ store } = await freshStore()) })
  const rules = (days: number, revision: number): Promise<unknown> => store.execute("INSERT INTO hl_signal_rules SELECT * REPLACE (mapUpdate(least, map('smart_days', {days:Float64}, 'smart_usd', 2000., 'smart_accounts', 4.)) AS least, {revision:UInt64} AS revision) FROM hl_signal_rules FINAL WHERE kind = 'bars'", { days, revision })
  /** Looks, and holds what it finds against the whole. Resolves to how it came to it: from what was kept, from what was kept and all of it written anew, or from all fills. */
  const look = async ({ from, to, through }: Look): Promise<string> => {
    const params = { chain: 'HL', from_time: from / 1_000, to_time: to / 1_000, through }
    const times = Array.from({ length: (to - from) / (5 * minute) }, (_, nth) => from + (nth + 1) * 5 * minute)
    await store.insert('hl_features', times.flatMap((time) => coins.map((coin) => ({ chain: 'HL', coin, time: time / 1_000, px: '100' }))))
    for (const step of steps) await store.execute(step, params, { token: `${run}|${from}|${step.name}` })
    const rows = await store.query('SELECT s.* EXCEPT (chain, time, flows), toString(s.time) AS time, mapSort(s.flows) AS flows FROM hl_stances AS s WHERE s.time > toDateTime({from_time:UInt32}) AND s.time <= toDateTime({to_time:UInt32}) ORDER BY s.time, s.coin', params, Row)
    assert.deepEqual(rows, await store.query(whole, params, Row), `look ${through}`)
    found += rows.length
    const [way] = await store.query('SELECT toString(l.prior) AS prior, toUInt8(l.base = l.look) AS own FROM hl_holding_looks AS l WHERE l.look = toDateTime({from_time:UInt32})', params, Way)
    return way?.prior == null ? 'all' : way.own === 1 ? 'anew' : 'kept'
  }

  for (const seed of [1, 2]) {
    it(`comes to the same as all fills do, by whatever way (seed ${seed})`, async () => {
      for (const table of ['hl_fills', 'hl_features', 'hl_stances', 'hl_holding_looks', 'hl_holdings', 'hl_leading']) await store.execute('TRUNCATE TABLE {table:Identifier}', { table })
      await rules(1, seed * 10)
      const { int, pick, chance } = seeded(seed), history = openHistory(seed), ways: string[] = []
      found = 0
      run = seed
      let to = start
      const next = (through: number): Look => { const from = to + (chance(0.1) ? int(1, 30) * 5 * minute : 0); to = from + pick([1, 1, 6, 12, 48]) * 5 * minute; return { from, to, through } }
      for (let through = 1; through <= 30; through += 1) {
        const one = next(through)
        // A look at which nothing is heard is one at which some fall silent.
        await store.insert('hl_fills', chance(0.15) ? [] : history(one, int(1, 40)))
        if (through === 12) await rules(2, seed * 10 + 1)
        // Segments from 18 on are told anew, and otherwise.
        if (through === 20) {
          await store.execute('DELETE FROM hl_fills WHERE block_number >= 18')
          await store.insert('hl_fills', [...history({ ...one, through: 18 }, 30, 1), ...history(one, 20, 1)])
        }
        ways.push(await look(one))
      }
      // Fewer segments count than counted before.
      ways.push(await look(next(26)))
      ways.push(await look(next(31)))
      // What the look before wrote was lost.
      await store.execute('DELETE FROM hl_holdings WHERE look = (SELECT max(look) FROM hl_holding_looks)')
      ways.push(await look(next(31)))
      for (const nth of [1, 12, 20, 31, 33]) assert.equal(ways[nth - 1], 'all', `look ${nth}`)
      assert.ok(found > 500 && ways.filter((way) => way === 'kept').length > 12 && ways.includes('anew'), `${found} rows, ${ways.join(' ')}`)
      const [leaders] = await store.query('SELECT uniqExact(names) AS sets FROM (SELECT groupArray(account) AS names FROM (SELECT * FROM hl_leading ORDER BY look, account) GROUP BY look)', {}, z.object({ sets: z.coerce.number() }))
      assert.ok((leaders?.sets ?? 0) > 6, `${leaders?.sets} sets of leaders`)
    })
  }

  it('a look that is repeated writes nothing twice, and starts from where it did', async () => {
    const counts = () => store.query("SELECT (SELECT count() FROM hl_holding_looks) AS looks, (SELECT count() FROM hl_holdings) AS holdings, (SELECT count() FROM hl_leading) AS leading, (SELECT count() FROM hl_stances) AS stances", {}, Row)
    const [one] = await store.query('SELECT toUnixTimestamp(l.look) AS from_time, toUnixTimestamp(l.until) AS to_time, l.through AS through FROM hl_holding_looks AS l ORDER BY l.look DESC LIMIT 1', {}, Row)
    const before = await counts()
    for (const step of steps) await store.execute(step, { chain: 'HL', ...one }, { token: `${run}|${Number(one?.['from_time']) * 1_000}|${step.name}` })
    assert.deepEqual(await counts(), before)
  })
})
