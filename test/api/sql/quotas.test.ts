/** What is used up is told by its own name: statements, rows or seconds of the hour, and places that all keys of a tier share. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { faultOf } from '../../../api/sql/faults.js'
import { analystLimits } from '../../../schemas/analysts.js'
import { startService, type Service } from '../support/service.js'

describe('SQL for analysts: quotas', function () {
  this.timeout(120_000)
  let service: Service
  before(async () => { service = await startService() })
  after(() => service.stop())
  const rows = (query: string) => service.call('POST /v1/sql/rows', { body: { query } })

  it('rows of the hour that are used up are told as rows', async () => {
    let last = await rows('SELECT 1')
    for (let times = 0; times < 50 && last.status === 200; times++) last = await rows('SELECT max(number) FROM numbers(99000000)')
    assert.deepEqual([last.status, last.body.error?.code, last.headers.get('ratelimit-policy')], [429, 'RATE_LIMITED', '"minute";q=1000000;w=60, "rows_read";q=2000000000;w=3600'], last.text)
    // When the server's own interval ends.
    const [interval] = await service.store.query('SELECT toFloat64(max(toUnixTimestamp(end_time)) - toUnixTimestamp(now())) AS left FROM system.quotas_usage WHERE duration = 3600 AND read_rows > 1000000000', {}, z.object({ left: z.number() }))
    const said = Number(/^"rows_read";r=0;t=(\d+)$/.exec(last.headers.get('ratelimit') ?? '')?.[1])
    assert.ok(interval !== undefined && said >= interval.left && said <= interval.left + 10, `${said} and not ${interval?.left}`)
    assert.match(last.body.error.message, /^The rows this account may read in an hour are used up/)
  })

  it('all keys of an account draw on one quota', async () => {
    const { keys } = service.api.parts.services, given = { role: 'agent' as const, tier: 'pro', rate_limit: 1_000_000, daily_cap: 0, scopes: ['read'] as ['read'], source_ip: '' }
    const { record: own, key } = await keys.issue({ ...given, name: 'own' })
    const named = await keys.issue({ ...given, name: 'named', origin: 'named' as const, account: own.public_id, quota: own.quota })
    for (const each of [key, named.key]) assert.equal((await service.call('POST /v1/sql/rows', { body: { query: 'SELECT 1' }, key: each })).status, 200)
    const usedBy = async (who: string): Promise<number | undefined> => (await service.store.query('SELECT toFloat64(max(queries)) AS used FROM system.quotas_usage WHERE quota_key = {who:String}',
      { who: createHash('sha256').update(who).digest('hex').slice(0, 32) }, z.object({ used: z.number().nullable() })))[0]?.used ?? 0
    assert.deepEqual([await usedBy(own.quota), await usedBy(named.record.lineage)], [2, 0])
  })

  it('so are seconds and statements, by what the server says', () => {
    const said = (resource: string): unknown => faultOf(`Code: 201. DB::Exception: Quota for user \`analyst_free\` for 3600s has been exceeded: ${resource} = 601/600. Interval will end at 2026-01-01 00:00:00. Name of quota template: \`analyst_free\`. (QUOTA_EXCEEDED) (version 26.1)`, analystLimits.free, []).body['window']
    assert.deepEqual([said('queries'), said('execution_time'), said('read_rows')], [{ name: 'statements', limit: 300, seconds: 3_600 }, { name: 'seconds_run', limit: 300, seconds: 3_600 }, { name: 'rows_read', limit: 2e9, seconds: 3_600 }])
  })

  it('until the hour ends', () => {
    const said = (now: string): unknown => faultOf('Code: 201. DB::Exception: Quota for user `a` for 3600s has been exceeded: queries = 601/600.', analystLimits.free, [], Date.parse(now)).body['retry_after']
    assert.deepEqual(['2026-01-01T05:00:00Z', '2026-01-01T05:10:00.5Z', '2026-01-01T05:59:59.9Z'].map(said), [3_600, 3_000, 1])
  })

  it('the schema tells every limit of the hour', async () => {
    const { limits } = (await service.call('GET /v1/sql/schema')).body
    assert.deepEqual([limits.statements_per_hour, limits.rows_read_per_hour, limits.seconds_per_hour], [300, 2e9, 300])
  })

  // Said by the server's words: filling the places of a tier would take them from whoever else runs statements on this server.
  it('places that other keys of the tier fill are not told as the caller\'s own', () => {
    const said = (text: string) => faultOf(`Code: 202. DB::Exception: ${text} (TOO_MANY_SIMULTANEOUS_QUERIES) (version 26.1)`, analystLimits.pro, [])
    const tier = said('Too many simultaneous queries for user analyst_pro. Current: 16, maximum: 16.')
    assert.deepEqual([tier.code, tier.status, tier.body['window']], ['RATE_LIMITED', 429, { name: 'statements_at_once_of_tier', limit: 16, seconds: undefined }])
    assert.match(tier.message, /^All keys of this tier together run 16 statements already/)
    assert.deepEqual([said('Too many simultaneous queries. Maximum: 100.').status], [503])
  })
})
