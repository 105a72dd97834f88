/** Messages and files in the venue's shapes, made up here: what each becomes, and what is told where something is wrong. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { digest, emptyVenue, infoAnswer, insertHeard, message, type Heard } from '../../support/hyperliquid.js'
import { freshStore } from '../../support/servers.js'

const buyer = `0x${'11'.repeat(20)}`, seller = `0x${'22'.repeat(20)}`, third = `0x${'33'.repeat(20)}`
const time = Date.now() - 60_000
const hash = `0x${'ab'.repeat(32)}`
const trade = (tid: number, more: object = {}) => ({ coin: 'BTC', side: 'B', px: '84134.0', sz: '0.002', time, hash, tid, users: [buyer, seller], ...more })
const fill = (tid: number, side: 'A' | 'B', more: object = {}) => ({
  coin: 'BTC', px: '84134.0', sz: '0.002', side, time, startPosition: '0.0', dir: side === 'B' ? 'Open Long' : 'Close Long', closedPnl: '0.0', hash, oid: 7, crossed: side === 'B', fee: '0.07', tid, feeToken: 'USDC', twapId: null, ...more,
})
const context = { funding: '0.0000125', openInterest: '27353.17682', prevDayPx: '76317.0', dayNtlVlm: '1516669192.1953897476', premium: null, oraclePx: '77605.0', markPx: '77562.0', midPx: null, impactPxs: null, dayBaseVlm: '19707.77457' }
const nodeLine = (number: number, events: readonly unknown[]): string => JSON.stringify({ local_time: 'x', block_time: new Date(time).toISOString(), block_number: number, events })
const Text = z.object({ row: z.string() })

describe('what Hyperliquid says', function () {
  this.timeout(60_000)
  let store: Store, segment = 0
  before(async () => { store = (await freshStore()).store })
  beforeEach(() => emptyVenue(store))
  const rows = async (sql: string): Promise<string[]> => (await store.query(sql, {}, Text)).map(({ row }) => row)
  const hear = async (...heard: Heard[]): Promise<void> => { segment += 1; await insertHeard(store, segment, heard); await digest(store, segment, segment) }
  const trades = (): Promise<string[]> => rows(`SELECT concatWithSeparator(' ', coin, market, tid, side, substring(lower(hex(buyer)), 1, 2), substring(lower(hex(taker)), 1, 2)) AS row FROM hl_trades ORDER BY coin, tid, hash`)
  const unknown = (): Promise<string[]> => rows(`SELECT concatWithSeparator('|', type, field, reason) AS row FROM hl_unknown ORDER BY row`)

  it('a trade: the buyer comes first, side is the aggressor\'s, so the taker of a sale is the second account', async () => {
    await hear(message('trades', [trade(1), trade(2, { side: 'A' })]))
    assert.deepEqual(await trades(), ['BTC perp 1 buy 11 11', 'BTC perp 2 sell 11 22'])
    assert.deepEqual(await rows('SELECT toString(notional) AS row FROM hl_trades'), ['168.268', '168.268'])
  })

  it('a trade heard again, in the same message, later, out of order and by REST, stands once', async () => {
    await hear(message('trades', [trade(1), trade(1)]), message('trades', [trade(1)]))
    await hear(message('trades', [trade(2, { time: time - 5_000 })]), infoAnswer({ type: 'recentTrades', coin: 'BTC' }, [trade(1), trade(3)]))
    assert.deepEqual(await trades(), ['BTC perp 1 buy 11 11', 'BTC perp 2 buy 11 11', 'BTC perp 3 buy 11 11'])
  })

  it('the same id in another coin, or at another time, is another trade', async () => {
    await hear(message('trades', [trade(1), trade(1, { coin: 'ETH' }), trade(1, { time: time - 1 })]))
    assert.equal((await trades()).length, 3)
  })

  it('perps of the venue, spot pairs and perps that others list are kept apart', async () => {
    await hear(message('trades', ['BTC', '@107', 'PURR/USDC', 'xyz:AAPL'].map((coin, index) => trade(index, { coin }))))
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', coin, market, dex) AS row FROM hl_trades ORDER BY coin`), ['@107 spot ', 'BTC perp ', 'PURR/USDC spot ', 'xyz:AAPL dex xyz'])
  })

  it('lines of a node, plain or by block: fills of both sides are a trade too, and a file of trades adds none that is there', async () => {
    await hear({ kind: 'node_fills', payload: `${nodeLine(9, [[buyer, fill(5, 'B')], [seller, fill(5, 'A')]])}\n${JSON.stringify([third, fill(6, 'A', { coin: '@107', dir: 'Sell' })])}\n` })
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', tid, side, substring(lower(hex(account)), 1, 2), coalesce(toString(venue_block), '-')) AS row FROM hl_fills ORDER BY tid, account`), ['5 buy 11 9', '5 sell 22 9', '6 sell 33 -'])
    assert.deepEqual(await trades(), ['BTC perp 5 buy 11 11'])
    const line = (px: string) => JSON.stringify({ coin: 'BTC', side: 'B', time: new Date(time).toISOString().replace('Z', ''), px, sz: '0.002', hash, trade_dir_override: 'Na', side_info: [buyer, seller].map((user, index) => ({ user, start_pos: '0', oid: index + 1, twap_id: null, cloid: null })) })
    await hear({ kind: 'node_trades', payload: `${line('84134.0')}\n${line('84135.0')}\n` })
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', px, buyer_oid, seller_oid) AS row FROM hl_trades WHERE tid = 0`), ['84135 1 2'])
    await hear(message('trades', [trade(77, { px: '84135.0' })]))
    assert.equal((await trades()).length, 2)
  })

  it('fills without a trade id are told apart by order, position, price and size', async () => {
    const { tid: _, ...bare } = fill(0, 'A')
    await hear(infoAnswer({ type: 'userFills', user: seller }, [bare, { ...bare, startPosition: '1.0' }, bare]))
    await hear(infoAnswer({ type: 'userFillsByTime', user: seller.toUpperCase().replace('X', 'x') }, [bare, { ...bare, oid: 8 }]))
    assert.deepEqual(await rows('SELECT toString(count()) AS row FROM hl_fills'), ['3'])
  })

  it('a liquidation stands once, whichever sides were heard: the victim is whose direction says so, else whom the other side names', async () => {
    const liquidation = { liquidatedUser: seller, markPx: '84000.0', method: 'market' }
    await hear({ kind: 'node_fills', payload: nodeLine(1, [[buyer, fill(5, 'B', { liquidation })], [seller, fill(5, 'A', { dir: 'Liquidated Cross Long' })]]) })
    await hear(message('user', { fills: [fill(6, 'B', { liquidation })] }, { type: 'userEvents', user: buyer }))
    await hear(message('userFills', { user: seller, isSnapshot: true, fills: [fill(5, 'A', { dir: 'Liquidated Cross Long' })] }))
    // A winner's position is closed against the liquidator's: the winner's own fill says so.
    await hear({ kind: 'node_fills', payload: JSON.stringify([third, fill(8, 'A', { dir: 'Auto-Deleveraging', liquidation: { liquidatedUser: buyer, markPx: '84000.0', method: 'backstop' } })]) })
    // Where the loser's own fill came too, the trade is the loser's liquidation.
    await hear({ kind: 'node_fills', payload: nodeLine(2, [[third, fill(9, 'B', { dir: 'Auto-Deleveraging' })], [seller, fill(9, 'A', { dir: 'Liquidated Isolated Long', liquidation: { liquidatedUser: seller, markPx: '84000.0', method: 'backstop' } })]]) })
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', tid, kind, substring(lower(hex(liquidated)), 1, 2), side, method, coalesce(toString(mark_px), '-')) AS row FROM hl_liquidations ORDER BY tid`),
      ['5 liquidation 22 sell market 84000', '6 liquidation 22 sell market 84000', '8 adl 33 sell backstop 84000', '9 liquidation 22 sell backstop 84000'])
  })

  it('contexts by name, and by their place in the list of their dex; middle prices; a book', async () => {
    await hear(message('activeAssetCtx', { coin: 'BTC', ctx: context }), message('allDexsAssetCtxs', { ctxs: [['', [context, context]], ['xyz', [context]]] }), message('allMids', { mids: { BTC: '1.5', '@142': '2' } }),
      message('l2Book', { coin: 'BTC', time, levels: [[{ px: '1', sz: '2', n: 3 }], []] }), infoAnswer({ type: 'metaAndAssetCtxs', dex: '' }, [{ universe: [{ name: 'BTC', szDecimals: 5, maxLeverage: 40, marginTableId: 56 }, { name: 'OLD', szDecimals: 0, maxLeverage: 3, isDelisted: true }], marginTables: [], collateralToken: 0 }, [context, context]]))
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', dex, coin, place, mark_px, rate, open_interest, coalesce(toString(premium), '-')) AS row FROM hl_contexts ORDER BY dex, coin, place`),
      [' ', ' '].map((_, place) => `  ${place} 77562 0.0000125 27353.17682 -`).concat([' BTC 0 77562 0.0000125 27353.17682 -', ' BTC 0 77562 0.0000125 27353.17682 -', ' OLD 0 77562 0.0000125 27353.17682 -', 'xyz  0 77562 0.0000125 27353.17682 -']))
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', coin, market, px) AS row FROM hl_mids ORDER BY coin`), ['@142 spot 2', 'BTC perp 1.5'])
    assert.deepEqual(await rows(`SELECT concat(toString(bids), toString(asks)) AS row FROM hl_books`), ['[(1,2,3)][]'])
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', coin, max_leverage, delisted, coalesce(toString(margin_table), '-')) AS row FROM hl_coins ORDER BY place`), ['BTC 40 false 56', 'OLD 3 true -'])
    assert.deepEqual(await unknown(), [])
  })

  it('tells what no rule reads, and keeps the rest: new fields, new kinds, garbage, what cannot be', async () => {
    await hear({ kind: 'ws', payload: '{"channel":"trad' }, message('brandNew', [1]), message('trades', [trade(1, { fresh: 1 }), trade(2, { px: '1e5' }), trade(3, { users: ['x'] }), trade(4, { time: 5 }), trade(5)]),
      message('userFills', { user: buyer, fills: [fill(1, 'B', { liquidation: { liquidatedUser: seller, markPx: '1', method: 'market', speed: 3 } })] }), { kind: 'node_fills', payload: 'not json\n' })
    assert.deepEqual(await unknown(), ['fill|liquidation.speed|a field that no rule reads', 'garbage||not JSON', 'garbage||not JSON', 'trade|fresh|a field that no rule reads', 'trade||cannot be what it claims', 'trade||cannot be what it claims', 'trade||cannot be what it claims', 'unknown|brandNew|a kind of message that no rule reads'])
    assert.deepEqual((await trades()).length, 2)
    assert.deepEqual(await rows('SELECT item AS row FROM hl_records'), ['[1]'])
  })

  it('an amount that is none is told and refused, not read as 0: a position before, a result, a fee; a price or size with a sign', async () => {
    await hear(message('userFills', { user: buyer, fills: [fill(1, 'B', { startPosition: 'x' }), fill(2, 'B', { closedPnl: '1e9' }), fill(3, 'B', { fee: '' }), fill(4, 'B', { px: '-1.0' }), fill(5, 'B', { sz: '-0.1' }), fill(6, 'A', { startPosition: '-2.0', closedPnl: '-3.5', fee: '-0.01' })] }),
      message('trades', [trade(7, { px: '-84134.0' }), trade(8), trade(9, { users: [`0x${'11'.repeat(30)}`, seller] })]))
    assert.deepEqual(await rows("SELECT concatWithSeparator(' ', tid, start_position, closed_pnl, fee) AS row FROM hl_fills"), ['6 -2 -3.5 -0.01'])
    assert.deepEqual(await trades(), ['BTC perp 8 buy 11 11'])
    assert.deepEqual(await unknown(), [...Array<string>(5).fill('fill||cannot be what it claims'), 'trade||cannot be what it claims', 'trade||cannot be what it claims'])
  })

  it('a coin whose name is longer than 64 bytes is told and refused, whatever names it; one of 64 bytes is not', async () => {
    const coin = 'é'.repeat(32)
    const naming = (name: string): Heard[] => [
      message('trades', [trade(1, { coin: name })]), message('userFills', { user: buyer, fills: [fill(1, 'B', { coin: name })] }), message('l2Book', { coin: name, time, levels: [[], []] }), message('activeAssetCtx', { coin: name, ctx: context }), message('allMids', { mids: { [name]: '1' } }),
      infoAnswer({ type: 'metaAndAssetCtxs' }, [{ universe: [{ name, szDecimals: 5, maxLeverage: 40 }] }, [context]]), infoAnswer({ type: 'fundingHistory' }, [{ coin: name, fundingRate: '0.1', premium: '0.1', time }]),
      infoAnswer({ type: 'userFunding', user: buyer }, [{ time, hash, delta: { type: 'funding', coin: name, usdc: '1', szi: '1', fundingRate: '0.1', nSamples: null } }]), infoAnswer({ type: 'predictedFundings' }, [[name, [['HlPerp', { fundingRate: '0.1', nextFundingTime: time, fundingIntervalHours: 1 }]]]]),
      infoAnswer({ type: 'candleSnapshot' }, [{ t: time, T: time + 1, s: name, i: '1m', o: '1', c: '1', h: '1', l: '1', v: '1', n: 1 }]),
      infoAnswer({ type: 'clearinghouseState', user: buyer }, { marginSummary: { accountValue: '1', totalNtlPos: '1', totalRawUsd: '1', totalMarginUsed: '1' }, withdrawable: '1', time, assetPositions: [{ type: 'oneWay', position: { coin: name, szi: '1', leverage: { type: 'cross', value: 1 }, entryPx: '1', positionValue: '1', unrealizedPnl: '1', returnOnEquity: '1', marginUsed: '1' } }] }),
      { kind: 'node_trades', payload: JSON.stringify({ coin: name, side: 'B', time: new Date(time).toISOString().replace('Z', ''), px: '2', sz: '1', hash, side_info: [buyer, seller].map((user) => ({ user, oid: 1 })) }) },
    ]
    const tables = ['hl_trades', 'hl_heard_trades', 'hl_fills', 'hl_account_fills', 'hl_books', 'hl_contexts', 'hl_mids', 'hl_coins', 'hl_funding_rates', 'hl_funding_payments', 'hl_predicted_fundings', 'hl_candles', 'hl_positions']
    const named = (name: string): Promise<string[]> => rows(tables.map((table) => `SELECT concat('${table} ', toString(count())) AS row FROM ${table} WHERE coin = '${name}'`).join(' UNION ALL ').concat(' ORDER BY row'))
    await hear(...naming(coin))
    assert.deepEqual((await named(coin)).filter((row) => row.endsWith(' 0')), [])
    assert.deepEqual(await unknown(), [])
    await hear(...naming(`${coin}x`))
    assert.deepEqual((await named(`${coin}x`)).filter((row) => !row.endsWith(' 0')), [])
    assert.deepEqual(await unknown(), ['book', 'candle', 'coin', 'context', 'context', 'fill', 'funding_payment', 'funding_rate', 'mid', 'node_trade', 'position', 'predicted', 'trade'].map((type) => `${type}||cannot be what it claims`))
  })

  it('what is worth more than anything that is dealt is told and refused: trades, fills, results, fees, payments', async () => {
    const most = { px: '100', sz: '10000000000' }, more = { px: '100', sz: '10000000000.001' }, large = '1000000000000'
    const line = (amounts: object) => JSON.stringify({ coin: 'ETH', side: 'B', time: new Date(time).toISOString().replace('Z', ''), hash, side_info: [buyer, seller].map((user) => ({ user, oid: 1 })), ...amounts })
    const paid = (at: number, usdc: string) => ({ time: at, hash, delta: { type: 'funding', coin: 'BTC', usdc, szi: '1', fundingRate: '0.1', nSamples: null } })
    await hear(message('trades', [trade(1, most), trade(2, more)]), message('userFills', { user: buyer, fills: [fill(3, 'B', most), fill(4, 'B', more), fill(5, 'B', { closedPnl: `-${large}` }), fill(6, 'B', { fee: large }), fill(7, 'B', { startPosition: `${large}000000.5` }), fill(8, 'B', { px: '0', sz: `${large}000000` })] }),
      infoAnswer({ type: 'userFunding', user: buyer }, [paid(time, '-999999999999.5'), paid(time - 1, large)]), { kind: 'node_trades', payload: [most, more, { px: '-100', sz: '1' }].map(line).join('\n') })
    assert.deepEqual(await rows("SELECT concat(coin, ' ', toString(tid), ' ', toString(notional)) AS row FROM hl_trades ORDER BY row"), [`BTC 1 ${large}`, `ETH 0 ${large}`])
    assert.deepEqual(await rows('SELECT toString(tid) AS row FROM hl_heard_trades WHERE number = (SELECT max(number) FROM hl_heard_trades)'), ['1'])
    assert.deepEqual(await rows('SELECT toString(tid) AS row FROM hl_fills'), ['3'])
    assert.deepEqual(await rows('SELECT toString(usdc) AS row FROM hl_funding_payments'), ['-999999999999.5'])
    assert.deepEqual(await unknown(), ['fill', 'fill', 'fill', 'fill', 'fill', 'funding_payment', 'node_trade', 'node_trade', 'trade'].map((type) => `${type}||cannot be what it claims`))
  })

  it('what is well-formed and of another shape than its kind is told once, whatever says it; what stands beside is read', async () => {
    const state = { marginSummary: { accountValue: '1', totalNtlPos: '1', totalRawUsd: '1', totalMarginUsed: '1' }, withdrawable: '1', time }, garbled = 'unknown||cannot be what it claims'
    const cases: [Heard, string][] = [
      ...['5', 'null', '"x"', '{}', '{"block_number":5,"events":null}', `{"block_number":5,"evts":[["${buyer}",{}]]}`, '{"events":{"a":1}}', '{"events":[],"surprise":[1]}'].map((payload): [Heard, string] => [{ kind: 'node_fills', payload }, garbled]),
      [{ kind: 'node_trades', payload: '{"block_number":5,"events":null}' }, garbled], [{ kind: 'node_trades', payload: '{"events":[],"surprise":1}' }, 'unknown|surprise|a field that no rule reads'],
      ...[{ user: buyer, isSnapshot: false }, { user: buyer, fills: { a: 1 } }, { user: buyer, fills: null }, null, [fill(1, 'B')], { user: buyer, fills: [], surprise: 4 }].map((data): [Heard, string] => [message('userFills', data), garbled]),
      ...[null, { coin: 'BTC' }, {}, 'x'].map((data): [Heard, string] => [message('trades', data), garbled]), [{ kind: 'ws', payload: '{"channel":"trades"}' }, garbled],
      ...[[1, 2], { mids: [1, 2] }, { mids: null }, null].map((data): [Heard, string] => [message('allMids', data), garbled]), [message('allMids', { mids: {}, surprise: 1 }), 'unknown|surprise|a field that no rule reads'],
      [message('assetCtxs', { dex: 'xyz' }), garbled], [message('allDexsAssetCtxs', { ctxs: null }), garbled], [message('allDexsAssetCtxs', { ctxs: [['xyz', null]] }), garbled], [message('activeAssetCtx', { coin: 'BTC', ctx: context, surprise: 1 }), 'unknown|surprise|a field that no rule reads'],
      [message('userFundings', { user: buyer }), garbled], [message('userNonFundingLedgerUpdates', { user: buyer, nonFundingLedgerUpdates: {} }), garbled], [message('userFundings', { user: buyer, isSnapshot: true, fundings: [], surprise: 1 }), 'unknown|surprise|a field that no rule reads'], [message('user', { fills: {} }), garbled],
      ...['userFills', 'userFillsByTime', 'recentTrades', 'fundingHistory', 'predictedFundings', 'userFunding', 'userNonFundingLedgerUpdates'].flatMap((type) => [null, { error: 'x' }, 7].map((response): [Heard, string] => [infoAnswer({ type, user: buyer }, response), garbled])),
      ...[null, { universe: null }, {}, []].map((response): [Heard, string] => [infoAnswer({ type: 'meta' }, response), garbled]), ...[null, {}, [], [{ universe: [] }], [{ universe: null }, []], [{ universe: [] }, {}], [{ universe: [] }, [], 1]].map((response): [Heard, string] => [infoAnswer({ type: 'metaAndAssetCtxs' }, response), garbled]),
      ...[null, 7, 'x'].map((response): [Heard, string] => [infoAnswer({ type: 'candleSnapshot' }, response), garbled]), [infoAnswer({ type: 'allMids' }, ['1']), garbled], [infoAnswer({ type: 'allMids' }, null), garbled],
      [infoAnswer({ type: 'predictedFundings' }, [['BTC', null]]), 'predicted||cannot be what it claims'], [infoAnswer({ type: 'clearinghouseState', user: buyer }, { ...state, assetPositions: null }), garbled],
    ]
    for (const [index, [heard]] of cases.entries()) await insertHeard(store, segment + index + 1, [heard])
    await digest(store, segment + 1, segment + cases.length)
    const told = await rows(`SELECT concatWithSeparator('|', toString(block_number), type, field, reason) AS row FROM hl_unknown ORDER BY block_number, row`)
    assert.deepEqual(told, cases.map(([, row], index) => `${segment + index + 1}|${row}`))
    segment += cases.length
    assert.deepEqual(await rows(`SELECT example AS row FROM hl_unknown WHERE example IN ('["node_fills","surprise",[1]]', '["userFills","surprise",4]', '["recentTrades",null]', '[{"channel":"trades","data":null}]', '["allMids",[1,2]]', '["fundingHistory",null]') ORDER BY row`),
      ['["allMids",[1,2]]', '["fundingHistory",null]', '["node_fills","surprise",[1]]', '["recentTrades",null]', '["userFills","surprise",4]', '[{"channel":"trades","data":null}]'])
    assert.deepEqual(await rows('SELECT toString((SELECT count() FROM hl_fills) + (SELECT count() FROM hl_trades) + (SELECT count() FROM hl_accounts)) AS row'), ['0'])
  })

  it('an empty list says nothing, nor does the null of a book or vault that there is not', async () => {
    await hear({ kind: 'node_fills', payload: `${nodeLine(9, [])}\n` }, { kind: 'node_trades', payload: nodeLine(9, []) }, message('userFills', { user: buyer, isSnapshot: true, fills: [] }), message('trades', []), message('allMids', { mids: {} }), message('userFundings', { user: buyer, fundings: [] }),
      ...['userFills', 'userFillsByTime', 'recentTrades', 'fundingHistory', 'predictedFundings', 'userFunding', 'userNonFundingLedgerUpdates', 'candleSnapshot'].map((type) => infoAnswer({ type, user: buyer }, [])), infoAnswer({ type: 'meta' }, { universe: [] }), infoAnswer({ type: 'metaAndAssetCtxs' }, [{ universe: [] }, []]), infoAnswer({ type: 'allMids' }, {}),
      infoAnswer({ type: 'l2Book', coin: 'NONE' }, null), infoAnswer({ type: 'vaultDetails' }, null))
    assert.deepEqual(await unknown(), [])
  })

  it('a message of fills and of funding is both', async () => {
    await hear(message('user', { fills: [fill(1, 'B')], funding: { time, coin: 'BTC', usdc: '1', szi: '1', fundingRate: '0.1', nSamples: null } }, { type: 'userEvents', user: buyer }))
    assert.deepEqual(await rows("SELECT concatWithSeparator(' ', (SELECT count() FROM hl_fills), (SELECT count() FROM hl_funding_payments), (SELECT count() FROM hl_records)) AS row"), ['1 1 0'])
    assert.deepEqual(await unknown(), [])
  })

  it('a book with a level that is no price and size, or without two lists of levels, is told and refused as a whole', async () => {
    const level = { px: '1', sz: '2', n: 3 }, book = (levels: unknown) => message('l2Book', { coin: 'BTC', time, levels })
    const bad = [[[{ ...level, px: 'abc' }], []], [[], [level, { ...level, sz: 'abc' }]], [[{ ...level, px: '' }], []], [[{ ...level, px: '-1' }], []], [[{ ...level, sz: '1e5' }], []], [[{ n: 1 }], []], [[level, 5], []], [['x'], []], [[null], []], [[level]], [[level], {}], [{}, {}], [[], [], []], [], null, {}, 'x']
    await hear(...bad.map(book), message('l2Book', { coin: 'BTC', time }))
    assert.deepEqual([await rows('SELECT toString(count()) AS row FROM hl_books'), await unknown()], [['0'], [...bad, 0].map(() => 'book||cannot be what it claims')])
    await hear(book([[level], []]), book([[], []]), infoAnswer({ type: 'l2Book' }, { coin: 'BTC', time, levels: [[level, { px: '0.5', sz: '123456789012345678.5', n: 1 }], [{ px: 2.5, sz: '1', n: 1 }]] }))
    assert.deepEqual(await rows('SELECT concat(toString(bids), toString(asks)) AS row FROM hl_books ORDER BY row'), ['[(1,2,3),(0.5,123456789012345678.5,1)][(2.5,1,1)]', '[(1,2,3)][]', '[][]'])
    assert.equal((await unknown()).length, bad.length + 1)
  })

  it('a gap is a row of coverage', async () => {
    await hear({ kind: 'gap', payload: JSON.stringify({ channel: 'trades', coin: 'BTC', from: time, to: time + 1_500, reason: 'the socket was closed' }) })
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', channel, coin, toUnixTimestamp64Milli(to_time) - toUnixTimestamp64Milli(from_time), reason) AS row FROM hl_gaps`), ['trades BTC 1500 the socket was closed'])
  })
})
