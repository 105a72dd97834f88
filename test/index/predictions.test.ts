/** The model on made-up series: it speaks where the flow to exchanges foretells the price, and is silent about noise; outcomes come later, and nothing is trained twice. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { train } from '../../stages/index/predictions/train.js'
import { freshStore } from '../support/servers.js'

const start = Math.floor(Date.UTC(2026, 0, 1) / 1_000)
/** Sign of the flow of hour n and of the price's next step, by a hash: planted tokens follow the flow in nine of ten hours. */
const flow = `if(cityHash64(token, n, 1) % 2 = 0, 1, -1)`
const step = `if(startsWith(token, 'sign') AND n > 0 AND cityHash64(token, n, 2) % 10 > 0, if(cityHash64(token, n - 1, 1) % 2 = 0, 1, -1), if(cityHash64(token, n, 3) % 2 = 0, 1, -1))`
const series = `SELECT toFixedString(name, 20) AS token, n, {start:UInt32} + n * 3600 AS second, exp(sum(move) OVER (PARTITION BY name ORDER BY n)) AS price, toward FROM (
  SELECT token AS name, n, ${step} * 0.01 AS move, ${flow} AS toward FROM (SELECT arrayJoin(['sign1', 'sign2', 'noise1', 'noise2', 'noise3', 'noise4', 'noise5', 'noise6']) AS token, number AS n FROM numbers({hours:UInt32})) ARRAY JOIN [n] AS n)`.replace(' ARRAY JOIN [n] AS n)', ')')

/** The index has passed heights from…to. */
const landed = (store: Store, from: number, to: number): Promise<number> => store.execute("INSERT INTO batches (chain, stage, from_block, to_block, finished_at) VALUES ('ETH', 'index', {from:UInt64}, {to:UInt64}, now64(3))", { from, to })
const fill = async (store: Store, hours: number, from = 0, indexed = true): Promise<void> => {
  const params = { start, hours, from }
  await store.execute(`INSERT INTO blocks (chain, block_number, block_time) SELECT 'ETH', number, toDateTime64({start:UInt32} + number * 3600 + 1800, 3, 'UTC') FROM numbers({hours:UInt32}) WHERE number >= {from:UInt32}`, params)
  if (indexed) await landed(store, from, hours - 1)
  await store.execute(`INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'ETH', token, n, toDateTime64(second + 1800, 3, 'UTC'), price, 'vwap' FROM (${series}) WHERE n >= {from:UInt32}`, params)
  await store.execute(`INSERT INTO pair_segments (chain, hour, segment, token_a, token_b, value_usd, version) SELECT 'ETH', toDateTime(second, 'UTC'), n, token, 'usd', 100000 + cityHash64(token, n, 4) % 50000, 1 FROM (${series}) WHERE n >= {from:UInt32}`, params)
  await store.execute(`INSERT INTO class_segments (chain, hour, segment, from_class, to_class, token, value_usd, version) SELECT 'ETH', toDateTime(second, 'UTC'), n, if(toward > 0, 'exchange', 'unknown'), if(toward > 0, 'unknown', 'exchange'), token, 20000 + cityHash64(token, n, 5) % 1000, 1 FROM (${series}) WHERE n >= {from:UInt32}`, params)
}

describe('predictions', function () {
  this.timeout(180_000)
  it('speak of a planted signal, are silent about noise, and are held against what came', async () => {
    const { store } = await freshStore()
    assert.deepEqual((await train(store, 'ETH')).version, 0)
    await fill(store, 900)
    const first = await train(store, 'ETH')
    // The newest block lies in the middle of hour 899: hour 898 is the last that is over.
    assert.deepEqual([first.version, first.tokens, first.speaking, first.ran], [start + 898 * 3_600, 8, 2, true])
    const tests = await store.query('SELECT toString(token) AS token, tested, hit_rate, base_rate, speaks FROM prediction_tests ORDER BY token', {}, z.object({ token: z.string(), tested: z.number(), hit_rate: z.number(), base_rate: z.number(), speaks: z.boolean() }))
    for (const { token, tested, hit_rate: hits, base_rate: base, speaks } of tests) {
      assert.ok(tested > 500 && base < 0.6, token)
      assert.equal(speaks, token.startsWith('sign'), token)
      assert.ok(speaks ? hits > 0.8 : hits < 0.6, `${token}: ${hits} against ${base}`)
    }
    const Said = z.object({ token: z.string(), probability: z.number(), target: z.string() })
    const said = await store.query('SELECT toString(token) AS token, probability_up AS probability, toString(target_hour) AS target FROM predictions ORDER BY token', {}, Said)
    assert.deepEqual(said.map(({ token, target }) => [token.replaceAll('\0', ''), target]), [['sign1', '2026-02-07 11:00:00'], ['sign2', '2026-02-07 11:00:00']])
    assert.ok(said.every(({ probability }) => probability > 0 && probability < 1 && Math.abs(probability - 0.5) > 0.1))
    assert.deepEqual([(await train(store, 'ETH')).ran, (await store.query('SELECT count() AS n FROM predictions', {}, z.object({ n: z.coerce.number() })))[0]?.n], [false, 2])

    await fill(store, 901, 900)
    const second = await train(store, 'ETH')
    assert.deepEqual([second.version, second.ran, second.outcomes, second.speaking], [start + 899 * 3_600, true, 2, 2])
    const [known] = await store.query('SELECT count() AS n, countIf(hit = (is_up = (p.probability_up > 0.5))) AS right FROM prediction_outcomes AS o INNER JOIN predictions AS p USING (chain, target_hour, token, version)', {}, z.object({ n: z.coerce.number(), right: z.coerce.number() }))
    assert.deepEqual(known, { n: 2, right: 2 })
  })

  it('of two trainings at once are written once', async () => {
    const { store } = await freshStore()
    await fill(store, 900)
    await Promise.all([train(store, 'ETH'), train(store, 'ETH'), train(store, 'ETH')])
    const counts = await store.query("SELECT (SELECT count() FROM predictions) AS n, (SELECT count() FROM prediction_tests) AS tests, (SELECT count() FROM prediction_models) AS models, (SELECT count() FROM prediction_runs) AS runs",
      {}, z.object({ n: z.coerce.number(), tests: z.coerce.number(), models: z.coerce.number(), runs: z.coerce.number() }))
    assert.deepEqual(counts, [{ n: 2, tests: 8, models: 40, runs: 1 }])
  })

  it('are of hours that the index has passed, all of them', async () => {
    const { store } = await freshStore()
    const version = async (): Promise<number> => ((await train(store, 'ETH')).version - start) / 3_600
    await fill(store, 20, 0, false)
    assert.equal((await train(store, 'ETH')).version, 0)
    await landed(store, 0, 9)
    assert.equal(await version(), 8)
    // A batch ahead of one that is still under way: the hour of the hole and those after it are not whole.
    await landed(store, 13, 19)
    assert.equal(await version(), 9)
    await landed(store, 10, 12)
    assert.equal(await version(), 18)
  })

  it('are of models that went over the hours in order, pass after pass', async () => {
    const { store } = await freshStore()
    const version = 3_600 * 1_000
    // What foretells the price turns round halfway: the order in which a model sees the hours decides what it has learnt.
    await store.execute(`INSERT INTO prediction_features (version, chain, token, hour, place, total, price, x1, x2, x3, x4, x5, x6, up)
      SELECT {version:UInt64}, 'ETH', 'turns', toDateTime(number * 3600, 'UTC'), number + 1, 400, 1, x, 0, 0, 0, 0, 0, (x > 0) = (number < 200) FROM (SELECT number, if(cityHash64(number) % 2 = 0, 1., -1.) AS x FROM numbers(400))`, { version })
    const alone = { max_threads: 1, max_insert_threads: 1 }
    await store.execute(loadSql(new URL('../../stages/index/predictions/x', import.meta.url).href, 'models.sql'), { chain: 'ETH', version }, alone)
    const Said = z.object({ said: z.number() })
    const [model] = await store.query('SELECT round(evalMLMethod(model, 1., 0., 0., 0., 0., 0.), 9) AS said FROM (SELECT model FROM prediction_models WHERE fold = 5)', {}, Said)
    await store.execute('CREATE TABLE in_order (pass UInt8, hour DateTime(\'UTC\'), x1 Float64, up Bool) ENGINE = MergeTree ORDER BY (pass, hour)')
    await store.execute('INSERT INTO in_order SELECT pass, hour, x1, assumeNotNull(up) FROM prediction_features ARRAY JOIN range(10) AS pass')
    const [wanted] = await store.query(`WITH (SELECT stochasticLogisticRegressionState(0.05, 0.01, 16, 'Adam')(if(up, 1., -1.), x1, 0., 0., 0., 0., 0.) FROM in_order SETTINGS max_threads = 1) AS model SELECT round(evalMLMethod(model, 1., 0., 0., 0., 0., 0.), 9) AS said`, {}, Said)
    await store.execute('DROP TABLE in_order')
    assert.deepEqual(model, wanted)
  })

  it('leave what the models of another chain see at the same hour', async () => {
    const { store } = await freshStore()
    await fill(store, 900)
    // The other chain is in the midst of its training: its models have yet to see these.
    await store.execute("INSERT INTO prediction_features (version, chain, token, hour) SELECT {version:UInt64}, 'OTHER', 'seen', now()", { version: start + 898 * 3_600 })
    assert.equal((await train(store, 'ETH')).ran, true)
    assert.deepEqual(await store.query('SELECT chain FROM prediction_features', {}, z.object({ chain: z.string() })), [{ chain: 'OTHER' }])
    const Parts = z.object({ rows: z.coerce.number() })
    assert.deepEqual(await store.query("SELECT sum(rows) AS rows FROM system.parts WHERE database = currentDatabase() AND table = 'prediction_features' AND active", {}, Parts), [{ rows: 1 }])
  })

  it('leave nothing of what models saw, though a training ended before it had cleared up', async () => {
    const { store } = await freshStore()
    await fill(store, 900)
    const { version } = await train(store, 'ETH')
    for (const chain of ['ETH', 'OTHER']) await store.execute('INSERT INTO prediction_features (version, chain, token, hour) SELECT {version:UInt64}, {chain:String}, \'left\', now()', { version, chain })
    assert.equal((await train(store, 'ETH')).ran, false)
    assert.deepEqual(await store.query('SELECT chain FROM prediction_features', {}, z.object({ chain: z.string() })), [{ chain: 'OTHER' }])
  })

  it('see each hour against the week before it, not against as many hours with a price', async () => {
    const { store } = await freshStore()
    await fill(store, 400)
    // Ten days without a price: of the week before each of the first 48 hours after them hardly anything is known.
    await store.execute('DELETE FROM prices WHERE block_number BETWEEN 100 AND 339')
    await store.execute(loadSql(new URL('../../stages/index/predictions/x', import.meta.url).href, 'features.sql'), { chain: 'ETH', version: start + 399 * 3_600, lowest: 0 })
    const seen = await store.query("SELECT toFloat64((toUnixTimestamp(hour) - {start:UInt32}) / 3600) AS n FROM prediction_features WHERE toString(token) LIKE 'sign1%' ORDER BY n", { start }, z.object({ n: z.number() }))
    assert.deepEqual(seen.map(({ n }) => n), [...Array.from({ length: 52 }, (_, nth) => 48 + nth), ...Array.from({ length: 12 }, (_, nth) => 388 + nth)])
  })
})
