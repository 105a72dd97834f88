/** Predictions as they are answered: none without a training, silence that is an answer, and what came of those that were made. */
import assert from 'node:assert/strict'
import { at, putTokens } from '../enrich/handmade.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const [one, two] = [at('a1'), at('a2')]

describe('predictions, answered', function () {
  this.timeout(60_000)
  let service: Service
  const get = async (query = ''): Promise<any> => (await service.call(`GET /v1/predictions${query}`)).body
  before(async () => { service = await startService(); await seed(service.store, 1, 20) })
  after(() => service.stop())

  it('no training is a gap, a training that says nothing is an answer', async () => {
    const untrained = await get()
    assert.deepEqual([untrained.training, untrained._meta.empty], [null, { is_successful_empty: false, empty_reason: 'data_gap' }])
    await service.store.execute(`INSERT INTO prediction_runs SELECT 'ETH', 1767225600, now64(3), toDateTime(1766225600), toDateTime(1767225600), 5000, 8, 0`)
    await service.store.execute(`INSERT INTO batches SELECT * REPLACE (now64(3) AS finished_at) FROM batches WHERE stage = 'alert' LIMIT 1`)
    const silent = await get('?limit=99')
    assert.deepEqual([silent.training.from_hour, silent.training.rows], ['2025-12-20T10:13:20Z', 5000])
    assert.deepEqual([silent.training.tokens_tested, silent.training.tokens_speaking, silent.predictions, silent.training.model_version], [8, 0, [], '2026-01-01T00:00:00Z'])
    await service.store.execute(`INSERT INTO prediction_runs SELECT 'ETH', 1767229200, now64(3), toDateTime(0), toDateTime(1767229200), 0, 0, 0`)
    const { training, _meta: { empty } } = await get('?limit=98')
    assert.deepEqual(empty, { is_successful_empty: false, empty_reason: 'data_gap' }, 'no token could be tested')
    assert.deepEqual([training.from_hour, training.rows, training.to_hour], [null, 0, '2026-01-01T01:00:00Z'])
    assert.equal((await get('?chain=BTC'))._meta.empty.empty_reason, 'unsupported_input')
  })

  it('come by hour with what came of them, page by page', async () => {
    const { store } = service
    await putTokens(store, [{ address: one, symbol: 'ON\u202eE', decimals: 18 }])
    await store.execute(`INSERT INTO predictions SELECT 'ETH', toDateTime(1767225600 + hour * 3600), toFixedString(unhex(substring(token, 3)), 20), 1767222000 + hour * 3600, 1, now64(3), 0.75, 2, map('return_1h', 0.5), 500, 0.6, 0.52, FROM (SELECT arrayJoin([1, 2, 3]) AS hour) ARRAY JOIN [{one:String}, {two:String}] AS token`.replace('0.52, FROM', '0.52 FROM'), { one, two })
    await store.execute(`INSERT INTO prediction_outcomes SELECT chain, target_hour, token, version, if(target_hour = toDateTime(1767229200), 3, 1), target_hour = toDateTime(1767229200), target_hour = toDateTime(1767229200), now64(3) FROM predictions WHERE target_hour < toDateTime(1767236400) AND token = toFixedString(unhex(substring({one:String}, 3)), 20)`, { one })
    const pages: any[] = []
    for (let cursor = ''; ;) {
      const page = await get(`?limit=4${cursor}`)
      pages.push(...page.predictions)
      if (!page.has_more) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(pages.map(({ token, target_hour: hour, hit }) => [token, hour, hit]), [
      [one, '2026-01-01T03:00:00Z', null], [two, '2026-01-01T03:00:00Z', null], [one, '2026-01-01T02:00:00Z', false], [two, '2026-01-01T02:00:00Z', null],
      [one, '2026-01-01T01:00:00Z', true], [two, '2026-01-01T01:00:00Z', null],
    ])
    const [first] = (await get(`?token=${one}&limit=1`)).predictions
    assert.deepEqual([first.symbol, first.probability_up, first.features, first.realised, first.realised_hit_rate, first.realised_base_rate, first.hit_rate, first.base_rate], ['ONE', 0.75, { return_1h: 0.5 }, 2, 0.5, 0.5, 0.6, 0.52])
  })
})
