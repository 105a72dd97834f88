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

  it('tell apart what no list names: its price is what its own pool says', async () => {
    const { store } = service
    const [before, { whale_activity: whales }] = [await get('exchange-flows?hours=4'), (await service.call('GET /v1/dashboard/market?chain=eth')).body]
    assert.deepEqual([before.usd_listed_in, before.usd_listed_out, before.exchanges[0].usd_listed_in, before.exchanges[0].tokens[0].listed], [0, 0, 0, false])
    await store.execute(`INSERT INTO entity_token_segments (chain, hour, segment, entity, token, transfers_in, usd_in, transfers_out, usd_out, version)
      SELECT 'ETH', toDateTime('2026-01-01 10:00:00'), 1, 'exchange 03', t.1, 1, toDecimal256(t.2, 6), 1, toDecimal256(t.3, 6), 1 FROM (SELECT arrayJoin([(unhex(repeat('06', 20)), '1e24', '0'), (unhex({coin:String}), '500', '30'), (unhex(repeat('00', 20)), '0.25', '40')]) AS t)`, { coin: coin.slice(2) })
    const { usd_in: gained, usd_listed_in: sure, usd_listed_out: given, exchanges: [first] } = await get('exchange-flows?hours=5')
    assert.deepEqual([gained, sure, given, first.exchange, first.usd_listed_in, first.usd_listed_out], [1e24, 500.25, 70, 'exchange 03', 500.25, 70])
    assert.deepEqual(first.tokens.map((one: any) => [one.token, one.listed]), [[at('06'.repeat(20)), false], [coin, true], [at('00'.repeat(20)), true], [at('05'.repeat(20)), false]])
    // In each of 20 blocks of the seed an exchange sends coin worth 2,000,000 and 150,000.
    await store.execute(`INSERT INTO transfers (chain, block_number, kind, position, block_time, token, from_address, to_address, from_entity, to_entity, to_class, amount, value_usd)
      SELECT 'ETH', 1010, 'erc20', 80 + n, {at:DateTime64(3)}, t.1, unhex(repeat('08', 20)), unhex(repeat('07', 20)), 'somebody', 'Exchange', 'exchange', 1, t.2 FROM (SELECT rowNumberInAllBlocks() AS n, arrayJoin([(unhex(repeat('06', 20)), 1e24), (unhex({coin:String}), 300000)]) AS t)`, { coin: coin.slice(2), at: '2026-01-01 10:02:00.000' })
    const { whale_activity: now, exchange_flows: section } = (await service.call('GET /v1/dashboard/market?chain=Eth')).body
    assert.deepEqual([whales.listed.count, now.listed.count - whales.listed.count, now.count - whales.count, now.largest_usd, now.listed.largest_usd], [40, 1, 2, 1e24, 2_000_000])
    assert.deepEqual([now.usd, now.exchange_in_usd, now.listed.usd, now.listed.exchange_in_usd, now.listed.exchange_out_usd], [1e24, 1e24, 43_300_000, 300_000, 43_000_000])
    assert.deepEqual([section.usd_listed_in, section.usd_listed_out, section.top[0]], [500.25, 70, { exchange: 'exchange 03', usd_net: first.usd_net, usd_listed_net: 430.25, usd_unknown: 0, transfers_unknown: 0 }])
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
