/** Amounts that are none, and changes of money told again in another shape: what is refused, what is not known, what is told, and what stands once. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { digest, emptyVenue, infoAnswer, insertHeard, message, type Heard } from '../../support/hyperliquid.js'
import { freshStore } from '../../support/servers.js'

const user = `0x${'11'.repeat(20)}`, other = `0x${'22'.repeat(20)}`, hash = `0x${'ab'.repeat(32)}`, time = Date.now() - 60_000
const Text = z.object({ row: z.string() })
/** What is no amount as the venue writes one, and what is not there. */
const none = ['abc', '', '1.2.3', '-', '1e5', '+1', '.5', ' 1', '0x10', [], {}, true, '123456789012345678901234'], lacking = [null, undefined]

/** Kind, field, table, column, how it is said, what is none of it, what leaves it out. */
type Case = readonly [string, string, string, string, (value: unknown) => Heard, unknown[]?, unknown[]?]

describe('garbage from Hyperliquid', function () {
  this.timeout(90_000)
  let store: Store, segment = 0
  before(async () => { store = (await freshStore()).store })
  beforeEach(() => emptyVenue(store))
  const rows = async (sql: string): Promise<string[]> => (await store.query(sql, {}, Text)).map(({ row }) => row)
  const hear = async (...heard: Heard[]): Promise<void> => { segment += 1; await insertHeard(store, segment, heard); await digest(store, segment, segment) }
  const count = async (table: string): Promise<string | undefined> => (await rows(`SELECT toString(count()) AS row FROM ${table}`))[0]
  const told = (): Promise<string[]> => rows(`SELECT concatWithSeparator('|', type, field, reason) AS row FROM hl_unknown WHERE block_number = ${segment} ORDER BY type, field`)
  /** What is told of a segment of these. */
  const telling = async (...heard: Heard[]): Promise<string[]> => { await hear(...heard); return told() }
  /** A value put where `path` leads to, a copy of all else. */
  const put = (into: unknown, [key, ...rest]: readonly (string | number)[], value: unknown): unknown => {
    if (key === undefined) return value
    const copy = (Array.isArray(into) ? [...into as unknown[]] : { ...into as object }) as Record<string | number, unknown>
    copy[key] = put(copy[key], rest, value)
    return copy
  }
  const whole = (type: string): string => `${type}||cannot be what it claims`, part = (type: string, field: string): string => `${type}|${field}|cannot be what it claims`
  const sums = { accountValue: '10.5', totalNtlPos: '1', totalRawUsd: '-2', totalMarginUsed: '3' }
  const state = {
    marginSummary: sums, crossMarginSummary: sums, crossMaintenanceMarginUsed: '4', withdrawable: '5', time,
    assetPositions: [{ type: 'oneWay', position: { coin: 'BTC', szi: '-1', leverage: { type: 'isolated', value: 20, rawUsd: '-9.5' }, entryPx: '100', positionValue: '90', unrealizedPnl: '10', returnOnEquity: '0.1', liquidationPx: '200', marginUsed: '6', maxLeverage: 40, cumFunding: { allTime: '1', sinceOpen: '2', sinceChange: '3' }, maxTradeSzs: ['7', '8'] } }],
  }
  const context = { funding: '0.0000125', openInterest: '3', prevDayPx: '100', dayNtlVlm: '5', premium: '-0.0001', oraclePx: '101', markPx: '102', midPx: '103', impactPxs: ['104', '105'], dayBaseVlm: '6' }
  const candle = { t: time, T: time + 59_999, s: 'BTC', i: '1m', o: '1', c: '2', h: '3', l: '0.5', v: '4', n: 5 }
  const paid = { time, hash, delta: { type: 'funding', coin: 'BTC', usdc: '-1', szi: '2', fundingRate: '0.1', nSamples: 3 } }
  const coin = { name: 'BTC', szDecimals: 5, maxLeverage: 40, marginTableId: 56 }
  const account = (told: unknown): Heard => infoAnswer({ type: 'clearinghouseState', user }, told)

  it('an amount that its kind always has and that is none refuses the row, and is told', async () => {
    const position = ['assetPositions', 0, 'position']
    const cases: [string, (told: unknown) => Heard, unknown, (string | number)[][]][] = [
      ['account', account, { ...state, assetPositions: [] }, [...Object.keys(sums).map((key) => ['marginSummary', key]), ['withdrawable']]],
      ['position', account, state, [['szi'], ['positionValue'], ['unrealizedPnl'], ['returnOnEquity'], ['marginUsed'], ['leverage', 'value']].map((path) => [...position, ...path])],
      ['context', (ctx) => message('activeAssetCtx', { coin: 'BTC', ctx }), context, [['markPx'], ['prevDayPx'], ['dayNtlVlm']]],
      ['candle', (one) => infoAnswer({ type: 'candleSnapshot' }, [one]), candle, ['o', 'h', 'l', 'c', 'v', 'n', 'T'].map((key) => [key])],
      ['funding_payment', (one) => infoAnswer({ type: 'userFunding', user }, [one]), paid, [['usdc'], ['szi'], ['fundingRate']].map((path) => ['delta', ...path])],
      ['funding_rate', (one) => infoAnswer({ type: 'fundingHistory' }, [one]), { coin: 'BTC', fundingRate: '0.1', premium: '0.1', time }, [['fundingRate']]],
      ['coin', (one) => infoAnswer({ type: 'meta' }, { universe: [one] }), coin, [['szDecimals'], ['maxLeverage']]],
    ]
    const table: Record<string, string> = { account: 'hl_accounts', position: 'hl_positions', context: 'hl_contexts', candle: 'hl_candles', funding_payment: 'hl_read_funding_payments', funding_rate: 'hl_read_funding_rates', coin: 'hl_coins' }
    for (const [type, say, good, paths] of cases) {
      assert.deepEqual(await telling(say(good)), [], type)
      const bad = paths.flatMap((path) => [...none, ...lacking].map((value) => say(put(good, path, value))))
      assert.deepEqual(await telling(...bad), bad.map(() => whole(type)), type)
      assert.equal(await count(String(table[type])), '1', type)
    }
  })

  it('one that the venue may leave out is not known where it is none, and told by its field; where it is left out nothing is told', async () => {
    const at = (...path: string[]) => (value: unknown): Heard => account(put(state, ['assetPositions', 0, 'position', ...path], value)), of = (...path: string[]) => (value: unknown): Heard => account(put(state, path, value))
    const seen = (field: string) => (value: unknown): Heard => message('activeAssetCtx', { coin: 'BTC', ctx: { ...context, [field]: value } })
    const cases: Case[] = [
      ['account', 'crossMaintenanceMarginUsed', 'hl_accounts', 'maintenance_margin', of('crossMaintenanceMarginUsed')], ['account', 'crossMarginSummary', 'hl_accounts', 'cross_raw_usd', of('crossMarginSummary'), ['x', [], 5]],
      ...[['accountValue', 'cross_account_value'], ['totalNtlPos', 'cross_position_value'], ['totalRawUsd', 'cross_raw_usd'], ['totalMarginUsed', 'cross_margin_used']].map(([key = '', column = '']): Case => ['account', `crossMarginSummary.${key}`, 'hl_accounts', column, of('crossMarginSummary', key)]),
      ...[['entryPx', 'entry_px'], ['liquidationPx', 'liquidation_px'], ['maxLeverage', 'max_leverage']].map(([key = '', column = '']): Case => ['position', `position.${key}`, 'hl_positions', column, at(key)]),
      ...[['allTime', 'funding_all_time'], ['sinceOpen', 'funding_since_open'], ['sinceChange', 'funding_since_change']].map(([key = '', column = '']): Case => ['position', `position.cumFunding.${key}`, 'hl_positions', column, at('cumFunding', key)]),
      ['position', 'position.leverage.rawUsd', 'hl_positions', 'leverage_raw_usd', at('leverage', 'rawUsd')], ['position', 'position.cumFunding', 'hl_positions', 'funding_all_time', at('cumFunding'), ['x', [], 5]],
      ['position', 'position.maxTradeSzs', 'hl_positions', "nullIf(toString(max_trade_sizes), '[]')", at('maxTradeSzs'), [['7', 'x'], [''], 'x', {}], [null, undefined, []]],
      ...[['midPx', 'mid_px'], ['oraclePx', 'oracle_px'], ['funding', 'rate'], ['openInterest', 'open_interest'], ['premium', 'premium'], ['dayBaseVlm', 'day_base']].map(([key = '', column = '']): Case => ['context', key, 'hl_contexts', column, seen(key)]),
      ['context', 'impactPxs', 'hl_contexts', 'impact_bid', seen('impactPxs'), [['x', '1'], 'x', {}, [], [null, '1']]],
      ['funding_rate', 'premium', 'hl_read_funding_rates', 'premium', (premium) => infoAnswer({ type: 'fundingHistory' }, [{ coin: 'BTC', fundingRate: '0.1', premium, time }])],
      ['funding_payment', 'nSamples', 'hl_read_funding_payments', 'samples', (value) => infoAnswer({ type: 'userFunding', user }, [put(paid, ['delta', 'nSamples'], value)]), [...none, '1.5', -1]],
      ['coin', 'marginTableId', 'hl_coins', 'margin_table', (marginTableId) => infoAnswer({ type: 'meta' }, { universe: [{ ...coin, marginTableId }] }), [...none, '1.5', -1]],
    ]
    for (const [type, field, table, column, say, bad = none, good = lacking] of cases) {
      assert.deepEqual(await telling(...bad.map(say)), bad.map(() => part(type, field)), field)
      const kept = `SELECT concat(coalesce(toString(${column}), '-'), ' ', toString(count())) AS row FROM ${table} WHERE block_number = `
      assert.deepEqual(await rows(`${kept}${segment} GROUP BY ${column}`), [`- ${bad.length}`], field)
      assert.deepEqual(await telling(...good.map(say)), [], field)
      assert.deepEqual(await rows(`${kept}${segment} GROUP BY ${column}`), [`- ${good.length}`], field)
    }
    assert.deepEqual(await telling(seen('impactPxs')(['1', '2.5']), seen('impactPxs')([1, 2.5]), account(state)), [])
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', impact_bid, impact_ask, mid_px, oracle_px, rate, open_interest, premium, day_base, prev_day_px, day_notional) AS row FROM hl_contexts WHERE block_number = ${segment}`), Array(2).fill('1 2.5 103 101 0.0000125 3 -0.0001 6 100 5'))
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', entry_px, liquidation_px, leverage, leverage_raw_usd, max_leverage, funding_all_time, funding_since_open, funding_since_change, toString(max_trade_sizes)) AS row FROM hl_positions WHERE block_number = ${segment}`), ['100 200 20 -9.5 40 1 2 3 [7,8]'])
  })

  it('an account without a time, or with one that none can have, is as of when it was heard, and so are its positions', async () => {
    const bad = ['abc', 5, -1, '', {}]
    assert.deepEqual(await telling(...[...bad, null, undefined, 0].map((at) => account({ ...state, time: at }))), bad.map(() => part('account', 'time')))
    await hear(account(state))
    for (const table of ['hl_accounts', 'hl_positions']) assert.deepEqual(await rows(`SELECT concat(toString(time = heard_at), ' ', toString(count())) AS row FROM ${table} GROUP BY time = heard_at ORDER BY row`), ['0 1', '1 8'], table)
  })

  it('a venue\'s next rate that is none is told by the venue, and left out; the others stand', async () => {
    const rate = { fundingRate: '0.1', nextFundingTime: time, fundingIntervalHours: 1 }
    await hear(infoAnswer({ type: 'predictedFundings' }, [['BTC', [['HlPerp', rate], ['A', { ...rate, fundingRate: 'x' }], ['B', { ...rate, nextFundingTime: 'x' }], ['C', { ...rate, fundingIntervalHours: 'x' }], ['D', null], ['E', {}], 5, ['F', { fundingRate: '-0.1', nextFundingTime: time }]]]]))
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', venue, rate, coalesce(toString(interval_hours), '-')) AS row FROM hl_predicted_fundings ORDER BY row`), ['F -0.1 -', 'HlPerp 0.1 1'])
    assert.deepEqual(await told(), ['', 'A', 'B', 'C', 'E'].map((field) => part('predicted', field)))
  })

  const updates = (...deltas: unknown[]): Heard => infoAnswer({ type: 'userNonFundingLedgerUpdates', user }, deltas.map((delta) => ({ time, hash, delta })))
  const ledger = (): Promise<string[]> => rows(`SELECT concatWithSeparator(' ', kind, coalesce(toString(usdc), '-')) AS row FROM hl_ledger_updates ORDER BY row`)

  it('a change of money whose amount is none stands without it, and is told; one of no kind is refused', async () => {
    assert.deepEqual(await telling(updates({ type: 'deposit', usdc: 'abc' }), updates({ type: 'send', amount: '', user, destination: other }), updates({ type: 'vaultWithdraw', netWithdrawnUsd: {} }), updates({ type: 'vaultCreate', usdc: '5', fee: '-' }), updates('x'), updates({ usdc: '1' }), updates(null), updates({ type: 'rewardsClaim', usdc: null })),
      [whole('ledger'), whole('ledger'), whole('ledger'), part('ledger', 'delta.amount'), part('ledger', 'delta.fee'), part('ledger', 'delta.netWithdrawnUsd'), part('ledger', 'delta.usdc')])
    assert.deepEqual(await ledger(), ['deposit -', 'rewardsClaim -', 'send -', 'vaultCreate 5', 'vaultWithdraw -'])
  })

  const sent = { type: 'spotTransfer', token: 'USDC', amount: '10.5', usdcValue: '10.5', user, destination: other, fee: '1.0' }
  const closed = { type: 'liquidation', liquidatedNtlPos: '5.0', accountValue: '1', leverageType: 'Cross', liquidatedPositions: [{ coin: 'BTC', szi: '1.0' }, { coin: 'ETH', szi: '2' }] }
  const again = [
    [{ ...sent, nativeTokenFee: '0.0', nonce: null, feeToken: '' }, Object.fromEntries(Object.entries({ ...closed, method: 'market' }).reverse()), { usdc: '5', type: 'deposit', chain: 'arbitrum' }],
    [{ ...sent, amount: '10.50', usdcValue: 10.5, nativeTokenFee: '0.1', nonce: 7, fee: '0.9', feeToken: 'USDC', destination: other.toUpperCase().replace('X', 'x') }, { ...closed, liquidatedPositions: [{ szi: '1', coin: 'BTC', side: 'A' }, { szi: '2.0', coin: 'ETH' }] }, { type: 'deposit', usdc: '5.00' }],
  ]

  it('a change told again with fields more, in another order or written otherwise stands once, whenever it is told again', async () => {
    await hear(updates(sent, closed, { type: 'deposit', usdc: '5.0' }))
    for (const deltas of again) await hear(updates(...deltas))
    await hear(updates(sent, closed), ...again.map((deltas) => updates(...deltas)))
    assert.deepEqual(await rows('SELECT kind AS row FROM hl_ledger_updates ORDER BY kind'), ['deposit', 'liquidation', 'spotTransfer'])
    assert.deepEqual(await rows('SELECT DISTINCT toString(block_number) AS row FROM hl_ledger_updates'), [String(segment - 3)])
  })

  it('in one batch too, where it stands as it was told first', async () => {
    await hear(updates(sent, closed, { type: 'deposit', usdc: '5.0' }), ...again.map((deltas) => updates(...deltas)))
    assert.equal((await ledger()).length, 3)
  })

  it('changes of one time, account and hash that differ in what they say both stand, told again too; what is told of another account or time is another', async () => {
    const all = [sent, { ...sent, amount: '10.51' }, { ...sent, destination: user }, { ...sent, token: 'PURR' }, { type: 'deposit', usdc: '5' }, { type: 'deposit', usdc: '-5' }, { type: 'withdraw', usdc: '5', nonce: 1, fee: '1.0' }, { type: 'withdraw', usdc: '5', nonce: 2, fee: '1.0' },
      { type: 'send', user, destination: user, sourceDex: '', destinationDex: 'spot', amount: '1' }, { type: 'send', user, destination: user, sourceDex: 'xyz', destinationDex: 'spot', amount: '1' }, { type: 'accountClassTransfer', usdc: '5', toPerp: true }, { type: 'accountClassTransfer', usdc: '5', toPerp: false }, closed, ...[['2.0', '2'], ['2', '1'], ['1']].map((sizes) => ({ ...closed, liquidatedPositions: sizes.map((szi, nth) => ({ coin: ['BTC', 'ETH'][nth], szi })) }))]
    await hear(updates(...all))
    await hear(updates(...all), updates(...all.map((one) => ({ ...one, more: 1 }))))
    assert.equal((await ledger()).length, all.length)
    await hear(infoAnswer({ type: 'userNonFundingLedgerUpdates', user: other }, [{ time, hash, delta: sent }, { time: time + 1, hash, delta: sent }, { time, hash: `0x${'cd'.repeat(32)}`, delta: sent }]))
    assert.equal((await ledger()).length, all.length + 3)
  })
})
