/** Sums of the market are of everything, and unknown where a part of them is. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { at, putTokens } from '../enrich/handmade.js'
import { until } from '../support/pipeline.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const [start, exchanges, coin] = [new Date('2026-01-01T10:00:00Z'), 60, at('c1')]

describe('totals of the market', function () {
  this.timeout(90_000)
  let service: Service
  let empty: any
  let nobody: any
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/dashboard/${path}`)).body
  before(async () => {
    service = await startService()
    const { store } = service
    empty = await get('market?chain=eth')
    nobody = (await service.call('GET /v1/entity/nobody', { key: null })).body
    await putTokens(store, [{ address: coin, symbol: 'NEWUSD', decimals: 6, stable: true }])
    await store.execute(`INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version)
      SELECT 'ETH', concat('0x', leftPad(toString(number), 40, '9')), 'x', concat('exchange ', leftPad(toString(number), 2, '0')), 'exchange', 'test', '', 80, now64(3), 1 FROM numbers({exchanges:UInt32})`, { exchanges })
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await seed(store, 1_000, 20, start)
    await store.execute(`INSERT INTO entity_token_segments (chain, hour, segment, entity, token, transfers_in, usd_in, transfers_out, usd_out, version)
      SELECT 'ETH', toDateTime('2026-01-01 10:00:00'), 1, concat('exchange ', leftPad(toString(number), 2, '0')), unhex(repeat('05', 20)), 1, 10 + number, 1, number, 1 FROM numbers({exchanges:UInt32})`, { exchanges })
    // What the ledger says is at most a second old.
    await until(async () => (await get('gas')).window !== null, 'the blocks are seen')
  })
  after(() => service.stop())

  it('are no zeros while nothing is indexed; a name that was looked for in no register says nothing', () => {
    assert.deepEqual([empty.whale_activity, empty.exchange_flows, empty.stablecoins, empty.failed, empty._meta.empty], [null, null, null, [], { is_successful_empty: false, empty_reason: 'stale_pipeline' }])
    assert.deepEqual([nobody.entity, nobody.searched, nobody._meta.empty], [null, 0, { is_successful_empty: false, empty_reason: 'data_gap' }])
  })

  it('of exchanges are of all of them, listed or not', async () => {
    const { count, total, exchanges: listed, usd_in: gained, usd_out: lost, usd_net: net } = await get('exchange-flows?hours=1')
    const sum = exchanges * (exchanges - 1) / 2
    assert.deepEqual([count, listed.length, total, gained, lost, net], [50, 50, exchanges, sum + 10 * exchanges, sum, 10 * exchanges])
    assert.deepEqual([listed[0].exchange, listed[0].usd_in, 'all_in' in listed[0]], ['exchange 59', 69, false])
    const paged: unknown[] = []
    for (let next = ''; ;) {
      const page = await get(`exchange-flows?hours=1&limit=25${next}`)
      assert.deepEqual([page.total, page.usd_in], [total, gained], 'of all of them on every page')
      paged.push(...page.exchanges)
      if (!page.has_more) break
      next = `&cursor=${page.next_cursor}`
      assert.equal((await get(`exchange-flows?hours=2${next}`)).detail.error, 'INVALID_CURSOR')
    }
    assert.deepEqual(paged, (await get('exchange-flows?hours=1&limit=200')).exchanges)
    assert.equal(paged.length, exchanges)
    const { exchange_flows: section } = await get('market')
    assert.deepEqual([section.usd_in, section.usd_net], [gained, net])
  })

  it('of stablecoins are unknown where something was minted that has no price', async () => {
    assert.equal((await get('market')).stablecoins.net_usd, 0)
    await service.store.execute(`INSERT INTO transfers (chain, block_number, kind, position, block_time, token, token_symbol, token_decimals, from_address, to_address, amount, value_usd)
      SELECT 'ETH', 1010, 'erc20', 77, {at:DateTime64(3)}, unhex({coin:String}), 'NEWUSD', 6, unhex(repeat('00', 20)), unhex(repeat('07', 20)), 5000000, NULL`, { coin: coin.slice(2), at: '2026-01-01 10:02:00.000' })
    const { stablecoins: [minted] } = await get('stablecoins?hours=2')
    assert.deepEqual([minted.token, minted.minted, minted.net_usd], [coin, '5000000', null])
    assert.equal((await service.call('GET /v1/dashboard/market?chain=ethereum')).body.stablecoins.net_usd, null)
  })

  it('in dollars are exact, so they are the same in whatever order rows are read', async () => {
    const { store } = service
    const few = { chain: 'TST', first: 0, newest: 1_000, min_usd: 0, address: '01'.repeat(20), from: 0, to: Date.now(), rank: '9'.repeat(38), after: '', limit: 1 }
    await store.execute("INSERT INTO transfers (chain, block_number, position, block_time, kind, to_class, to_entity, value_usd) SELECT 'TST', 1, number, now64(3), 'native', 'exchange', 'x', 0.1 FROM numbers(10)")
    await store.execute("INSERT INTO address_transfers (chain, address, block_number, position, kind, direction, other, value_usd) SELECT 'TST', unhex(repeat('01', 20)), 1, number, 'native', 'in', unhex(repeat('02', 20)), 0.1 FROM numbers(10)")
    await store.execute("INSERT INTO swaps (chain, block_number, log_index, block_time, token_sold, token_bought, token_sold_known, token_bought_known, value_usd) SELECT 'TST', 1, number, now64(3) - 1, unhex(repeat('01', 20)), unhex(repeat('02', 20)), true, true, 0.1 FROM numbers(10)")
    for (const [file, name] of [['dashboard/getWhaleActivity.sql', 'usd'], ['dashboard/getWhaleActivity.sql', 'exchange_in_usd'], ['dashboard/listSwapPairs.sql', 'volume_usd'], ['wallets/listExposures.sql', 'usd_in'], ['wallets/listCounterparties.sql', 'usd_in']] as const) {
      const rows = await store.query(loadSql(new URL('../../api/operations/x', import.meta.url).href, file), few, z.looseObject({}))
      assert.deepEqual(rows.map((row) => row[name]), [1], `${name} of ${file}`)
    }
    // What it paid to itself is no counterparty's.
    await store.execute("INSERT INTO address_transfers (chain, address, block_number, position, kind, direction, other, value_usd) SELECT 'TST', unhex(repeat('01', 20)), 1, 10, 'native', arrayJoin(['in', 'out']), unhex(repeat('01', 20)), 7")
    const parties = await store.query(loadSql(new URL('../../api/operations/x', import.meta.url).href, 'wallets/listCounterparties.sql'), few, z.looseObject({}))
    assert.deepEqual(parties.map(({ usd_in: gained }) => gained), [1])
  })
})
