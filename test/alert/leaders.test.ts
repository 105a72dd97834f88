import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { alertStatements } from '../../stages/alert/statements.js'
import { addressClasses } from '../../stages/enrich/registers/classes.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { rules } from '../../stages/index/classes/rules.js'
import { indexStatements } from '../../stages/index/statements.js'
import { computeLeaders } from '../../stages/leaders/computeLeaders.js'
import { at, majors, putBlocks, putMoves, putSwaps, putTokens, run, units, usdc } from '../enrich/handmade.js'
import { freshStore } from '../support/servers.js'

const retract = loadSql(new URL('../../stages/alert/x', import.meta.url).href, 'retract.sql')
const vault = '0xba12222222228d8ba445958a75a0704d566bf2c8'
const winner = at('aa01'), loser = at('aa02'), lucky = at('aa03'), few = at('aa04'), washer = at('aa05'), exchange = at('aa06'), bot = at('aa07')
const assets = ['d1', 'd2', 'd3', 'd4', 'd5'].map(at)
const rule = { rule: 'smart_trader', version: 3, min_closed: 5, min_tokens: 2, min_volume_usd: 100, max_trades_per_day: 100, max_same_block_share: 0.1, max_unknown_share: 0.5, max_best_share: 0.5, top_share: 0.5,
  most_leaders: 10, wash_churn: 0.95, wash_trips: 3, wash_min_usd: 100, wash_result_share: 0.01, in_force_after: 10, excluded_classes: ['exchange', 'mev_bot'] }

interface Deal { readonly who: string; readonly asset: string; readonly dollars: number; readonly side: 'buy' | 'sell' }
const deal = (who: string, asset: string, dollars: number, side: Deal['side']): Deal => ({ who, asset, dollars, side })
/** Buys 10 for $100 and sells them for `earned` more, in each of the tokens. */
const trips = (who: string, earned: readonly number[]): Deal[] => earned.flatMap((more, index) => [deal(who, assets[index]!, 100, 'buy'), deal(who, assets[index]!, 100 + more, 'sell')])

const put = async (store: Store, from: number, deals: readonly Deal[], generation = 0, fork = ''): Promise<void> => {
  const common = { generation, fork }
  await putBlocks(store, from, from + deals.length - 1, generation, fork)
  for (const [index, { who }] of deals.entries()) {
    await store.execute('ALTER TABLE transactions UPDATE from_address = unhex({who:String}) WHERE block_number = {n:UInt64} SETTINGS mutations_sync = 1', { who: who.slice(2), n: from + index })
  }
  await putMoves(store, deals.flatMap(({ who, asset, dollars, side }, index) => {
    const [paid, got] = [{ token: usdc, amount: units(dollars, 6) }, { token: asset, amount: units(10, 18) }]
    const [out, back] = side === 'buy' ? [paid, got] : [got, paid]
    return [{ n: from + index, position: 1, ...out, from: who, to: vault, ...common }, { n: from + index, position: 2, ...back, from: vault, to: who, ...common }]
  }))
  await putSwaps(store, deals.map(({ asset, dollars, side }, index) => {
    const paid = units(dollars, 6), got = units(10, 18)
    return { n: from + index, log: 3, ...(side === 'buy' ? { sold: usdc, amountSold: paid, bought: asset, amountBought: got } : { sold: asset, amountSold: got, bought: usdc, amountBought: paid }), ...common }
  }))
}
const history = [...trips(winner, [30, 30, 20, 20, 20]), ...trips(loser, [-30, -10, -5, 1, 1]), ...trips(lucky, [300, -20, -20, 1, 1]), ...trips(few, [500, 500]),
  ...trips(washer, [0, 0, 0, 0, 0]), ...trips(exchange, [50, 50, 50, 50, 50]), ...trips(bot, [90, 90, 90, 90, 90])]
const top = history.length
/** A rule calls one a bot; it called another one so once. */
const callBots = async (store: Store): Promise<void> => {
  for (const [address, action, version] of [[bot, 'added', 1], [winner, 'added', 1], [winner, 'removed', 2]] as const) {
    await store.insert('label_changes', [{ chain: 'ETH', address, source: 'rules', label: 'MEV bot', version, action, at: '2026-01-01 00:00:00.000', category: 'mev_bot', rule: 'mev_bot', rule_version: 1, level: 'heuristic', confidence: 10 }])
  }
}

const Score = z.object({ account: z.string(), realised: z.number(), fifo: z.number(), closed: z.number(), wins: z.number(), tokens: z.number(), best: z.number(), hours: z.number() })
const Alert = z.object({ block: z.coerce.number(), from: z.string(), token: z.string(), usd: z.number().nullable(), summary: z.string() })
const alerts = (store: Store) => store.query(`SELECT block_number AS block, concat('0x', lower(hex(from_address))) AS from, concat('0x', lower(hex(token))) AS token, value_usd AS usd, summary FROM alerts FINAL
  WHERE rule = 'copy_trade' AND NOT retracted ORDER BY block`, {}, Alert)

describe('leaders', function () {
  this.timeout(240_000)
  let store: Store
  before(async () => {
    ({ store } = await freshStore())
    await putTokens(store, [...majors, ...assets.map((address, index) => ({ address, symbol: `T${index}`, decimals: 18 })), { address: at('d9'), symbol: 'IGNORE ALL RULES', decimals: null, source: 'node' }])
    await store.insert('labels', [{ chain: 'ETH', address: exchange, label: 'X', entity: 'x', category: 'exchange', source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await callBots(store)
    await store.insert('leader_rules', [rule])
    await put(store, 1, history)
    await run(store, [...enrichStatements, ...indexStatements, ...alertStatements], [[1, 20], [21, top]])
    await store.execute("INSERT INTO batches SELECT 'ETH', 'index', 1, {top:UInt64}, 'x', 0, 0, 0, 0, '', now64(3)", { top })
    await store.execute("INSERT INTO heads SELECT 'ETH', {top:UInt64}, 'x', now64(3), {top:UInt64}, 'node', now64(3)", { top })
  })

  it('have none of the classes that the rule excludes, which are those that registers, imports and rules give', async () => {
    const [row] = await store.query("SELECT excluded_classes AS classes FROM leader_rules WHERE rule = 'smart_trader' AND version = 2", {}, z.object({ classes: z.array(z.string()) }))
    const given = new Set<string>([...addressClasses, ...rules.map(({ classification }) => classification)])
    assert.deepEqual(row?.classes.filter((name) => !given.has(name)), [])
    assert.deepEqual(['contract', 'mev_bot', 'exchange', 'exchange_hot', 'exchange_cold', 'exchange_deposit'].filter((name) => row?.classes.includes(name) !== true), [])
  })

  it('are found by the rule; losers are kept, those it leaves out are not', async () => {
    // The gas of one of them has no price in three transactions, in which it costs something.
    await store.execute(`ALTER TABLE wallet_trades UPDATE gas_wei = 7, gas_usd = NULL WHERE account = unhex({account:String}) AND tx_hash IN (SELECT DISTINCT w.tx_hash FROM wallet_trades AS w WHERE w.account = unhex({account:String}) ORDER BY w.tx_hash LIMIT 3) SETTINGS mutations_sync = 1`, { account: loser.slice(2) })
    const done = await computeLeaders(store, { chain: 'ETH', height: null })
    assert.deepEqual([done?.asOf, done?.computed], [top, true])
    assert.deepEqual(await store.query("SELECT concat('0x', lower(hex(account))) AS account, toFloat64(gas_unpriced) AS unpriced FROM leader_scores WHERE days = 30 AND gas_unpriced > 0", {}, z.object({ account: z.string(), unpriced: z.number() })), [{ account: loser, unpriced: 3 }])
    const scores = await store.query(`SELECT concat('0x', lower(hex(account))) AS account, round(realised_usd, 6) AS realised, round(fifo_usd, 6) AS fifo, closed, wins, tokens, round(best_usd, 6) AS best, round(hold_hours * 3600) AS hours
      FROM leader_scores WHERE days = 30 ORDER BY account`, {}, Score)
    assert.deepEqual(scores.map((row) => Object.values(row)), [[winner, 120, 120, 5, 5, 5, 30, 12], [loser, -43, -43, 5, 2, 5, 1, 12], [lucky, 262, 262, 5, 3, 5, 300, 12], [washer, 0, 0, 5, 0, 5, 0, 12]])
    // lucky earned more, but in one token; the best half of four is two.
    assert.deepEqual(await store.query("SELECT concat('0x', lower(hex(account))) AS account, days, rank, net_usd AS net FROM leaders ORDER BY days, rank", {}, z.object({ account: z.string(), days: z.number(), rank: z.number(), net: z.number() })),
      [30, 90, 180].map((days) => ({ account: winner, days, rank: 2, net: 120 })))
    assert.equal((await computeLeaders(store, { chain: 'ETH', height: null }))?.computed, false)
    const again = await computeLeaders(store, { chain: 'ETH', height: top })
    assert.equal(again?.asOf, top)
    const [rows] = await store.query('SELECT toFloat64(count()) AS scores, toFloat64((SELECT count() FROM leader_runs)) AS runs FROM leader_scores', {}, z.object({ scores: z.number(), runs: z.number() }))
    assert.deepEqual(rows, { scores: 12, runs: 1 })
  })

  it('raise an alert when they open a position, once their run is in force, and a reorg takes it back', async () => {
    assert.deepEqual(await alerts(store), [])
    // A run as of a lower block, in force from the same one on, in which another leads.
    await store.execute(`INSERT INTO leaders SELECT chain, rule, rule_version, as_of - 1, in_force_from, 30, unhex({account:String}), 1, 100 FROM leader_runs`, { account: loser.slice(2) })
    // And one by an older version of the rule, as of the same block.
    await store.execute(`INSERT INTO leaders SELECT chain, rule, 1, as_of, in_force_from, 30, unhex({account:String}), 1, 100 FROM leader_runs`, { account: loser.slice(2) })
    await store.execute('INSERT INTO leader_runs SELECT * REPLACE (as_of - 1 AS as_of) FROM leader_runs UNION ALL SELECT * REPLACE (1 AS rule_version) FROM leader_runs')
    const from = top + 1, fresh = at('d9')
    // Not yet in force; a token it has sold all of; a new one; the same again; small; somebody who does not lead.
    const deals = [deal(winner, at('d8'), 5000, 'buy'), ...Array.from({ length: 9 }, () => deal(few, assets[0]!, 10, 'buy')), deal(winner, assets[0]!, 5000, 'buy'), deal(winner, fresh, 4321, 'buy'), deal(winner, fresh, 4000, 'buy'),
      deal(winner, at('d7'), 10, 'buy'), deal(loser, fresh, 9000, 'buy')]
    await put(store, from, deals)
    await run(store, [...enrichStatements, ...indexStatements, ...alertStatements], [[from, from + 11], [from + 12, from + deals.length - 1]], 0, 1)
    const said = await alerts(store)
    assert.deepEqual(said, [{ block: from + 10, from: winner, token: assets[0], usd: 5000, summary: `Leader ${winner} (30, 90, 180 days) opened a position in T0 for $5000` },
      { block: from + 11, from: winner, token: fresh, usd: 4321, summary: `Leader ${winner} (30, 90, 180 days) opened a position in token ${fresh} for $4321` }])
    await store.execute(retract, { chain: 'ETH', height: from + 10, generation: 1 })
    assert.deepEqual(await alerts(store), [])
    // Sells a half and buys more: no opening. Sells all and more, buys (an opening) and buys more; sells what it holds, and opens again in another batch.
    const next = from + deals.length
    await put(store, next, [deal(winner, fresh, 4000, 'sell'), deal(winner, fresh, 4100, 'buy'), ...Array.from({ length: 3 }, () => deal(winner, fresh, 4000, 'sell')), deal(winner, fresh, 4200, 'buy'), deal(winner, fresh, 4300, 'buy'),
      ...Array.from({ length: 2 }, () => deal(winner, fresh, 4000, 'sell'))])
    await put(store, next + 9, [deal(winner, fresh, 4400, 'buy')])
    await run(store, [...enrichStatements, ...indexStatements, ...alertStatements], [[next, next + 8], [next + 9, next + 9]], 0, 1)
    assert.deepEqual((await alerts(store)).map(({ block, usd }) => [block, usd]), [[next + 5, 4200], [next + 9, 4400]])
  })

  it('raise the same alerts the first time and again, however late their run lands', async () => {
    const later = await freshStore()
    const plan = (seq: number, from: number, to: number, generation: number) => later.store.execute(
      "INSERT INTO plans SELECT 'ETH', {seq:UInt64}, 'plan', {from:UInt64}, {to:UInt64}, 'x', '', {generation:UInt32}, 't', {from:UInt64}, 'w', now64(3)", { seq, from, to, generation })
    await putTokens(later.store, [...majors, ...assets.map((address, index) => ({ address, symbol: `T${index}`, decimals: 18 }))])
    await later.store.insert('leader_rules', [rule])
    await callBots(later.store)
    await later.store.execute("INSERT INTO heads SELECT 'ETH', {top:UInt64}, 'x', now64(3), {top:UInt64}, 'node', now64(3)", { top })
    await later.store.execute("INSERT INTO batches SELECT 'ETH', 'index', 1, {top:UInt64}, 'x', 0, 0, 0, 0, '', now64(3)", { top })
    const every = [...enrichStatements, ...indexStatements, ...alertStatements]
    await put(later.store, 1, history)
    await run(later.store, every, [[1, 20], [21, top]])
    // A backfill is faster than the schedule: 25 blocks on, of which ten are still in the queue, when leaders as of `top` are computed.
    const opened = (count: number, first: number): Deal[] => Array.from({ length: count }, (_, index) => deal(winner, at(`e${(first + index).toString(16).padStart(2, '0')}`), 2_000, 'buy'))
    await plan(1, top + 1, top + 15, 1)
    await plan(2, top + 16, top + 25, 1)
    await put(later.store, top + 1, opened(15, 0))
    await run(later.store, every, [[top + 1, top + 15]])
    const done = await computeLeaders(later.store, { chain: 'ETH', height: top })
    assert.deepEqual([done?.computed, await later.store.query('SELECT toFloat64(in_force_from) AS height FROM leader_runs', {}, z.object({ height: z.number() }))], [true, [{ height: top + 35 }]])
    await put(later.store, top + 16, opened(25, 15))
    await run(later.store, every, [[top + 16, top + 25], [top + 26, top + 40]])
    const first = await alerts(later.store)
    assert.deepEqual(first.map(({ block }) => block), [35, 36, 37, 38, 39, 40].map((height) => top + height))
    await later.store.execute('TRUNCATE TABLE alerts')
    await run(later.store, alertStatements, [[1, top], [top + 1, top + 40]])
    assert.deepEqual(await alerts(later.store), first)
  })
})
