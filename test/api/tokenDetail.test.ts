/** One token in detail: on recorded blocks, and made by hand for what a token may try: another's symbol, a fee on transfers, balances that change by themselves. */
import assert from 'node:assert/strict'
import { at, majors, putBlocks, putLogs, putMoves, putTokens, usdc, weth } from '../enrich/handmade.js'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

const [fake, taxed, rebased, marked, kept, spread, hidden] = [at('b1'), at('b2'), at('b3'), at('b6'), at('b4'), at('b5'), at('b7')] as const
const absurd = (2n ** 256n - 1n).toString()
const address = (name: string): string => `toFixedString(unhex(substring({${name}:String}, 3)), 20)`

describe('token detail', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (token: string): Promise<any> => (await service.call(`GET /v1/tokens/${token}`)).body
  before(async () => {
    service = await startService()
    const { store } = service
    await putTokens(store, [...majors, { address: fake, symbol: 'U\u0405D\u0421', decimals: 6, source: 'node' }, { address: marked, symbol: 'U\u0301SD\u0327C', decimals: 6, source: 'node' }, { address: taxed, symbol: 'TAX', decimals: 9, source: 'node' }, { address: rebased, symbol: 'REB', decimals: null, source: 'node' }, ...[kept, spread].map((one) => ({ address: one, symbol: 'MAX', decimals: 18, source: 'node' }))])
    await putBlocks(store, 1, 40)
    for (const [i, made] of [taxed, kept, spread, hidden].entries()) await store.execute(`INSERT INTO transactions (chain, block_number, tx_index, block_hash, block_time, creates_contract, contract_address) SELECT 'ETH', 2, {i:UInt32} + 1, '', toDateTime64(1700000024, 3, 'UTC'), true, ${address('made')}`, { i, made })
    const send = (n: number, position: number, token: string, from: string, to: string, amount: string) => ({ n, position, token, from, to, amount })
    // 1,000 minted; four purchases of 100 from the pool of which 5 go to the collector; the rest stays in the pool.
    await putMoves(store, [
      send(2, 1, taxed, at('00'), at('c0de'), '1000'), send(3, 1, taxed, at('c0de'), at('9001'), '900'),
      ...[10, 11, 12, 13].flatMap((n) => [send(n, 1, taxed, at('9001'), at(`d${n}`), '95'), send(n, 2, taxed, at('9001'), at('fee'), '5')]),
      send(5, 7, fake, at('01'), at('02'), '5'),
      send(2, 8, kept, at('00'), at('c0de'), absurd), send(2, 9, spread, at('00'), at('c0de'), absurd), send(3, 9, spread, at('c0de'), at('c1'), '1000'),
      send(2, 10, hidden, at('00'), at('c0de'), '1000'), send(3, 10, hidden, at('c0de'), at('a11'), '900'), send(4, 10, hidden, at('c0de'), at('f0'), '50'),
    ])
    await store.execute(`INSERT INTO transfers (chain, block_number, kind, position, sub, block_hash, block_time, tx_hash, token, from_address, to_address, amount)
      SELECT chain, block_number, kind, position, sub, block_hash, block_time, tx_hash, token, from_address, to_address, amount FROM movements`)
    await store.execute(`INSERT INTO token_segments (chain, hour, segment, token, transfers, version) SELECT 'ETH', toStartOfHour(min(block_time)), 0, token, count(), 1 FROM transfers GROUP BY token`)
    for (const n of [10, 11, 12, 13]) await store.execute(`INSERT INTO swaps (chain, block_number, log_index, block_time, tx_hash, pool, trusted, token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought, value_usd)
      SELECT 'ETH', {n:UInt64}, 3, toDateTime64(1700000000 + {n:UInt64} * 12, 3, 'UTC'), SHA256(concat('tx', toString({n:UInt64}), '/0')), toFixedString(unhex(concat(repeat('00', 12), substring({pool:String}, 3))), 32), true, ${address('usdc')}, true, 7000000, ${address('taxed')}, true, 100, 7`, { n, usdc, taxed, pool: at('9001') })
    for (const [pool, token, source, trusted] of [[at('9001'), taxed, 'created', true], [at('a11'), hidden, 'created', false], [at('f0'), hidden, 'inferred', false]] as const) {
      await store.execute(`INSERT INTO pool_sightings (chain, pool, block_number, source, trusted, tokens) SELECT 'ETH', toFixedString(unhex(concat(repeat('00', 12), substring({pool:String}, 3))), 32), 3, {source:String}, {trusted:Bool}, [${address('token')}]`, { pool, token, source, trusted })
    }
    await putLogs(store, [{ n: 20, log: 1, address: rebased, topics: ['0x72725a3b1e5bd622d6bcd1339bb31279c351abe8f541ac7fd320f24e1b1641f2'] }])
    await store.execute(`INSERT INTO plans SELECT 'ETH', 1, 'plan', 1, 40, 'x', '', 0, 't', 1, 'w', now64(3)`)
    await store.execute(`INSERT INTO batches SELECT 'ETH', stage, 1, 40, 'x', 0, 1, 1, 40, 'node', now64(3) FROM (SELECT arrayJoin(['ingest', 'normalize', 'enrich', 'index', 'alert']) AS stage)`)
  })
  after(() => service.stop())

  it('a symbol that looks like a listed one is said to be fake', async () => {
    const { detail } = await get(fake)
    assert.deepEqual(detail.flags.map(({ flag }: any) => flag), ['fake_symbol', 'not_listed'])
    assert.deepEqual([detail.trading_24h.swaps, detail.trading_24h.volume_usd], [0, 0], 'what did not trade had a volume of nothing, which is known')
    assert.match(detail.flags[0].why, new RegExp(usdc))
    assert.deepEqual([detail.metadata.source, detail.price, detail.holding, detail.holding_unknown], ['node', null, null, 'history_not_whole'])
    assert.deepEqual((await get(usdc)).detail.flags, [])
    assert.deepEqual((await get(marked)).detail.flags.map(({ flag }: any) => flag), ['fake_symbol', 'not_listed'])
  })

  it('so is one with letters that show as nothing, or of other scripts still', async () => {
    const like = ['USDC\u3164', 'US\u115fDC', '\u1160USDC', 'USDC\uffa0', 'US\u2800DC', 'U\u034fSDC', '\u054d\u054f\u13a0\u13df', '\u054d\u13daDC', '\u03c5\u0455\u0501\u03f2', 'W\u13acT\u041d', 'wet\u04bb', '\uff35SDC'], unlike = ['USDX', '\u0561\u0562\u0563']
    await putTokens(service.store, [...like, ...unlike].map((symbol, i) => ({ address: at(`5${i.toString(16).padStart(2, '0')}`), symbol, decimals: 6, source: 'node' })))
    const flagged: string[] = []
    for (const [i, symbol] of [...like, ...unlike].entries()) if ((await get(at(`5${i.toString(16).padStart(2, '0')}`))).detail.flags.some(({ flag }: any) => flag === 'fake_symbol')) flagged.push(symbol)
    assert.deepEqual(flagged, like)
  })

  it('so is one of the same mark, but not one of another, and none without a symbol', async () => {
    const symbols = ['\u2318', '\u{1f438}', '', 'usd\u20ae']
    await putTokens(service.store, [{ address: at('600'), symbol: '\u2318', decimals: 18, source: 'ethereum-lists' }, { address: at('60f'), symbol: 'USD\u20ae', decimals: 6, source: 'ethereum-lists' },
      ...symbols.map((symbol, i) => ({ address: at(`60${i + 1}`), symbol, decimals: 18, source: 'node' }))])
    const flagged: string[] = []
    for (const [i, symbol] of symbols.entries()) if ((await get(at(`60${i + 1}`))).detail.flags.some(({ flag }: any) => flag === 'fake_symbol')) flagged.push(symbol)
    assert.deepEqual(flagged, ['\u2318', 'usd\u20ae'])
  })

  it('a fee on transfers shows in purchases; who holds it is weighed without its pool', async () => {
    const { detail } = await get(taxed)
    assert.deepEqual(detail.flags.map(({ flag }: any) => flag), ['fee_on_transfer', 'not_listed'])
    assert.deepEqual([detail.trading_24h.swaps, detail.trading_24h.volume_usd, detail.trading_24h.buys, detail.price], [4, 28, 4, null])
    // Maker 100, four buyers 95 each, collector 20: 500 outside of the pool, which holds 500.
    const parts = [100, 95, 95, 95, 95, 20].map((amount) => amount / 500)
    assert.deepEqual([detail.holding_unknown, detail.holding.supply, detail.holding.holders, detail.holding.set_aside, detail.holding.top10_share, detail.first_seen.created_in_sight], [null, '1000', 7, 1, 1, true])
    assert.ok(Math.abs(detail.holding.hhi - parts.reduce((sum, part) => sum + part * part, 0)) < 1e-12)
  })

  it('whom a stranger calls a pool holds for himself', async () => {
    const { holding } = (await get(hidden)).detail
    // 900 with the one that only an event of nobody in particular made a pool, 50 with the maker; 50 in a pool by its own swaps.
    assert.deepEqual([holding.holders, holding.set_aside, holding.top10_share], [3, 1, 1])
    assert.ok(Math.abs(holding.hhi - ((900 / 950) ** 2 + (50 / 950) ** 2)) < 1e-12)
  })

  it('a token that is known to rebase is said to, also while no event tells of it, and its holders are not read off transfers', async () => {
    const steth = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84'
    await service.store.execute("INSERT INTO token_segments (chain, hour, segment, token, transfers, version) VALUES ('ETH', '2023-11-14 22:00:00', 0, unhex({digits:String}), 1, 1)", { digits: steth.slice(2) })
    const { detail } = await get(steth)
    assert.deepEqual([detail.flags[0], detail.holding, detail.holding_unknown], [{ flag: 'rebasing', why: 'Lido stETH is known to change balances without a transfer' }, null, 'balances_not_transfers'])
  })

  it('an amount no sum can take leaves its holders unknown, and is no rebase', async () => {
    for (const token of [kept, spread]) {
      const { detail } = await get(token)
      assert.deepEqual([detail.holding, detail.holding_unknown, detail.flags.map(({ flag }: any) => flag), detail.first_seen.created_in_sight], [null, 'absurd_amount', ['not_listed'], true])
    }
  })

  it('a rebase and unknown decimals are said; an unknown address has no detail', async () => {
    const { detail } = await get(rebased)
    assert.deepEqual([detail.flags.map(({ flag }: any) => flag), detail.holding_unknown, detail.first_seen], [['rebasing', 'no_decimals', 'not_listed'], 'balances_not_transfers', null])
    const unknown = await get(at('ff'))
    assert.deepEqual([unknown.detail, unknown._meta.empty.is_successful_empty], [null, false])
    assert.equal((await service.call('GET /v1/tokens/0x12')).status, 422)
    assert.equal(Array.isArray((await service.call('GET /v1/tokens/emerging', { key: null })).body), true)
  })
})

describe('token detail on recorded blocks', function () {
  this.timeout(240_000)
  it('WETH: price, pools and trading of blocks 22431083 and 22431084', async () => {
    const service = await startService()
    try {
      await fillRecorded(service.store, [22431083, 22431084])
      const { detail } = (await service.call(`GET /v1/tokens/${weth}`)).body
      assert.deepEqual([detail.metadata, detail.flags], [{ symbol: 'WETH', name: 'Wrapped Ether', decimals: 18, stable: false, source: 'hydrophone' }, []])
      assert.deepEqual(detail.price, { usd: 1845.5242728908602, method: 'vwap', block_number: 22431084, at: '2025-05-07T10:05:11.000Z', age_seconds: 0, trades: 7, depth_usd: 68653514.303654 })
      assert.deepEqual(detail.trading_24h, { volume_usd: 200947.02308853643, swaps: 113, buys: 62, sells: 51, traders: 56, unpriced: 0, complete: false })
      assert.deepEqual([detail.pools.length, detail.pools.every(({ trusted }: any) => trusted), detail.holding, detail.holding_unknown], [10, true, null, 'history_not_whole'])
      const [deepest] = detail.pools
      assert.equal(deepest.depth_usd, Number(deepest.depth) / 1e18 * detail.price.usd)
    } finally { await service.stop() }
  })
})
