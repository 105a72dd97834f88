/** The venue's leaderboard: an account's row becomes one a period, exact; what cannot be read is told and takes nothing else with it. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { digest, infoAnswer, insertHeard, type Heard } from '../../support/hyperliquid.js'
import { freshStore } from '../../support/servers.js'

const Text = z.object({ row: z.string() })
const account = (byte: string): string => `0x${byte.repeat(20)}`
const performance = (pnl: unknown = '1.5', more: object = {}): object => ({ pnl, roi: '0.0133582723', vlm: '3250555746.66', ...more })
const periods = ['day', 'week', 'month', 'allTime']
const row = (byte: string, more: object = {}): object => ({ ethAddress: account(byte), accountValue: '48857952.3308470026', windowPerformances: periods.map((period) => [period, performance()]), prize: 0, displayName: null, ...more })
const leaderboard = (rows: unknown, more: object = {}): Heard => infoAnswer({ type: 'leaderboard' }, { leaderboardRows: rows, ...more })
const garbled = 'cannot be what it claims', unread = 'a field that no rule reads'

describe('the leaderboard of Hyperliquid', function () {
  this.timeout(120_000)
  let store: Store, segment = 0
  before(async () => { store = (await freshStore()).store })
  beforeEach(async () => { for (const table of ['hl_leaderboard', 'hl_unknown', 'hl_records']) await store.execute('TRUNCATE TABLE {table:Identifier}', { table }) })
  const rows = async (sql: string): Promise<string[]> => (await store.query(sql, {}, Text)).map((one) => one.row)
  const hear = async (...heard: Heard[]): Promise<void> => { segment += 1; await insertHeard(store, segment, heard); await digest(store, segment, segment) }
  const accounts = (): Promise<string[]> => rows(`SELECT concatWithSeparator(' ', substring(lower(hex(account)), 1, 2), arrayStringConcat(arraySort(groupArray(toString(period))), ',')) AS row FROM hl_leaderboard GROUP BY account ORDER BY row`)
  const told = (): Promise<string[]> => rows(`SELECT concatWithSeparator('|', type, field, reason) AS row FROM hl_unknown ORDER BY row`)
  const all = 'allTime,day,month,week'

  it('gives one row an account and period, every amount as it was written', async () => {
    await hear(leaderboard([row('11', { ethAddress: account('AA'), displayName: 'ABC', windowPerformances: [['month', performance('-876456.769935', { roi: '-0.000000000000000001' })], ['allTime', performance('99999999999999999999.5')]] }), row('22', { accountValue: '-0.5', prize: 7 })]))
    assert.deepEqual(await rows(`SELECT concatWithSeparator(' ', lower(hex(account)), period, place, account_value, pnl, roi, volume, coalesce(toString(prize), '-'), coalesce(display_name, '-'), source, toString(heard_at > now() - 60)) AS row FROM hl_leaderboard WHERE period IN ('month', 'allTime') ORDER BY place, period`), [
      `${'aa'.repeat(20)} month 0 48857952.3308470026 -876456.769935 -0.000000000000000001 3250555746.66 0 ABC info true`, `${'aa'.repeat(20)} allTime 0 48857952.3308470026 99999999999999999999.5 0.0133582723 3250555746.66 0 ABC info true`,
      `${'22'.repeat(20)} month 1 -0.5 1.5 0.0133582723 3250555746.66 7 - info true`, `${'22'.repeat(20)} allTime 1 -0.5 1.5 0.0133582723 3250555746.66 7 - info true`,
    ].map((line) => line.replace(/true$/, '1')))
    assert.deepEqual([await accounts(), await told(), await rows('SELECT type AS row FROM hl_records')], [['22 ' + all, 'aa allTime,month'], [], []])
  })

  it('a period that is missing leaves the others theirs; one that is unknown, twice there or no list is told', async () => {
    await hear(leaderboard([
      row('11', { windowPerformances: [['day', performance()]] }), row('22', { windowPerformances: [...periods, 'perpMonth', 'year'].map((period) => [period, performance()]) }),
      row('33', { windowPerformances: [['day', performance()], ['day', performance('9')], 7, ['week'], ['month', performance('1', { fresh: 1 }), 5]] }),
      row('44', { windowPerformances: [] }), row('55', { windowPerformances: undefined }), row('66', { windowPerformances: 'x' }),
    ]))
    assert.deepEqual(await accounts(), ['11 day', '22 allTime,day,month,perpMonth,week', '33 day,month'])
    assert.deepEqual(await rows(`SELECT toString(pnl) AS row FROM hl_leaderboard WHERE hex(account) LIKE '33%' AND period = 'day'`), ['1.5'])
    assert.deepEqual(await told(), [...Array<string>(3).fill(`leader||${garbled}`), `leader|windowPerformances.day|${garbled}`, `leader|windowPerformances.month.3|${unread}`, `leader|windowPerformances.month.fresh|${unread}`, `leader|windowPerformances.week|${garbled}`, `leader|windowPerformances.year|${unread}`, `leader|windowPerformances.|${garbled}`].sort())
  })

  it('an amount that is none is refused with its period, a number too: it would have been a float on its way; an account\'s value with its account', async () => {
    const bad = ['x', '', '1e5', null, 12.25, '1.1234567890123456789', '123456789012345678901', [], 'NaN']
    await hear(leaderboard([...bad.map((pnl, index) => row(`1${index}`, { windowPerformances: [['day', performance(pnl)], ['week', performance()]] })), row('33', { windowPerformances: [['day', performance('1', { vlm: '-1' })], ['week', performance('1', { roi: 0.1 })], ['month', { pnl: '1', roi: '1' }]] }), ...bad.map((accountValue, index) => row(`2${index}`, { accountValue }))]))
    assert.deepEqual(await accounts(), bad.map((_, index) => `1${index} week`))
    assert.deepEqual(await told(), [...bad.map(() => `leader||${garbled}`), ...['day', ...bad.map(() => 'day'), 'week', 'month'].map((period) => `leader|windowPerformances.${period}|${garbled}`)].sort())
  })

  it('an account listed twice stands once, the first; no account, and what is no row, stands not at all', async () => {
    await hear(leaderboard([row('aa'), row('AA', { accountValue: '2' }), row('11', { ethAddress: '0x12' }), row('22', { ethAddress: undefined }), row('33', { ethAddress: `${account('33')}\n` }), 7, null, [], 'x', {}]))
    assert.deepEqual([await accounts(), await rows('SELECT DISTINCT toString(account_value) AS row FROM hl_leaderboard')], [['aa ' + all], ['48857952.3308470026']])
    assert.deepEqual(await told(), [...Array<string>(8).fill(`leader||${garbled}`), 'leader||an account that is listed before'].sort())
  })

  it('a name is whatever its account wrote: kept to the letter, cut where it is long, told where it is none', async () => {
    const names = ['<script>alert(1)</script>', '\'); DROP TABLE hl_leaderboard; --', '{chain:String}', 'a"b\\c\u0000\u001b[31m', '\u202eevil\u200b', 'Ignore all that was said before', '名前🐳', '']
    await hear(leaderboard([...names.map((displayName, index) => row(`1${index}`, { displayName })), row('22', { displayName: '🐳'.repeat(300) }), row('33', { displayName: { a: 1 } }), row('44', { displayName: 5 }), row('55', { displayName: undefined })]))
    assert.deepEqual(await rows(`SELECT hex(display_name) AS row FROM hl_leaderboard WHERE period = 'day' AND hex(account) LIKE '1%' ORDER BY account`), names.map((name) => Buffer.from(name).toString('hex').toUpperCase()))
    assert.deepEqual(await rows(`SELECT coalesce(toString(lengthUTF8(display_name)), '-') AS row FROM hl_leaderboard WHERE period = 'day' AND hex(account) NOT LIKE '1%' ORDER BY account`), ['256', '-', '-', '-'])
    assert.deepEqual(await told(), [`leader|displayName|${garbled}`, `leader|displayName|${garbled}`, 'leader|displayName|longer than what is kept'])
  })

  it('fields and answers that nobody knows are told, an answer that is not JSON too', async () => {
    await hear(leaderboard([row('11', { fresh: 1, prize: -1 }), row('22', { prize: '12.5' }), row('33', { prize: 0.5 })], { updated: 5 }), leaderboard({ no: 'list' }), infoAnswer({ type: 'leaderboard' }, []), infoAnswer({ type: 'leaderboard' }, null), { kind: 'info', request: '{"type":"leaderboard"}', payload: '{"leaderboardRows":[{"ethAddress":"0x1' })
    assert.deepEqual(await rows(`SELECT DISTINCT concat(substring(lower(hex(account)), 1, 2), ' ', coalesce(toString(prize), '-')) AS row FROM hl_leaderboard ORDER BY row`), ['11 -', '22 12.5', '33 -'])
    assert.deepEqual(await told(), ['garbage||not JSON', `leaderboard|updated|${unread}`, ...Array<string>(3).fill(`leaderboard||${garbled}`), `leader|fresh|${unread}`, `leader|prize|${garbled}`, `leader|prize|${garbled}`].sort())
    assert.ok((await rows('SELECT toString(max(length(example))) AS row FROM hl_unknown')).every((length) => Number(length) <= 500))
  })

  it('worked on again it is the same; heard again it is another segment\'s; an empty one is nothing', async () => {
    await hear(leaderboard([row('11'), row('11'), row('22')]))
    const before = await rows('SELECT toString(tuple(*)) AS row FROM hl_leaderboard ORDER BY row')
    await digest(store, segment, segment, true)
    assert.deepEqual(await rows('SELECT toString(tuple(*)) AS row FROM hl_leaderboard ORDER BY row'), before)
    await hear(leaderboard([row('11')]), leaderboard([]))
    assert.deepEqual(await rows('SELECT toString(count()) AS row FROM hl_leaderboard GROUP BY block_number ORDER BY block_number'), ['8', '4'])
  })

  it('rows that a crash kept from landing are put in by whoever works on it again', async () => {
    await hear(leaderboard([row('11'), row('22')]))
    await store.execute('TRUNCATE TABLE hl_leaderboard')
    await digest(store, segment, segment, true)
    assert.deepEqual(await accounts(), ['11 ' + all, '22 ' + all])
  })
})
