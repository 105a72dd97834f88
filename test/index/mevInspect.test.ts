/** What the tests of mev-inspect-py assert about blocks (test/fixtures/mev-inspect/SOURCES.md), found again by our rules. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { indexStatements } from '../../stages/index/statements.js'
import { run } from '../enrich/handmade.js'
import { fillRegisters } from '../support/registered.js'
import { freshStore } from '../support/servers.js'
import { factsOf } from './mevFacts.js'
import { putInspected } from './mevInspect.js'

const statements = indexStatements.map((group) => group.filter((sql) => ['mev_legs', 'mev'].includes(sql.writes))).filter((group) => group.length > 0)
const heights = [10921991, 12483198, 12498502, 12674514, 12775690, 13207907, 13234998, 13244807, 13298725, 13302365, 13326607, 13376024, 13404932, 13601096, 13699765, 14621812, 14643923, 14659109, 14685550, 15049646]
const coin = '00'.repeat(20)

const Leg = z.object({ role: z.string(), tx: z.string(), token_in: z.string(), amount_in: z.string(), token_out: z.string(), amount_out: z.string(), loss_reason: z.string() })
const Find = z.object({ searcher: z.string(), rule: z.string(), grade: z.string(), tx: z.string(), nets: z.array(z.tuple([z.string(), z.string()])), legs: z.array(Leg), victims: z.number(), builder: z.string().nullable() })
const findsOf = async (store: Store, height: number, kind: string): Promise<z.infer<typeof Find>[]> => store.query(
  `SELECT lower(hex(m.searcher)) AS searcher, m.rule AS rule, m.grade AS grade, lower(hex(m.tx_hash)) AS tx, arrayMap(n -> (lower(hex(n.1)), toString(n.2)), m.nets) AS nets, m.victims AS victims, toString(m.builder_payment) AS builder,
     arraySort(l -> (l.8, l.9), groupArray(CAST((l.role, lower(hex(l.tx_hash)), lower(hex(l.token_in)), toString(l.amount_in), lower(hex(l.token_out)), toString(l.amount_out), l.loss_reason, l.position, l.sub),
       'Tuple(role String, tx String, token_in String, amount_in String, token_out String, amount_out String, loss_reason String, position UInt32, sub UInt8)'))) AS legs
   FROM mev AS m INNER JOIN mev_legs AS l ON l.mev_id = m.mev_id WHERE m.block_number = {height:UInt64} AND m.kind = {kind:String}
   GROUP BY ALL ORDER BY min(l.position)`, { height, kind }, Find)

/** The legs of a liquidation find, each repayment with what was received for it. */
const pairsOf = (legs: readonly z.infer<typeof Leg>[]) => {
  const [repays, seizes] = ['repay', 'seize'].map((role) => legs.filter((leg) => leg.role === role)) as [z.infer<typeof Leg>[], z.infer<typeof Leg>[]]
  return repays.map((repay, index) => [repay, seizes[index] ?? repay] as const)
}
const facts = factsOf()

const Expected = z.array(z.object({ sandwicher_address: z.string(), profit_amount: z.coerce.string(), frontrun_swap: z.unknown(), backrun_swap: z.unknown(), sandwiched_swaps: z.array(z.unknown()) }))
const Swap = z.object({ transaction_hash: z.string(), token_in_address: z.string(), token_in_amount: z.coerce.bigint(), token_out_address: z.string(), token_out_amount: z.coerce.bigint() })
/** Integers of JSON beyond 2^53, kept whole. */
const parseWhole = (text: string): unknown => JSON.parse(text.replace(/:\s*(\d{16,})/g, ': "$1"'))

describe('extracted value in blocks that mev-inspect-py describes', function () {
  this.timeout(120_000)
  let store: Store
  before(async () => {
    store = (await freshStore()).store
    await fillRegisters(store)
    for (const height of heights) await putInspected(store, height)
    await run(store, statements, heights.map((height) => [height, height] as const), 1)
  })

  it('12775690: one sandwich, with every leg of the published list', async () => {
    const [expected, ...none] = Expected.parse(parseWhole(readFileSync(new URL('../fixtures/mev-inspect/sandwiches_12775690.json', import.meta.url), 'utf8')))
    const [found, ...others] = await findsOf(store, 12775690, 'sandwich')
    assert.ok(expected !== undefined && found !== undefined && none.length === 0 && others.length === 0)
    assert.equal(`0x${found.searcher}`, expected.sandwicher_address)
    assert.deepEqual([found.nets, found.victims, found.grade, found.rule], [[[coin, '49991481915322274']], 4, 'high', 'sandwich_sender'])
    const swaps = [expected.frontrun_swap, ...expected.sandwiched_swaps, expected.backrun_swap].map((swap) => Swap.parse(swap))
    assert.deepEqual(found.legs.map((leg) => [`0x${leg.tx}`, `0x${leg.token_in}`, leg.amount_in, `0x${leg.token_out}`, leg.amount_out]),
      swaps.map((swap) => [swap.transaction_hash, swap.token_in_address, swap.token_in_amount.toString(), swap.token_out_address, swap.token_out_amount.toString()]))
    assert.deepEqual(found.legs.map((leg) => leg.role), ['front', 'victim', 'victim', 'victim', 'victim', 'back'])
    assert.ok(found.legs.every((leg) => leg.loss_reason === (leg.role === 'victim' ? 'pool_state_unknown' : '')), 'traces tell no reserves: the loss is unknown and says why')
  })

  it('12483198: the four arbitrages that took effect, and not the reverted one', async () => {
    const found = await findsOf(store, 12483198, 'arbitrage')
    assert.equal(found.length, 4)
    assert.ok(found.every((find) => find.tx !== '23a4dc7044666d3d4cc2d394a8017fc9d6b87018c20390d35266cea1af783e8a'))
    assert.equal(found[0]?.builder, '7663637216761692160')
  })

  it('13699765: a back that sells more than the front bought is a sandwich by the trace rule, of grade low', async () => {
    const [found, ...others] = (await findsOf(store, 13699765, 'sandwich')).filter(({ searcher }) => searcher === '51399b32cd0186bb32230e24167489f3b2f47870')
    assert.ok(found !== undefined && others.length === 0)
    assert.deepEqual([found.rule, found.grade, found.victims, found.legs.map(({ role }) => role)], ['sandwich_trace', 'low', 1, ['front', 'victim', 'back']])
    // The published profit is of what the front had bought: the back's proceeds for that part, less what the front paid.
    const [front, , back] = found.legs.map((leg) => ({ into: BigInt(leg.amount_in), out: BigInt(leg.amount_out) }))
    assert.ok(front !== undefined && back !== undefined)
    const profit = back.out * front.out / back.into - front.into
    assert.ok(profit + 435805264121298944n < 1_000_000n && profit + 435805264121298944n > -1_000_000n, profit.toString())
  })

  it('14659109: a back that sells less than the front bought leaves a loss and the rest', async () => {
    const [found, ...others] = (await findsOf(store, 14659109, 'sandwich')).filter(({ searcher }) => searcher === '01ff6318440f7d5553a82294d78262d5f5084eff')
    assert.ok(found !== undefined && others.length === 0)
    assert.deepEqual([found.rule, found.grade, found.victims], ['sandwich_sender', 'low', 1])
    const [front, , back] = found.legs.map((leg) => ({ into: BigInt(leg.amount_in), out: BigInt(leg.amount_out) }))
    assert.ok(front !== undefined && back !== undefined)
    assert.deepEqual(found.nets, [[coin, (back.out - front.into).toString()], ['0cb29e848a5899be2e4064b1660687d252d5192c', (front.out - back.into).toString()]])
    // The published figure counts 95 % of the front.
    const published = back.out - front.into * 95n / 100n + 180511102573164864n
    assert.ok(published < 1_000_000n && published > -1_000_000n, published.toString())
  })

  it('where inner calls are not known the trace rule is silent', async () => {
    const blind = (await freshStore()).store
    await fillRegisters(blind)
    await putInspected(blind, 13699765)
    await blind.execute('ALTER TABLE blocks UPDATE internal_complete = false WHERE true', {}, { mutations_sync: 1 })
    await run(blind, statements, [[13699765, 13699765]], 1)
    assert.ok((await findsOf(blind, 13699765, 'sandwich')).every(({ rule }) => rule !== 'sandwich_trace'))
  })

  for (const fact of facts.jits) {
    it(`${fact.block_number}: just-in-time liquidity, to the unit`, async () => {
      const [found, ...others] = await findsOf(store, fact.block_number, 'jit')
      assert.ok(found !== undefined && others.length === 0)
      const of = (role: string) => found.legs.filter((leg) => leg.role === role)
      const sums = (role: string, side: 'amount_in' | 'amount_out') => of(role).map((leg) => [`0x${leg.tx}`, leg[side]])
      assert.deepEqual([`0x${found.searcher}`, sums('mint', 'amount_in'), sums('collect', 'amount_out'), of('swap').map((leg) => [`0x${leg.tx}`, leg.amount_in, leg.amount_out])], [
        fact.bot_address, [fact.mint_token0_amount, fact.mint_token1_amount].map((amount) => [fact.mint_transaction_hash, amount]),
        [fact.burn_token0_amount, fact.burn_token1_amount].map((amount) => [fact.burn_transaction_hash, amount]), fact.swaps.map((swap) => [swap.transaction_hash, swap.token_in_amount, swap.token_out_amount])])
    })
  }

  for (const [block, wanted] of facts.liquidations) {
    it(`${block}: its liquidations, what was repaid and what was received`, async () => {
      const found = await findsOf(store, block, 'liquidation')
      const told = found.flatMap(({ searcher, grade, tx, legs }) => pairsOf(legs).map(([repay, seize]) => ({
        liquidator_user: `0x${searcher}`, debt_token_address: `0x${repay.token_in}`, debt_purchase_amount: repay.amount_in, received_token_address: `0x${seize.token_out}`, received_amount: seize.amount_out, transaction_hash: `0x${tx}`, grade })))
      assert.deepEqual(told, wanted.map(({ block_number: _, ...one }) => ({ ...one, grade: 'high' })))
    })
  }

  it('15049646: a liquidation that was reverted is none', async () => {
    assert.deepEqual(await findsOf(store, 15049646, 'liquidation'), [])
  })

  it('13244807: the swap beside the liquidation leaves a profit in one token', async () => {
    const [found] = await findsOf(store, 13244807, 'liquidation')
    assert.deepEqual(found?.nets, [[coin, '327033932736386881']])
    assert.equal(found?.builder, '203422019300707411')
  })
})
