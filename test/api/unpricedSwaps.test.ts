/** Swaps of which none has a price in dollars: lists that choose by dollars find nothing, which says nothing; a list that does not choose has them, worth nothing known. */
import assert from 'node:assert/strict'
import { at, majors, putTokens } from '../enrich/handmade.js'
import { until } from '../support/pipeline.js'
import { startService, type Service } from './support/service.js'

const first = 1_000, blocks = 2_000

describe('swaps without a price', function () {
  this.timeout(60_000)
  let service: Service
  let start: number
  const time = "toDateTime64({start:UInt32} + 12 * (number - 1000), 3, 'UTC')"
  const swaps = (from: number, count: number, usd: number | null) => service.store.execute(`INSERT INTO swaps (chain, block_number, log_index, block_time, tx_hash, pool, trusted, trader, token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought, value_usd)
    SELECT 'ETH', number, 1, ${time}, SHA256(toString(number)), toFixedString('p', 32), true, unhex({trader:String}), unhex({sold:String}), true, 5, unhex({bought:String}), true, 6, {usd:Nullable(Float64)} FROM numbers({from:UInt64}, {count:UInt64})`,
  { start, from, count, usd, trader: at('01').slice(2), sold: at('02').slice(2), bought: at('03').slice(2) })
  const price = (from: number) => service.store.execute(`INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'ETH', toFixedString('', 20), number, ${time}, 2000, 'vwap' FROM numbers({from:UInt64}, 2000)`, { start, from })
  const asked = async (path: string): Promise<readonly [string | null, boolean | null, any, readonly string[]]> => {
    const { body, headers } = await service.call(`GET /v1/${path}`)
    if (!Array.isArray(body)) return [body._meta.empty?.empty_reason ?? null, body._meta.empty?.is_successful_empty ?? null, body, body.coverage_status.warnings]
    return [headers.get('x-empty-reason'), headers.get('x-successful-empty') === null ? null : headers.get('x-successful-empty') === 'true', body, JSON.parse(headers.get('x-coverage-status') ?? '{}').warnings]
  }
  const chosen = ['feed/trending?hours=1&limit=', 'feed/swaps/recent?min_usd=1&limit=', 'dashboard/swap-pairs?min_usd=1&limit=', 'feed/emerging-tokens?limit=', 'tokens/emerging?limit=', 'intelligence/emerging?limit=']
  before(async () => {
    service = await startService()
    start = Math.floor(Date.now() / 1_000) - 12 * (blocks - 1)
    await service.store.execute(`INSERT INTO blocks (chain, block_number, block_hash, block_time, miner, internal_complete) SELECT 'ETH', number, SHA256(toString(number)), ${time}, '', true FROM numbers({first:UInt64}, {blocks:UInt64})`, { start, first, blocks })
    await price(first)
    await service.store.execute("INSERT INTO plans SELECT 'ETH', 1, 'plan', {first:UInt64}, {last:UInt64}, 'x', '', 0, 't', 1, 'w', now64(3)", { first, last: first + blocks - 1 })
    await service.store.execute("INSERT INTO batches SELECT 'ETH', stage, {first:UInt64}, {last:UInt64}, 'x', 0, 1, 1, 40, 'node', now64(3) FROM (SELECT arrayJoin(['ingest', 'normalize', 'enrich', 'index', 'alert']) AS stage)", { first, last: first + blocks - 1 })
    await service.store.execute("INSERT INTO heads SELECT 'ETH', {last:UInt64}, 'x', now64(3), {last:UInt64}, 'node', now64(3)", { last: first + blocks - 1 })
    await until(async () => (await service.call('GET /v1/dashboard/swap-pairs?limit=1')).body.window !== null, 'the blocks are seen')
  })
  after(() => service.stop())

  it('are none where nobody swapped anything: of blocks with prices that is an answer', async () => {
    for (const path of ['feed/swaps/recent?min_usd=0', 'dashboard/swap-pairs', ...chosen.map((path) => `${path}12`)]) assert.deepEqual((await asked(path)).slice(0, 2), ['no_signal', true], path)
  })

  it('are a gap where the blocks are priced and they are not', async () => {
    await swaps(first + blocks - 20, 20, null)
    for (const path of chosen) {
      const [reason, successful, , warnings] = await asked(`${path}13`)
      assert.deepEqual([reason, successful], ['data_gap', false], path)
      assert.ok(warnings.includes('None of 20 swaps of ETH of the time asked about has a price in dollars: what was swapped is in no count or sum by dollars'), path)
    }
  })

  it('are listed with a value that is not known where nothing is asked of it', async () => {
    const [, , { swaps: listed }] = await asked('feed/swaps/recent?min_usd=0&limit=14')
    assert.deepEqual([listed.length, listed[0].value_usd], [14, null])
    const [{ unpriced, volume_usd: volume }] = (await asked('dashboard/swap-pairs?limit=14'))[2].pairs
    assert.deepEqual([unpriced, volume], [20, null])
  })

  it('are no gap beside others that have one', async () => {
    await swaps(first + blocks - 40, 1, 0.5)
    for (const path of ['feed/swaps/recent?min_usd=1&limit=15', 'dashboard/swap-pairs?min_usd=1&limit=15']) assert.deepEqual((await asked(path)).slice(0, 2), ['no_signal', true], path)
    assert.equal((await asked('feed/trending?hours=1&limit=15'))[2].count, 2)
    assert.equal((await asked('dashboard/swap-pairs?limit=15'))[2].pairs[0].volume_usd, 0.5)
  })

  it('nor is there one to emerging tokens once a list of tokens is loaded, which tells what counts', async () => {
    const [reason, successful, , warnings] = await asked('feed/emerging-tokens?limit=15')
    assert.deepEqual([reason, successful, warnings.filter((one) => one.includes('no list of tokens is loaded')).length], ['data_gap', false, 1])
    await putTokens(service.store, majors)
    assert.deepEqual((await asked('feed/emerging-tokens?limit=16')).slice(0, 2), ['no_signal', true])
  })

  it('of the period before make what trends unknown, not new', async () => {
    const trend = async (): Promise<unknown[]> => { const { trend: way, previous_volume_usd: before, change_percent: change } = (await asked(`feed/trending?hours=1&limit=${16 + tried++}`))[2].tokens[0]; return [way, before, change] }
    let tried = 0
    assert.deepEqual(await trend(), ['new', 0, null])
    await swaps(first + blocks - 500, 3, null)
    assert.deepEqual(await trend(), ['unknown', null, null])
    const hours = async (): Promise<unknown[]> => (await asked(`feed/trending?hours=1&limit=${16 + tried++}`))[2].tokens[0].sparkline.slice(-3)
    assert.deepEqual(await hours(), [0, null, 0.5])
    await swaps(first + blocks - 450, 1, 2)
    assert.deepEqual(await trend(), ['down', 2, -75])
    assert.deepEqual(await hours(), [0, 2, 0.5])
  })
})
