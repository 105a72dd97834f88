/** Every recorded answer of the venue becomes rows: nothing dropped, nothing unknown passed over, every number as it was written. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { digest, infoAnswer, insertHeard, recordedAnswers } from '../../support/hyperliquid.js'
import { freshStore } from '../../support/servers.js'

type Json = Record<string, never>
const plain = (text: string | null | undefined): string | null => (text === null || text === undefined ? null : text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text)
const Text = z.object({ row: z.string() })

describe('recorded answers of Hyperliquid', function () {
  this.timeout(120_000)
  const all = recordedAnswers()
  const of = (type: string): { user: string; request: Json; response: never }[] => all.filter(({ request }) => request['type'] === type).map(({ request, response }) => ({ user: String(request['user']).toLowerCase(), request: request as Json, response }))
  const first = (type: string): { user: string; response: never } => { const [one] = of(type); assert.ok(one !== undefined, type); return one }
  let store: Store
  const rows = async (sql: string): Promise<string[]> => (await store.query(sql, {}, Text)).map(({ row }) => row)
  const count = async (table: string): Promise<number> => Number((await rows(`SELECT toString(count()) AS row FROM ${table}`))[0])
  before(async () => {
    store = (await freshStore()).store
    for (const [index, { request, response }] of all.entries()) await insertHeard(store, index + 1, [infoAnswer(request, response)])
    await digest(store, 1, all.length)
  })

  it('hold nothing that no rule reads', async () => {
    assert.ok(all.length >= 23)
    assert.deepEqual(await rows(`SELECT DISTINCT concat(type, ' ', field, ' ', reason) AS row FROM hl_unknown`), [])
  })

  it('leave nothing out: each answer has its rows, or is empty', async () => {
    const tables = ['hl_read_fills', 'hl_read_funding_payments', 'hl_read_funding_rates', 'hl_read_ledger_updates', 'hl_books', 'hl_mids', 'hl_coins', 'hl_candles', 'hl_accounts', 'hl_records']
    const seen = new Set(await rows(tables.map((table) => `SELECT DISTINCT toString(block_number) AS row FROM ${table}`).join(' UNION DISTINCT ')))
    assert.deepEqual(all.filter(({ response }, index) => !seen.has(String(index + 1)) && JSON.stringify(response) !== '[]').map(({ name }) => name), [])
  })

  it('give each fill once, to the digit, though two answers tell it', async () => {
    const { user, response } = first('userFills')
    const expected = (response as unknown as Record<string, string>[]).map((fill) => [fill['time'], fill['coin'], user, fill['oid'], fill['side'] === 'B' ? 'buy' : 'sell', plain(fill['px']), plain(fill['sz']), plain(fill['startPosition']), fill['dir'], plain(fill['closedPnl']), plain(fill['fee']), String(fill['crossed']), fill['hash']].join(' '))
    assert.equal(expected.length, 500)
    const got = await rows(`SELECT concatWithSeparator(' ', toUnixTimestamp64Milli(time), coin, concat('0x', lower(hex(account))), oid, side, px, sz, start_position, dir, closed_pnl, fee, crossed, concat('0x', lower(hex(hash)))) AS row FROM hl_fills WHERE liquidation_method = ''`)
    assert.deepEqual(got.sort(), expected.sort())
    assert.equal(await count('hl_read_fills'), 1_000)
  })

  it('give funding: rates by coin and hour, payments by account', async () => {
    const rates = of('fundingHistory').flatMap(({ response }) => response as unknown as Json[]).map(({ coin, time, fundingRate, premium }) => [coin, time, plain(fundingRate), plain(premium)].join(' '))
    assert.deepEqual((await rows(`SELECT concatWithSeparator(' ', coin, toUnixTimestamp64Milli(time), rate, premium) AS row FROM hl_funding_rates`)).sort(), [...new Set(rates)].sort())
    const paid = of('userFunding').flatMap(({ user, response }) => (response as unknown as { time: number; delta: Json }[]).map(({ time, delta }) => [user, time, delta['coin'], plain(delta['usdc']), plain(delta['szi']), plain(delta['fundingRate']), delta['nSamples']].join(' ')))
    assert.deepEqual((await rows(`SELECT concatWithSeparator(' ', concat('0x', lower(hex(account))), toUnixTimestamp64Milli(time), coin, usdc, szi, rate, samples) AS row FROM hl_funding_payments`)).sort(), [...new Set(paid)].sort())
  })

  it('give books, middle prices, candles and coins as they were listed', async () => {
    const { response: book } = first('l2Book')
    const level = ({ px, sz, n }: Json): string => [plain(px), plain(sz), n].join(',')
    const { coin, time, levels } = book as unknown as { coin: string; time: number; levels: Json[][] }
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', coin, toUnixTimestamp64Milli(time), ${['bids', 'asks'].map((side) => `arrayStringConcat(arrayMap(l -> concatWithSeparator(',', l.px, l.sz, l.orders), ${side}), ';')`).join(', ')}) AS row FROM hl_books`),
      [[coin, time, ...levels.map((side) => side.map(level).join(';'))].join(' ')])
    assert.deepEqual((await rows(`SELECT concat(coin, ' ', toString(px)) AS row FROM hl_mids`)).sort(), of('allMids').flatMap(({ response }) => Object.entries(response as unknown as Record<string, string>).map(([name, px]) => `${name} ${plain(px)}`)).sort())
    assert.deepEqual((await rows(`SELECT concatWithSeparator(' ', coin, toUnixTimestamp64Milli(time), toUnixTimestamp64Milli(closes_at), candle_interval, open, high, low, close, volume, trades) AS row FROM hl_candles`)).sort(),
      of('candleSnapshot').flatMap(({ response }) => response as unknown as Json[]).map(({ s, t, T, i, o, h, l, c, v, n }) => [s, t, T, i, plain(o), plain(h), plain(l), plain(c), plain(v), n].join(' ')).sort())
    const { response: meta } = first('meta')
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', coin, sz_decimals, max_leverage) AS row FROM hl_coins ORDER BY place`), (meta as unknown as { universe: Json[] }).universe.map(({ name, szDecimals, maxLeverage }) => [name, szDecimals, maxLeverage].join(' ')))
  })

  it('give an account and its positions; what the venue does not know stays unknown', async () => {
    const { user, response } = first('clearinghouseState')
    const state = response as unknown as { marginSummary: Json; withdrawable: string; assetPositions: { position: Json }[] }
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', concat('0x', lower(hex(account))), account_value, position_value, raw_usd, margin_used, withdrawable, positions) AS row FROM hl_accounts`),
      [[user, ...['accountValue', 'totalNtlPos', 'totalRawUsd', 'totalMarginUsed'].map((field) => plain(state.marginSummary[field])), plain(state.withdrawable ?? '0'), state.assetPositions.length].join(' ')])
    assert.deepEqual((await rows(`SELECT concatWithSeparator(' ', coin, szi, coalesce(toString(entry_px), '-'), position_value, unrealized_pnl, return_on_equity, coalesce(toString(liquidation_px), '-'), margin_used, leverage_kind, leverage, length(max_trade_sizes), coalesce(toString(funding_all_time), '-')) AS row FROM hl_positions`)).sort(),
      state.assetPositions.map(({ position: p }) => [p['coin'], plain(p['szi']), plain(p['entryPx']) ?? '-', plain(p['positionValue']), plain(p['unrealizedPnl']), plain(p['returnOnEquity']), plain(p['liquidationPx']) ?? '-', plain(p['marginUsed']), (p['leverage'] as unknown as Json)['type'], (p['leverage'] as unknown as Json)['value'], (p['maxTradeSzs'] as unknown as string[]).length, '-'].join(' ')).sort())
  })

  it('keep whole what is not read into a table of its own', async () => {
    for (const type of ['openOrders', 'frontendOpenOrders', 'historicalOrders', 'portfolio', 'delegatorHistory', 'extraAgents', 'userVaultEquities', 'userRole', 'userRateLimit']) {
      const wanted = of(type).flatMap(({ response }) => (Array.isArray(response) ? response as unknown[] : [response])).map((item) => JSON.stringify(item))
      assert.ok(wanted.length > 0, type)
      assert.deepEqual((await rows(`SELECT item AS row FROM hl_records WHERE type = '${type}' ORDER BY block_number, place`)).map((item) => JSON.stringify(JSON.parse(item))), wanted, type)
    }
    assert.equal(await count('hl_ledger_updates'), of('userNonFundingLedgerUpdates').flatMap(({ response }) => response as unknown[]).length)
  })

  it('are the same rows when they are worked on again, and no second time when they are heard again', async () => {
    const tables = ['hl_fills', 'hl_funding_payments', 'hl_funding_rates', 'hl_ledger_updates'] as const
    const before = await Promise.all(tables.map(count))
    await digest(store, 1, all.length, true)
    for (const [index, { request, response }] of all.entries()) await insertHeard(store, all.length + index + 1, [infoAnswer(request, response)])
    await digest(store, all.length + 1, 2 * all.length)
    assert.deepEqual(await Promise.all(tables.map(count)), before)
  })
})
