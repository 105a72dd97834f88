/** What is used up is told by its own name: statements, rows or seconds of the hour, and places that all keys of a tier share. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { faultOf } from '../../../api/sql/faults.js'
import { analystLimits, publishedIn } from '../../../schemas/analysts.js'
import { clickhouseUrl } from '../../support/servers.js'
import { startService, type Service } from '../support/service.js'

describe('SQL for analysts: quotas', function () {
  this.timeout(120_000)
  let service: Service
  before(async () => { service = await startService() })
  after(() => service.stop())
  const rows = (query: string) => service.call('POST /v1/sql/rows', { body: { query } })

  it('rows of the hour that are used up are told as rows', async () => {
    let last = await rows('SELECT 1')
    for (let times = 0; times < 25 && last.status === 200; times++) last = await rows('SELECT max(number) FROM numbers(99000000)')
    assert.deepEqual([last.status, last.body.error?.code, last.headers.get('ratelimit'), last.headers.get('ratelimit-policy')], [429, 'RATE_LIMITED', '"rows_read";r=0;t=600', '"minute";q=1000000;w=60, "rows_read";q=2000000000;w=3600'], last.text)
    assert.match(last.body.error.message, /^The rows this key may read in an hour are used up/)
  })

  it('so are seconds and statements, by what the server says', () => {
    const said = (resource: string): unknown => faultOf(`Code: 201. DB::Exception: Quota for user \`analyst_free\` for 3600s has been exceeded: ${resource} = 601/600. Interval will end at 2026-01-01 00:00:00. Name of quota template: \`analyst_free\`. (QUOTA_EXCEEDED) (version 26.1)`, analystLimits.free, []).body['window']
    assert.deepEqual([said('queries'), said('execution_time'), said('read_rows')], [{ name: 'statements', limit: 300, seconds: 3_600 }, { name: 'seconds_run', limit: 300, seconds: 3_600 }, { name: 'rows_read', limit: 2e9, seconds: 3_600 }])
  })

  it('the schema tells every limit of the hour', async () => {
    const { limits } = (await service.call('GET /v1/sql/schema')).body
    assert.deepEqual([limits.statements_per_hour, limits.rows_read_per_hour, limits.seconds_per_hour], [300, 2e9, 300])
  })

  it('places that other keys of the tier fill are not told as the caller\'s own', async () => {
    const url = await clickhouseUrl()
    const busy = Array.from({ length: 16 }, () => fetch(`${url}/?user=analyst_pro&database=${publishedIn(service.database)}`, { method: 'POST', body: 'SELECT count() FROM numbers(20) WHERE sleepEachRow(0.15) = 0' }).then((answer) => answer.text()))
    const count = async (): Promise<number> => (await service.store.query("SELECT count() AS n FROM system.processes WHERE user = 'analyst_pro'", {}, z.object({ n: z.coerce.number() })))[0]?.n ?? 0
    while (await count() < 16) await new Promise((resolve) => setTimeout(resolve, 20))
    const { key } = await service.api.parts.services.keys.issue({ name: 'pro', role: 'agent', tier: 'pro', rate_limit: 100_000, daily_cap: 0, scopes: [], source_ip: '' })
    const { status, body, text, headers } = await service.call('POST /v1/sql/rows', { key, body: { query: 'SELECT 1' } })
    assert.deepEqual([status, body.error?.code, headers.get('ratelimit')], [429, 'RATE_LIMITED', '"statements_at_once_of_tier";r=0;t=5'], text)
    assert.match(body.error.message, /^All keys of this tier together run 16 statements already/)
    await Promise.all(busy)
    assert.equal((await service.call('POST /v1/sql/rows', { key, body: { query: 'SELECT 1' } })).status, 200)
  })
})
