/** What wallets earned on recorded mainnet blocks, and the leaderboards' answers. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { makeCursors } from '../../api/cursors.js'
import { computeLeaders } from '../../stages/leaders/computeLeaders.js'
import { fillRecorded } from './support/recorded.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

/** Bought and sold one token within block 12914944, around somebody else's trade. */
const bot = '0x8a545005753c015a6c2670cb7cf6693e1e5a2811'
const bought = '0x25f8087ead173b73d6e8b84329989a8eea16cf73'
/** Sold three tokens in block 22431083 that had come before what is indexed. */
const seller = '0xf5213a6a2f0890321712520b8048d9886c1a9900'
const secret = 'a secret of this test'

describe('smart money, on recorded blocks', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  before(async () => {
    service = await startService({ CURSOR_SECRET: secret })
    await fillRecorded(service.store, [12914944, 17034869, 22431083, 22431084])
  })
  after(() => service.stop())

  it('knows what an address earned by a token, exactly', async () => {
    const { totals, tokens, _meta, as_of_block } = await get(`wallets/${bot.toUpperCase().replace('0X', '0x')}/pnl`)
    const [one] = tokens
    assert.deepEqual([one.token, one.buys, one.sells, one.bought, one.sold, one.held, one.unpriced_in, one.closed, one.wins, one.unknown_share], [bought, 1, 1, '1134672296958449722343', '1134672296958449722343', '0', '0', 1, 1, 0])
    assert.ok(Math.abs(one.realised_usd - 487.003337846) < 1e-6 && Math.abs(one.realised_usd_fifo - one.realised_usd) < 1e-9, one.realised_usd)
    assert.deepEqual([totals.tokens, totals.trades, totals.closed, totals.realised_usd, totals.gas_wei, totals.unrealised_usd, as_of_block, _meta.empty], [1, 2, 1, one.realised_usd, '0', null, 22431084, undefined])
    const { tokens: _, gas_wei: _wei, ...earned } = totals
    assert.deepEqual((await get(`wallets/${bot}`)).pnl, earned)
    const recent = await get(`wallets/${bot}/pnl?days=30`)
    assert.deepEqual([recent.totals.realised_usd, recent.totals.closed, recent.totals.trades, recent.totals.unknown_share], [0, 0, 0, null])
  })

  it('gives no result where the cost is unknown', async () => {
    const { totals, tokens } = await get(`wallets/${seller}/pnl`)
    assert.deepEqual([totals.tokens, totals.trades, totals.closed, totals.realised_usd, totals.realised_usd_fifo, totals.net_usd, totals.unknown_share], [3, 3, 0, null, null, null, 1])
    assert.ok(tokens.every((row: any) => row.realised_usd === null && row.realised_usd_fifo === null && row.unknown_share === 1 && row.held === '0' && row.unrealised_usd === null && BigInt(row.sold) > 0n))
    assert.ok(totals.gas_unpriced === 0 && totals.gas_usd > 2 && totals.gas_usd < 2.1)
    const pages: string[] = []
    for (let cursor = ''; ;) {
      const page = await get(`wallets/${seller}/pnl?limit=1${cursor}`)
      pages.push(page.tokens[0].token)
      if (!page.has_more) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(pages, tokens.map(({ token }: any) => token))
    // Once a cursor held the height there: read as a time it would be before any block.
    const before = makeCursors(secret).write('get_wallet_pnl', { chain: 'ETH', address: seller, days: undefined }, [0, tokens[0].token, 22_431_084])
    const { status, body } = await service.call(`GET /v1/wallets/${seller}/pnl?limit=1&cursor=${before}`)
    assert.deepEqual([status, body.detail?.error], [400, 'INVALID_CURSOR'])
  })

  it('does not reckon an address that moved too often to be reckoned while somebody waits, and says so', async () => {
    const busy = `0x${'b5'.repeat(20)}`
    await service.store.execute(`INSERT INTO wallet_trades SELECT * REPLACE (unhex({busy:String}) AS account) FROM wallet_trades AS t WHERE t.account = unhex({bot:String})`, { busy: busy.slice(2), bot: bot.slice(2) })
    const segment = (count: number, version: number) => service.store.execute("INSERT INTO address_segments (chain, address, hour, segment, transfers_in, usd_in, transfers_out, usd_out, version) SELECT 'ETH', unhex({busy:String}), toDateTime(0), 0, {count:UInt64}, 0, 1, 0, {version:UInt64}", { busy: busy.slice(2), count, version })
    await segment(2_999_999, 1)
    const just = await get(`wallets/${busy}/pnl`)
    assert.deepEqual([just.totals.tokens, just.count], [1, 1])
    await segment(3_000_000, 2)
    const { totals, tokens, has_more, as_of_block, coverage_status, _meta } = await get(`wallets/${busy}/pnl?limit=2`)
    assert.deepEqual([totals, tokens, has_more, as_of_block, _meta.empty], [null, [], false, 22431084, { is_successful_empty: false, empty_reason: 'unsupported_input' }])
    assert.ok(coverage_status.warnings.includes('It took part in more than 3000000 transfers: what it earned is not reckoned while somebody waits'), JSON.stringify(coverage_status.warnings))
    assert.ok(!just.coverage_status.warnings.some((warning: string) => warning.includes('3000000')))
  })

  it('says why there is nothing', async () => {
    const never = await get(`wallets/0x${'12'.repeat(20)}/pnl`)
    assert.deepEqual([never.totals, never.tokens, never._meta.empty.is_successful_empty], [null, [], false])
    assert.equal((await get('wallets/122pN8zvqTxJaA8fRY1PDBu4QYodqE5m2X/pnl'))._meta.empty.empty_reason, 'unsupported_input')
    assert.deepEqual((await get('smart-money/leaderboard'))._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
    assert.deepEqual((await get('smart-money/alerts'))._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
    assert.equal((await service.call('GET /v1/smart-money/leaderboard?days=31')).status, 422)
    assert.equal((await service.call('GET /v1/smart-money/leaderboard?cursor=x')).status, 400)
  })

  it('ranks both ways by the rule it tells, page by page', async () => {
    const { store } = service
    await store.execute("INSERT INTO leader_rules SELECT rule, 3, 0, 0, 0, 1e9, 1, 1, 2, 1, 500, wash_churn, wash_trips, wash_min_usd, wash_result_share, 5, [] FROM leader_rules WHERE version = 1")
    await store.execute("INSERT INTO heads SELECT 'ETH', 22431084, 'x', now64(3), 22431084, 'node', now64(3)")
    const run = await computeLeaders(store, { chain: 'ETH', height: 22431084 })
    assert.deepEqual([run?.asOf, run?.computed], [22431084, true])
    const best = await get('smart-money/leaderboard?limit=100')
    const worst = await get('smart-money/leaderboard?limit=100&order=worst')
    assert.deepEqual([best.rule.id, best.rule.version, best.rule.parameters.top_share, best.as_of_block, best.as_of, best.in_force_from], ['smart_trader', 3, 1, 22431084, '2025-05-07T10:05:11.000Z', 22431089])
    assert.deepEqual([best.window.from, best.window.to, best.window.indexed], ['2025-04-07T10:05:11.001Z', '2025-05-07T10:05:11.000Z', { first_block: 22431083, last_block: 22431084, blocks: 2, complete: false }])
    assert.ok(best.scored > 2 && best.count === best.scored)
    assert.deepEqual(worst.wallets.map(({ net_usd }: any) => net_usd), best.wallets.map(({ net_usd }: any) => net_usd).reverse())
    assert.ok(best.wallets.every((row: any) => Math.abs(row.net_usd - (row.realised_usd - row.gas_usd)) < 1e-9))
    assert.ok(best.wallets.every((row: any) => row.gas_unpriced === 0))
    const first = await get('smart-money/leaderboard?limit=2')
    const second = await get(`smart-money/leaderboard?limit=2&cursor=${first.next_cursor}`)
    assert.deepEqual([...first.wallets, ...second.wallets].map(({ rank, address }: any) => [rank, address]), best.wallets.slice(0, 4).map(({ rank, address }: any) => [rank, address]))
    assert.equal((await service.call(`GET /v1/smart-money/leaderboard?limit=2&days=90&cursor=${first.next_cursor}`)).status, 400)
    // It comes into force above the newest block: nobody leads yet.
    assert.deepEqual((await get('smart-money/alerts'))._meta.empty, { is_successful_empty: false, empty_reason: 'data_gap' })
  })

  it('has a board of its own for a newer version of the rule at the same height, and goes on with the one a list was begun with', async () => {
    const { store } = service
    const before = await get('smart-money/leaderboard?limit=99')
    const pages = await get('smart-money/leaderboard?limit=1')
    // Only who traded most is scored; once it led.
    const least = Math.max(...before.wallets.map(({ volume_usd }: any) => volume_usd))
    await store.execute('INSERT INTO leader_rules SELECT * REPLACE (4 AS version, {least:Float64} AS min_volume_usd) FROM leader_rules AS l WHERE l.version = 3', { least })
    const smart = (await get('wallets/smart-money-flow?window=1d&limit=88')).wallets
    assert.equal((await computeLeaders(store, { chain: 'ETH', height: 22431084 }))?.computed, true)
    const leads = before.wallets.find(({ volume_usd }: any) => volume_usd === least).address
    await store.execute(`INSERT INTO leaders SELECT 'ETH', 'smart_trader', 3, 22431084, 22431089, 30, unhex({account:String}), 1, 100`, { account: leads.slice(2) })
    const after = await get('smart-money/leaderboard?limit=98')
    assert.deepEqual([after.rule.version, after.scored, after.leaders, after.wallets.map(({ volume_usd, leader }: any) => [volume_usd, leader])], [4, 1, 0, [[least, false]]])
    assert.equal((await get('wallets/smart-money-flow?window=1d&limit=87')).wallets, smart)
    const next = await get(`smart-money/leaderboard?limit=1&cursor=${pages.next_cursor}`)
    assert.deepEqual([next.rule.version, next.scored, next.wallets], [3, before.scored, before.wallets.slice(1, 2)])
    await store.execute('DELETE FROM leader_runs WHERE rule_version = 4')
    await store.execute('DELETE FROM leaders WHERE account = unhex({account:String})', { account: leads.slice(2) })
  })

  it('shows what leaders bought and sold as flows of class smart', async () => {
    const { store } = service
    await store.execute(`INSERT INTO leaders SELECT 'ETH', 'smart_trader', 3, 22431084, 22431089, 30, unhex({account:String}), 1, 100`, { account: seller.slice(2) })
    const flows = (await get('wallets/smart-money-flow?window=1d')).flows.filter((flow: any) => flow.class === 'smart')
    const whole = (await get('wallets/smart-money-flow?window=1d')).flows
    const paged: any[] = []
    for (let cursor = ''; ;) {
      const page = await get(`wallets/smart-money-flow?window=1d&limit=1${cursor}`)
      paged.push(...page.flows)
      if (!page.has_more) break
      cursor = `&cursor=${page.next_cursor}`
      // A later run does not change a list that was begun.
      if (paged.length === 1) await store.execute("INSERT INTO leader_runs SELECT * REPLACE (in_force_from + 100 AS in_force_from, as_of + 100 AS as_of) FROM leader_runs WHERE chain = 'ETH' LIMIT 1")
    }
    assert.ok(whole.length > 1)
    assert.deepEqual(paged, whole)
    const [uni] = flows.filter((flow: any) => flow.token_symbol === 'UNI')
    assert.deepEqual([uni.amount_in, uni.amount_out, uni.usd_in, Math.round(uni.usd_out)], ['0', '1067489600000000000000', 0, 5248])
    const [sums] = await store.query("SELECT sum(usd) AS usd FROM wallet_trades WHERE account = unhex({account:String})", { account: seller.slice(2) }, z.object({ usd: z.number() }))
    assert.ok(Math.abs((sums?.usd ?? 0) - flows.reduce((sum: number, flow: any) => sum + flow.usd_out, 0)) < 1e-5, 'each trade counts in whole millionths')
  })

  it('shows what whales by rule traded as flows of class whale, each address once', async () => {
    const { store } = service
    // Another limit each time: an answer is kept for a while.
    let limit = 101
    const flow = () => get(`wallets/smart-money-flow?window=1d&limit=${limit -= 1}`)
    await store.execute(`INSERT INTO leaders SELECT 'ETH', 'smart_trader', 3, as_of, in_force_from, 30, unhex({account:String}), 1, 100 FROM leader_runs ORDER BY in_force_from DESC, as_of DESC LIMIT 1`, { account: seller.slice(2) })
    const called = (address: string, version: number, action = 'added') => store.insert('label_changes', [{ chain: 'ETH', address, source: 'rules', label: 'whale', version, action, at: '2026-01-01 00:00:00.000', category: 'whale', rule: 'whale', rule_version: 1, level: 'heuristic', confidence: 10 }])
    const landed = (version: number) => store.execute("INSERT INTO label_runs SELECT 'ETH', {version:UInt64}, 'landed', 1, 'w', 0, 0, '', 1, now64(3)", { version })
    const known = async (address: string, category: string) => {
      await store.insert('labels', [{ chain: 'ETH', address, label: 'X', entity: '', category, source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
      await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    }
    const [whale] = await store.query(`SELECT concat('0x', lower(hex(w.account))) AS address, sum(ifNull(w.usd, 0)) AS usd FROM wallet_trades AS w
      WHERE w.block_number >= 22431083 AND w.account NOT IN (SELECT account FROM leaders WHERE in_force_from = (SELECT max(in_force_from) FROM leader_runs)) GROUP BY w.account ORDER BY usd DESC, address LIMIT 1`, {}, z.object({ address: z.string(), usd: z.number() }))
    assert.ok(whale !== undefined && whale.usd > 0)
    const of = (body: any, name: string): number => body.flows.filter((one: any) => one.class === name).reduce((sum: number, one: any) => sum + one.usd_in + one.usd_out, 0)
    const before = await flow()
    await called(whale.address, 1)
    assert.equal((await flow()).wallets, before.wallets, 'a run that has not landed says nothing')
    await landed(1)
    const after = await flow()
    assert.ok(Math.abs(of(after, 'whale') - of(before, 'whale') - whale.usd) < 1e-4)
    assert.deepEqual([after.wallets, of(after, 'smart')], [before.wallets + 1, of(before, 'smart')])
    // Who leads is shown as a leader, and who is labelled by what it moved: neither once more.
    await called(seller, 2)
    await landed(2)
    assert.deepEqual([(await flow()).wallets, of(await flow(), 'whale')], [after.wallets, of(after, 'whale')])
    await known(whale.address, 'fund')
    assert.deepEqual([(await flow()).wallets, of(await flow(), 'whale')], [after.wallets, of(before, 'whale')])
    await called(whale.address, 3, 'removed')
    await landed(3)
    assert.equal((await flow()).wallets, after.wallets)
  })

  it('of two runs from one height on goes by the one as of the higher block, in the ranking and in the flows', async () => {
    const { store } = service
    const other = `0x${'5e'.repeat(20)}`
    const newest = async () => (await get(`smart-money/leaderboard?days=90&limit=${limit -= 1}`)).as_of_block
    let limit = 90
    const before = await newest()
    await store.execute("INSERT INTO leader_runs SELECT * REPLACE (as_of - 1 AS as_of) FROM leader_runs ORDER BY in_force_from DESC, as_of DESC LIMIT 1")
    await store.execute(`INSERT INTO leaders SELECT 'ETH', 'smart_trader', 3, as_of, in_force_from, 30, unhex({account:String}), 1, 100 FROM leader_runs ORDER BY in_force_from DESC, as_of LIMIT 1`, { account: other.slice(2) })
    const { wallets } = await get('wallets/smart-money-flow?window=2d&limit=90')
    await store.execute('DELETE FROM leaders WHERE account = unhex({account:String})', { account: other.slice(2) })
    assert.deepEqual([await newest(), (await get('wallets/smart-money-flow?window=2d&limit=89')).wallets], [before, wallets], 'who led on the other run is in neither')
  })

  it('later pages of a result are of the span of the first, whatever has come since', async () => {
    const first = await get(`wallets/${seller}/pnl?days=30&limit=1`)
    await seed(service.store, 23_000_000, 5, new Date(Date.parse(first.as_of) + 60 * 86_400_000))
    await new Promise((done) => { setTimeout(done, 1_500) })
    const second = await get(`wallets/${seller}/pnl?days=30&limit=1&cursor=${first.next_cursor}`)
    assert.deepEqual([second.totals, second.as_of_block, second.as_of], [first.totals, first.as_of_block, first.as_of])
    assert.deepEqual([(await get(`wallets/${seller}/pnl?days=31&limit=1`)).as_of_block, second.count], [23_000_004, 1])
  })
})
