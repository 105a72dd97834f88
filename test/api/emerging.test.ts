/** Emerging tokens: the gates against fakes, few buyers and old tokens; what wash trades and concentration cost; one answer on three routes. */
import assert from 'node:assert/strict'
import type { Store } from '../../schemas/clickhouse.js'
import { at, majors, putTokens } from '../enrich/handmade.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const blocks = 1_800
const [good, washed, fake, quiet, old, held, alike, pumped, sham, marked, tether] = [at('a1'), at('a2'), at('a3'), at('a4'), at('a5'), at('a6'), at('a7'), at('a8'), at('a9'), at('b0'), at('b3')] as const
const address = (name: string): string => `toFixedString(unhex(substring(${name}, 3)), 20)`
const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'

interface Trades { readonly token: string; readonly buy: boolean; readonly count: number; readonly from: number; readonly step: number; readonly trader: string; readonly usd?: number; readonly trusted?: boolean; readonly log?: number; readonly against?: string; /** Legs of one trader in one block that name the same are of one transaction. */ readonly tx?: string }

/** `count` swaps of 1,000 USD from block `from` on, one in every `step` blocks; `trader` is an expression of i. The pool holds 25 of the coin at 2,000 USD. */
const trade = async (store: Store, { token, buy, count, from, step, trader, usd = 1_000, trusted = true, log = 0, against = weth, tx = '' }: Trades): Promise<void> => {
  const params = { token, buy, count, from, step, usd, trusted, log, against, tx }
  const [place, time] = ['{from:UInt64} + {step:UInt64} * i AS n', '(SELECT min(block_time) FROM blocks) + toIntervalSecond(12 * ({from:UInt64} + {step:UInt64} * i - 1))']
  const [coin, amount] = ['toUInt256({usd:Float64} / 2000 * 1e6) * toUInt256(1000000000000)', 'toUInt256(5) * toUInt256(1000000000000000000000)']
  const sold = `if({buy:Bool}, ${address('{against:String}')}, ${address('{token:String}')}), true`
  const bought = `if({buy:Bool}, ${address('{token:String}')}, ${address('{against:String}')}), true`
  const hash = `SHA256(concat({token:String}, toString(n), if({tx:String} = '', concat(toString({buy:Bool}), toString({log:UInt32})), {tx:String}), toString(i)))`
  const id = `{log:UInt32} + toUInt32(substring({token:String}, 42, 1)) * 10`
  const pool = `toFixedString(concat('pool', {token:String}), 32)`
  const pool32 = pool.replace('{token:String}', 'substring({token:String}, 20)')
  await store.execute(`INSERT INTO swaps SELECT 'ETH', ${place}, ${id}, '', ${time}, 0, ${hash}, 'uniswap_v2', false, ${pool32}, {trusted:Bool}, toFixedString(unhex(leftPad(lower(hex(${trader})), 40, '0')), 20), '', '',
    ${sold}, '', 18, if({buy:Bool}, ${coin}, ${amount}), ${bought}, '', 18, if({buy:Bool}, ${amount}, ${coin}), {usd:Float64}, 'vwap', 'sold', 0 FROM (SELECT number AS i FROM numbers({count:UInt64}))`, params)
  await store.execute(`INSERT INTO swap_legs SELECT 'ETH', ${place}, ${id}, '', ${time}, 0, ${hash}, 'uniswap_v2', false, ${pool32}, '', {trusted:Bool}, '', '', ${sold}, if({buy:Bool}, ${coin}, ${amount}), ${bought}, if({buy:Bool}, ${amount}, ${coin}),
    toUInt256(25) * toUInt256(1000000000000000000), toUInt256(25) * toUInt256(1000000000000000000), 0 FROM (SELECT number AS i FROM numbers({count:UInt64}))`, params)
}
const born = (store: Store, token: string, trusted = true, days = 0): Promise<number> => store.execute(`INSERT INTO pool_sightings SELECT 'ETH', toFixedString(concat('pool', substring({token:String}, 20)), 32), 1, 0, '',
  (SELECT min(block_time) FROM blocks) - toIntervalDay({days:UInt32}), '', 'uniswap_v2', 'created', '', {trusted:Bool}, [${address('{token:String}')}, ${address('{weth:String}')}], 0, 0`, { token, trusted, days, weth })

describe('emerging tokens', function () {
  this.timeout(120_000)
  let service: Service
  const list = async (query = ''): Promise<any[]> => (await service.call(`GET /v1/feed/emerging-tokens${query}`, { key: null })).body
  before(async () => {
    service = await startService()
    const { store } = service
    await seed(store, 1, blocks)
    await store.execute('TRUNCATE TABLE swaps')
    // Well traded tokens that call themselves USDC, with a Cyrillic C, and USDT, with the sign of the tugrik, and one that calls itself by a name of its own.
    // A listed one's symbol is a mark (the registers have such a token): it is none that tokens without a symbol, or with another mark, would look like.
    await putTokens(store, [...majors, { address: at('b1'), symbol: '\u2318', decimals: 18, source: 'ethereum-lists' }, { address: held, symbol: '\u{1f438}', decimals: 18, source: 'node' }, { address: marked, symbol: '\u2318', decimals: 18, source: 'node' },
      { address: alike, symbol: 'us\u0501\u0421\u3164', decimals: 18, source: 'node' }, { address: tether, symbol: 'USD\u20ae', decimals: 18, source: 'node' }, { address: good, symbol: 'GOOD', decimals: 18, source: 'node' }])
    for (const token of [good, washed, quiet, held, alike, pumped, marked, tether]) await born(store, token)
    await born(store, fake, false)
    await born(store, old, true, 40)
    for (const token of [good, washed, fake, old, alike, marked]) {
      await trade(store, { token, buy: true, count: 60, from: 30, step: 29, trader: '1000 + i', trusted: token !== fake })
      await trade(store, { token, buy: false, count: 15, from: 40, step: 100, trader: '2000 + i', trusted: token !== fake, log: 1 })
    }
    await trade(store, { token: tether, buy: true, count: 60, from: 30, step: 29, trader: '1000 + i', log: 500 })
    await trade(store, { token: tether, buy: false, count: 15, from: 40, step: 100, trader: '2000 + i', log: 501 })
    // What a token that no list names pays, at the price that a pool of its own maker's gives it, is no money: neither lets in a token nor adds to one.
    for (const token of [pumped, good]) {
      await trade(store, { token, buy: true, count: 60, from: 30, step: 29, trader: '4000 + i', usd: 9_000, log: 4, against: sham })
      await trade(store, { token, buy: false, count: 15, from: 40, step: 100, trader: '5000 + i', usd: 9_000, log: 5, against: sham })
    }
    // One wallet, 15 round trips of 4,000 USD each way.
    await trade(store, { token: washed, buy: true, count: 15, from: 50, step: 100, trader: '7', usd: 4_000, log: 2 })
    await trade(store, { token: washed, buy: false, count: 15, from: 51, step: 100, trader: '7', usd: 4_000, log: 3 })
    await trade(store, { token: quiet, buy: true, count: 20, from: 30, step: 29, trader: '1000 + i' })
    await trade(store, { token: quiet, buy: false, count: 15, from: 40, step: 100, trader: '2000 + i', log: 1 })
    // Ten wallets buy 9 parts of 10.
    await trade(store, { token: held, buy: true, count: 40, from: 30, step: 29, trader: '1000 + i', usd: 100 })
    await trade(store, { token: held, buy: true, count: 10, from: 31, step: 29, trader: '3000 + i', usd: 3_600, log: 2 })
    await trade(store, { token: held, buy: false, count: 15, from: 40, step: 100, trader: '2000 + i', log: 1 })
  })
  after(() => service.stop())

  it('lets in what has a known pool, liquidity, buyers and sellers, and says what stands behind a score', async () => {
    const found = await list('?min_score=0')
    assert.deepEqual(found.map(({ token }) => token).sort(), [good, washed, held])
    const one = found.find(({ token }) => token === good)
    assert.deepEqual([one.buyers_6h, one.sellers_6h, one.volume_usd_6h, one.wash_share, one.parts.smart_money], [60, 15, 75_000, 0, null])
    assert.equal(Math.round(one.liquidity_usd), 100_000)
    assert.equal(one.top10_buyers_share, 10 / 60)
    assert.ok(one.age_hours > 5.9 && one.age_hours < 6.1)
    const weighed = (0.25 * one.parts.buyers + 0.2 * one.parts.volume + 0.15 * one.parts.net_buying + 0.15 * one.parts.new_buyers + 0.1 * one.parts.liquidity) / 0.85
    assert.ok(Math.abs(weighed - one.score) < 1e-9)
    assert.deepEqual(found.map(({ score }) => score), found.map(({ score }) => score).sort((a, b) => b - a))
  })

  it('takes off wash trades and concentration', async () => {
    const found = await list('?min_score=0')
    const [wash, few] = [washed, held].map((token) => found.find((one) => one.token === token))
    assert.equal(wash.wash_share, 120_000 / 195_000)
    assert.equal(few.top10_buyers_share, 0.9)
    const before = ({ parts }: any): number => (0.25 * parts.buyers + 0.2 * parts.volume + 0.15 * parts.net_buying + 0.15 * parts.new_buyers + 0.1 * parts.liquidity) / 0.85
    // The washer's own 60,000 and nine times 1,000 of 120,000 bought are concentration, too: 0.575 is 0.15 of the way from a half to all.
    assert.ok(Math.abs(wash.score - before(wash) * (75 / 195) * 0.85) < 1e-9)
    assert.ok(Math.abs(few.score - before(few) * 0.2) < 1e-9)
    assert.deepEqual(await list('?min_score=1.5'), [])
  })

  it('takes three who hand a token round for one trader, and a chain of hands for none', async () => {
    const { store } = service
    const [round, chained] = [at('b8'), at('b9')]
    for (const token of [round, chained]) {
      await born(store, token)
      await trade(store, { token, buy: true, count: 60, from: 30, step: 29, trader: '1000 + i' })
      await trade(store, { token, buy: false, count: 15, from: 40, step: 100, trader: '2000 + i', log: 1 })
      // One buys for 20,000; another sells for as much; a third is only handed the token on its way back, and trades a little both ways.
      await trade(store, { token, buy: true, count: 2, from: 50, step: 100, trader: '8000', usd: 10_000, log: 2 })
      await trade(store, { token, buy: false, count: 2, from: 60, step: 100, trader: '8001', usd: 10_000, log: 3 })
      await trade(store, { token, buy: true, count: 1, from: 70, step: 100, trader: '8002', usd: 500, log: 4 })
      await trade(store, { token, buy: false, count: 1, from: 80, step: 100, trader: '8002', usd: 500, log: 5 })
    }
    const hand = (token: string, from: number, to: number): Promise<number> => store.execute(`INSERT INTO transfers (chain, block_number, kind, position, block_time, token, from_address, to_address, amount)
      SELECT 'ETH', 90, 'erc20', 900, (SELECT min(block_time) FROM blocks), ${address('{token:String}')}, toFixedString(unhex(leftPad(lower(hex({from:UInt64})), 40, '0')), 20), toFixedString(unhex(leftPad(lower(hex({to:UInt64})), 40, '0')), 20), 1`, { token, from, to })
    for (const [from, to] of [[8000, 8001], [8001, 8002], [8002, 8000]] as const) await hand(round, from, to)
    for (const [from, to] of [[8000, 8001], [8001, 8002]] as const) await hand(chained, from, to)
    const found = await list('?min_score=0&limit=99')
    assert.deepEqual([round, chained].map((token) => found.find((one) => one.token === token).wash_share), [41_000 / 116_000, 0])
    for (const token of [round, chained]) await store.execute(`ALTER TABLE swaps DELETE WHERE token_sold = ${address('{token:String}')} OR token_bought = ${address('{token:String}')} SETTINGS mutations_sync = 1`, { token })
  })

  it('leaves out what bots did as extracted value: it is no wash, and neither buyers nor volume; victims count', async () => {
    const { store } = service
    const [bitten, rounded] = [at('c1'), at('c2')]
    for (const [token, kind] of [[bitten, 'sandwich'], [rounded, 'arbitrage']] as const) {
      await born(store, token)
      await trade(store, { token, buy: true, count: 60, from: 30, step: 29, trader: '1000 + i', log: 100 })
      await trade(store, { token, buy: false, count: 15, from: 40, step: 100, trader: '2000 + i', log: 101 })
      // Before and after twelve of the buyers, in two transactions of each block.
      await trade(store, { token, buy: true, count: 12, from: 30, step: 29, trader: '7', usd: 4_000, log: 102 })
      await trade(store, { token, buy: false, count: 12, from: 30, step: 29, trader: '7', usd: 4_050, log: 103 })
      await store.execute(`INSERT INTO mev_legs (chain, block_number, mev_id, kind, rule, grade, searcher, role, own, position, tx_hash, account)
        SELECT 'ETH', block_number, SHA256(concat({token:String}, toString(block_number))), {kind:String}, 'made', 'low', trader, 'made', trader = toFixedString(unhex(leftPad('07', 40, '0')), 20), log_index, tx_hash, trader
        FROM swaps WHERE token_sold = ${address('{token:String}')} OR token_bought = ${address('{token:String}')}`, { token, kind })
    }
    const found = await list('?min_score=0&limit=98')
    for (const token of [bitten, rounded]) {
      const { wash_share: wash, buyers_6h: buyers, volume_usd_6h: volume, top10_buyers_share: largest } = found.find((one) => one.token === token)
      assert.deepEqual([wash, buyers, volume, largest], [0, 60, 75_000, 10 / 60])
      await store.execute(`ALTER TABLE swaps DELETE WHERE token_sold = ${address('{token:String}')} OR token_bought = ${address('{token:String}')} SETTINGS mutations_sync = 1`, { token })
    }
  })

  it('sees by all trades who trades both ways, at once or as wash, though what is given in a token that no list names counts nothing', async () => {
    const { store } = service
    const [hopped, spun] = [at('f1'), at('f2')]
    for (const token of [hopped, spun]) {
      await born(store, token)
      await trade(store, { token, buy: false, count: 15, from: 40, step: 100, trader: '2000 + i', log: 400 })
    }
    // On the way from the coin to the other token: nobody holds it afterwards.
    for (const buy of [true, false]) await trade(store, { token: hopped, buy, count: 60, from: 30, step: 29, trader: '1000 + i', log: buy ? 401 : 402, against: buy ? weth : sham, tx: 'hop' })
    await trade(store, { token: spun, buy: true, count: 60, from: 30, step: 29, trader: '1000 + i', log: 403 })
    // One wallet buys with the coin and sells for the token of its own.
    for (const buy of [true, false]) await trade(store, { token: spun, buy, count: 15, from: buy ? 50 : 51, step: 100, trader: '7', usd: 4_000, log: buy ? 404 : 405, against: buy ? weth : sham })
    const found = await list('?min_score=0&limit=95')
    assert.deepEqual(found.filter(({ token }) => [hopped, spun].includes(token)).map(({ token, wash_share: wash, volume_usd_6h: volume }) => [token, wash, volume]), [[spun, 60_000 / 135_000, 135_000]])
    for (const token of [hopped, spun]) await store.execute(`ALTER TABLE swaps DELETE WHERE token_sold = ${address('{token:String}')} OR token_bought = ${address('{token:String}')} SETTINGS mutations_sync = 1`, { token })
  })

  it('has no share above all of it where dust is all that others trade, however the sums are rounded', async () => {
    const { store } = service
    const dusty = at('e1')
    await born(store, dusty)
    await trade(store, { token: dusty, buy: true, count: 60, from: 30, step: 29, trader: '20000 + i', usd: 1e-20, log: 300 })
    await trade(store, { token: dusty, buy: false, count: 15, from: 40, step: 100, trader: '30000 + i', usd: 1e-20, log: 301 })
    // Ten wash; what they bought, the most first, adds up to a little more than in the order of their addresses.
    for (let j = 0; j < 10; j += 1) for (const buy of [true, false]) await trade(store, { token: dusty, buy, count: 10, from: 50 + j + (buy ? 0 : 20), step: 186, trader: `1000 + ${j}`, usd: 1_000 + 4 * 0.37 * (j * 7 % 10) + 0.1, log: 302 })
    const { status, body } = await service.call('GET /v1/feed/emerging-tokens?min_score=0&limit=96', { key: null })
    await store.execute(`ALTER TABLE swaps DELETE WHERE token_sold = ${address('{token:String}')} OR token_bought = ${address('{token:String}')} SETTINGS mutations_sync = 1`, { token: dusty })
    assert.equal(status, 200, JSON.stringify(body))
    const { wash_share: wash, top10_buyers_share: largest, score } = body.find(({ token }: any) => token === dusty)
    assert.deepEqual([wash, largest, score], [1, 1, 0])
  })

  it('a token that had a price before its pool was made in sight is not new', async () => {
    const { store } = service
    const [years, days, named, own] = [at('d1'), at('d2'), at('d3'), at('d4')]
    /** A price, so many days before the pool that was made in sight. */
    const priced = (token: string, before: number): Promise<number> => store.execute(`INSERT INTO prices SELECT 'ETH', ${address('{token:String}')}, 1,
      (SELECT min(block_time) FROM blocks) - toIntervalDay({before:UInt32}), '', 0.01, 'vwap', 3, 60000, 0`, { token, before })
    for (const token of [years, days, named, own]) {
      await born(store, token)
      await trade(store, { token, buy: true, count: 60, from: 30, step: 29, trader: '1000 + i', log: 200 })
      await trade(store, { token, buy: false, count: 15, from: 40, step: 100, trader: '2000 + i', log: 201 })
    }
    await priced(years, 365)
    await priced(days, 10)
    await priced(own, 0)
    const found = (await list('?min_score=0&limit=97')).filter(({ token }) => [years, days, named, own].includes(token))
    assert.deepEqual(found.map(({ token }) => token).sort(), [named, own])
    for (const { age_hours: age } of found) assert.ok(age > 5.9 && age < 6.1)
    for (const token of [years, days, named, own]) await store.execute(`ALTER TABLE swaps DELETE WHERE token_sold = ${address('{token:String}')} OR token_bought = ${address('{token:String}')} SETTINGS mutations_sync = 1`, { token })
  })

  it('is one answer on three routes, as of a time where one is given', async () => {
    const answers = await Promise.all(['feed/emerging-tokens', 'tokens/emerging', 'intelligence/emerging'].map(async (path) => (await service.call(`GET /v1/${path}?limit=2`, { key: null })).body))
    assert.deepEqual(answers[1], answers[0])
    assert.deepEqual(answers[2], answers[0])
    const [{ scored_at: now }] = answers[0]
    assert.deepEqual(await list(`?since=${new Date(Date.parse(now) + 1_000).toISOString()}`), [])
    const earlier = await list(`?min_score=0&until=${new Date(Date.parse(now) - 3_600_000).toISOString()}`)
    assert.ok(earlier.length > 0 && earlier.every(({ scored_at: at }) => Date.parse(at) === Date.parse(now) - 3_600_000))
    assert.ok(earlier.find(({ token }) => token === good).buyers_6h < 60)
  })

  it('leaders who buy weigh where a board is in force, and a board of later does not', async () => {
    const { store } = service
    const board = (from: number): Promise<unknown> => Promise.all([
      store.execute(`INSERT INTO leaders SELECT 'ETH', 'smart_trader', 1, {from:UInt64} - 1, {from:UInt64}, arrayJoin([30, 90]), unhex(leftPad(lower(hex(1000 + number)), 40, '0')), number + 1, 9. FROM numbers(3)`, { from }),
      store.execute(`INSERT INTO leader_runs SELECT 'ETH', 'smart_trader', 1, {from:UInt64} - 1, now64(3), {from:UInt64}, now64(3)`, { from }),
    ])
    await board(blocks + 1)
    assert.ok((await list('?min_score=0&limit=101')).every(({ parts, leaders_buying: leaders }) => parts.smart_money === null && leaders === null))
    await board(blocks - 1)
    // Another run, as of a lower block and in force from the same one on, has others lead.
    await store.execute(`INSERT INTO leaders SELECT 'ETH', 'smart_trader', 1, {from:UInt64} - 2, {from:UInt64}, 30, unhex(leftPad(lower(hex(1010 + number)), 40, '0')), number + 1, 9. FROM numbers(3)`, { from: blocks - 1 })
    await store.execute(`INSERT INTO leader_runs SELECT 'ETH', 'smart_trader', 1, {from:UInt64} - 2, now64(3), {from:UInt64}, now64(3)`, { from: blocks - 1 })
    const found = await list('?min_score=0&limit=102')
    const [one, few] = [good, held].map((token) => found.find((row) => row.token === token))
    // All three buy each of the tokens: none stands out, so that the part is in the middle.
    assert.deepEqual([one.leaders_buying, few.leaders_buying, one.parts.smart_money], [3, 3, 0.5])
    await trade(store, { token: good, buy: false, count: 1, from: 1_700, step: 1, trader: '1000 + i', usd: 5_000, log: 5 })
    const [sold] = (await list('?min_score=0&limit=103')).filter(({ token }) => token === good)
    assert.ok(sold.leaders_buying === 2 && sold.parts.smart_money < 0.5)
    const weighed = 0.25 * sold.parts.buyers + 0.2 * sold.parts.volume + 0.15 * sold.parts.net_buying + 0.15 * sold.parts.new_buyers + 0.1 * sold.parts.liquidity + 0.15 * sold.parts.smart_money
    assert.ok(Math.abs(weighed * (1 - sold.wash_share) - sold.score) < 1e-9)
  })
})
