/** When signals are given: when their data were known, once, and the same again from the same segments. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { giveSignals, signalKinds } from '../../stages/signals/giveSignals.js'
import { freshStore } from '../support/servers.js'
import { calm, context, hear, hour, minute, start, trade } from './market.js'

const Signal = z.object({ kind: z.string(), version: z.string(), at: z.coerce.number(), side: z.string(), reconstructed: z.boolean(), id: z.string() })
const signals = (store: Store, where = 'NOT baseline') => store.query(`SELECT kind, version, (toUnixTimestamp(time) * 1000 - ${start}) / ${minute} AS at, toString(side) AS side, reconstructed, lower(hex(id)) AS id FROM hl_signals WHERE ${where} ORDER BY time, kind, coin, version`, {}, Signal)
const of = (rows: Awaited<ReturnType<typeof signals>>, kind: string, version = 'v3') => rows.filter((row) => row.kind === kind && row.version === version).map(({ at, side }) => [at, side])
const give = (store: Store, through?: string, now = Date.now()) => giveSignals(store, { chain: 'HL', now, seconds: 60, ...(through === undefined ? {} : { through }) })
const whole = async (store: Store) => Promise.all(['hl_bars', 'hl_features', 'hl_signals', 'hl_outcomes', 'hl_alerts', 'hl_stances'].map((table) => store.query(`SELECT * FROM ${table} ORDER BY ALL`, {}, z.record(z.string(), z.unknown()))))

describe('signals of the perps market', function () {
  this.timeout(180_000)

  it('are given at the first look after their data were known: not a look earlier', async () => {
    const { store } = await freshStore()
    // Traded at 62 and at 124:50, heard at 62:01 and, twenty seconds late, at 125:20.
    await hear(store, 1, [...calm(0, 4 * hour, 100), trade(62 * minute, 100, 3_000_000), trade(134 * minute + 50_000, 100, 9_000_000, 'A', { heard: 135 * minute + 20_000 })])
    await give(store)
    const given = await signals(store)
    assert.deepEqual(of(given, 'whale_flow'), [[65, 'long'], [140, 'short']])
    assert.deepEqual(of(given, 'trade_imbalance', 'v7'), [[65, 'long'], [140, 'short']])
    assert.ok(given.every(({ reconstructed }) => !reconstructed))
  })

  it('are not given again within their cooldown, nor by a second look; later data change none of them', async () => {
    const { store } = await freshStore()
    await hear(store, 1, [...calm(0, 90 * minute, 100), trade(62 * minute, 100, 3_000_000)])
    await give(store)
    const before = await signals(store, 'true')
    assert.ok(before.length > 0 && (await give(store)) === null)
    await hear(store, 2, [...calm(90 * minute, 3 * hour, 100), trade(30 * minute, 100, 90_000_000, 'A', { heard: 100 * minute }), trade(62 * minute, 100, 90_000_000, 'A', { heard: 100 * minute }), trade(110 * minute, 100, 3_000_000)])
    await give(store)
    const after = await signals(store, 'true')
    assert.deepEqual(after.filter(({ at }) => at <= 85), before.filter(({ at }) => at <= 85))
    assert.equal(new Set(after.map(({ id }) => id)).size, after.length)
    // The rule goes on seeing it for the whole hour: it speaks once, and again when the hour is over.
    assert.deepEqual(of(await signals(store), 'whale_flow'), [[65, 'long'], [125, 'long']])
  })

  it('of the same segments are the same, whenever they are worked out', async () => {
    const [first, again] = [(await freshStore()).store, (await freshStore()).store]
    const parts = [[...calm(0, 90 * minute, 100), trade(62 * minute, 100, 3_000_000)], [...calm(90 * minute, 5 * hour, 101), trade(140 * minute, 101, 5_000_000, 'A'), context(200 * minute, 101, 1_000)]]
    for (const [index, part] of parts.entries()) { await hear(first, index + 1, part); await give(first) }
    for (const [index, part] of parts.entries()) await hear(again, index + 1, part)
    for (const through of ['1', '2']) await give(again, through)
    const [told, replayed] = [await whole(first), await whole(again)]
    assert.ok((told[2]?.length ?? 0) > 0)
    assert.deepEqual(replayed, told)
  })

  it('of what was heard long after it happened bear its time, say so, and wait until it is all there', async () => {
    const { store } = await freshStore()
    const heard = Date.now()
    await hear(store, 1, [...calm(0, 2 * hour, 100), trade(62 * minute, 100, 3_000_000)].map((one) => ({ ...one, at: heard })))
    assert.equal(await give(store, undefined, heard + 10_000), null)
    await give(store, undefined, heard + 61_000)
    const given = await signals(store)
    assert.deepEqual(of(given, 'whale_flow'), [[65, 'long']])
    assert.ok(given.every(({ reconstructed }) => reconstructed))
    // Nothing of now comes of a market of ten days ago.
    assert.equal((await signals(store, 'time > now() - INTERVAL 9 DAY')).length, 0)
  })

  it('lose nothing where the clock of who listens was ahead for a moment, by minutes or by more', async () => {
    for (const ahead of [9 * minute, hour]) {
      const { store } = await freshStore()
      const full = Math.floor(Date.now() / (5 * minute)) * 5 * minute, base = full - start
      await hear(store, 1, [...calm(base - 40 * minute, base - 3 * minute, 100), trade(base - minute, 100, 100, 'B', { heard: base - minute + ahead }), context(base + ahead, 100, 1_000)])
      assert.equal((await give(store))?.until, new Date(full - 5 * minute).toISOString(), String(ahead))
      await hear(store, 2, [...calm(base - 3 * minute, base, 100), trade(base - 5_000, 100, 500, 'B', { heard: base })])
      assert.equal((await give(store))?.until, new Date(full).toISOString(), String(ahead))
      const [{ traded } = { traded: 0 }] = await store.query("SELECT toFloat64(sum(b.trades)) AS traded FROM hl_bars AS b WHERE b.coin = 'BTC'", {}, z.object({ traded: z.number() }))
      assert.ok(traded >= 80, String(traded))
    }
  })

  it('go on after a killed ClickHouse came back with the token alone of what says that a look is over', async () => {
    const { store } = await freshStore()
    await hear(store, 1, [...calm(0, 90 * minute, 100), trade(62 * minute, 100, 3_000_000)])
    await give(store)
    const before = await signals(store, 'true')
    await store.execute('DELETE FROM hl_signal_runs WHERE done')
    await give(store)
    assert.deepEqual([await give(store), await signals(store, 'true')], [null, before])
    assert.deepEqual(await store.query('SELECT done, told FROM hl_signal_runs ORDER BY done, told', {}, z.object({ done: z.boolean(), told: z.boolean() })), [{ done: false, told: false }, { done: true, told: false }, { done: true, told: true }])
  })

  it('a look begins no further run once its process is about to end, and the next look goes on from there', async () => {
    const { store } = await freshStore()
    // A run looks at a day.
    await hear(store, 1, [...calm(0, hour, 100), ...calm(47 * hour, 48 * hour, 100)])
    const ended = new AbortController(), watched: Store = { ...store, execute: (...said) => { ended.abort(); return store.execute(...said) } }
    const options = { chain: 'HL', now: Date.now(), seconds: 60, ending: ended.signal }
    const cut = await giveSignals(watched, options)
    assert.equal(cut?.runs, 1)
    assert.equal(await giveSignals(store, options), null)
    const rest = await give(store)
    assert.ok(rest !== null && rest.until > cut.until)
  })

  it('a run that was cut off is done as it was begun, also when more was heard since', async () => {
    const { store } = await freshStore()
    await hear(store, 1, [...calm(0, 90 * minute, 100), trade(62 * minute, 100, 3_000_000)])
    const cut: Store = { ...store, execute: async (sql, ...rest) => { if (typeof sql !== 'string' && sql.name === 'signals') throw new Error('cut off'); return store.execute(sql, ...rest) } }
    await assert.rejects(give(cut), /cut off/)
    await hear(store, 2, calm(90 * minute, 2 * hour, 100))
    await give(store)
    const [row] = await store.query('SELECT count() AS bars, uniqExact(coin, start) AS minutes FROM hl_bars', {}, z.object({ bars: z.coerce.number(), minutes: z.coerce.number() }))
    assert.ok(row !== undefined && row.bars > 100 && row.bars === row.minutes)
    assert.deepEqual(of(await signals(store), 'whale_flow'), [[65, 'long']])
  })

  it('are told of with marks and results by the next that looks, where the last one ended before it was, also when nothing is ready', async () => {
    for (const cutAt of ['marks', 'results', 'run']) {
      const { store } = await freshStore()
      await hear(store, 1, [...calm(0, 90 * minute, 100), trade(62 * minute, 100, 3_000_000)])
      let told = false
      const cut: Store = { ...store, execute: async (sql, ...rest) => {
        if (typeof sql !== 'string' && sql.name === cutAt && (cutAt !== 'run' || rest[0]?.['told'] === true)) throw new Error('cut off')
        told ||= typeof sql !== 'string' && sql.name === 'marks'
        return store.execute(sql, ...rest)
      } }
      await assert.rejects(give(cut), /cut off/)
      assert.equal(told, cutAt !== 'marks')
      // Threads may cut a result into other blocks the next time.
      assert.equal(await give({ ...store, execute: (sql, bound, settings) => store.execute(sql, bound, { ...settings, max_block_size: 3 }) }), null)
      const rows = await store.query('SELECT count() AS marks, uniqExact(id) AS ids, uniqExact(known_until) AS looks FROM hl_marks', {}, z.object({ marks: z.coerce.number(), ids: z.coerce.number(), looks: z.coerce.number() }))
      assert.ok(rows[0] !== undefined && rows[0].marks > 0 && rows[0].marks === rows[0].ids && rows[0].looks === 1, `${cutAt}: ${JSON.stringify(rows)}`)
      const runs = await store.query("SELECT done, told FROM hl_signal_runs ORDER BY done, told", {}, z.object({ done: z.boolean(), told: z.boolean() }))
      assert.deepEqual(runs, [{ done: false, told: false }, { done: true, told: false }, { done: true, told: true }])
    }
  })

  it('have a random one beside each that has a side, of the same coin and terms, within its horizon', async () => {
    const { store } = await freshStore()
    await hear(store, 1, [...calm(0, 90 * minute, 100), trade(62 * minute, 100, 3_000_000)])
    await give(store)
    const Pair = z.object({ pairs: z.coerce.number(), fit: z.coerce.number() })
    const [row] = await store.query(`SELECT count() AS pairs, countIf(b.kind = s.kind AND b.version = s.version AND b.coin = s.coin AND b.stop = s.stop AND b.horizon_minutes = s.horizon_minutes AND b.time > s.time AND b.time <= s.time + 60 * s.horizon_minutes) AS fit
      FROM hl_signals AS s INNER JOIN hl_signals AS b ON b.matched = s.id WHERE b.baseline AND NOT s.baseline`, {}, Pair)
    assert.ok(row !== undefined && row.pairs > 0)
    assert.deepEqual([row.fit, (await signals(store, "NOT baseline AND side != 'none'")).length], [row.pairs, row.pairs])
  })

  it('every rule has its file and five versions', async () => {
    const { store } = await freshStore()
    const rules = await store.query("SELECT kind, groupArray(version) AS versions FROM (SELECT * FROM hl_signal_rules FINAL WHERE version != '' ORDER BY version) GROUP BY kind ORDER BY kind", {}, z.object({ kind: z.string(), versions: z.array(z.string()) }))
    assert.deepEqual(rules.map(({ kind }) => kind), [...signalKinds].sort())
    for (const { versions } of rules) assert.deepEqual(versions, ['v3', 'v4', 'v5', 'v6', 'v7'])
  })
})
