/** What the tests of mev-inspect-py assert about blocks (test/fixtures/mev-inspect/SOURCES.md), found again by our rules. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadRegisters } from '../../stages/enrich/registers/loadRegisters.js'
import { indexStatements } from '../../stages/index/statements.js'
import { run } from '../enrich/handmade.js'
import { freshStore } from '../support/servers.js'
import { putInspected } from './mevInspect.js'

const statements = indexStatements.map((group) => group.filter((sql) => ['mev_legs', 'mev'].includes(sql.writes))).filter((group) => group.length > 0)
const heights = [12483198, 12775690, 13234998, 13244807, 13326607, 13601096, 13699765, 14643923]
const weth = 'c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', coin = '00'.repeat(20)

const Leg = z.object({ role: z.string(), tx: z.string(), token_in: z.string(), amount_in: z.string(), token_out: z.string(), amount_out: z.string(), loss_reason: z.string() })
const Find = z.object({ searcher: z.string(), rule: z.string(), grade: z.string(), tx: z.string(), nets: z.array(z.tuple([z.string(), z.string()])), legs: z.array(Leg), victims: z.number(), builder: z.string().nullable() })
const findsOf = async (store: Store, height: number, kind: string): Promise<z.infer<typeof Find>[]> => store.query(
  `SELECT lower(hex(m.searcher)) AS searcher, m.rule AS rule, m.grade AS grade, lower(hex(m.tx_hash)) AS tx, arrayMap(n -> (lower(hex(n.1)), toString(n.2)), m.nets) AS nets, m.victims AS victims, toString(m.builder_payment) AS builder,
     arraySort(l -> (l.8, l.9), groupArray(CAST((l.role, lower(hex(l.tx_hash)), lower(hex(l.token_in)), toString(l.amount_in), lower(hex(l.token_out)), toString(l.amount_out), l.loss_reason, l.position, l.sub),
       'Tuple(role String, tx String, token_in String, amount_in String, token_out String, amount_out String, loss_reason String, position UInt32, sub UInt8)'))) AS legs
   FROM mev AS m INNER JOIN mev_legs AS l ON l.mev_id = m.mev_id WHERE m.block_number = {height:UInt64} AND m.kind = {kind:String}
   GROUP BY ALL ORDER BY min(l.position)`, { height, kind }, Find)

const Expected = z.array(z.object({ sandwicher_address: z.string(), profit_amount: z.coerce.string(), frontrun_swap: z.unknown(), backrun_swap: z.unknown(), sandwiched_swaps: z.array(z.unknown()) }))
const Swap = z.object({ transaction_hash: z.string(), token_in_address: z.string(), token_in_amount: z.coerce.bigint(), token_out_address: z.string(), token_out_amount: z.coerce.bigint() })
/** Integers of JSON beyond 2^53, kept whole. */
const parseWhole = (text: string): unknown => JSON.parse(text.replace(/:\s*(\d{16,})/g, ': "$1"'))

describe('extracted value in blocks that mev-inspect-py describes', function () {
  this.timeout(120_000)
  let store: Store
  before(async () => {
    store = (await freshStore()).store
    await loadRegisters(store)
    // Markets of Compound V2: cETH and cUSDC.
    await store.insert('labels', ['0x4ddc2d193948926d02f9b1fe9e1daa0718270ed5', '0x39aa39c021dfbae8fac545936693ac917d5e7563'].map((address) => (
      { chain: 'ETH', address, label: 'Compound V2 market', entity: 'compound', category: 'lending', source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01 00:00:00', removed: false, version: 1 })))
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
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

  it('13699765: a contract that several accounts call, trading both ways, makes no sandwich', async () => {
    const found = await findsOf(store, 13699765, 'sandwich')
    assert.ok(found.every((find) => find.searcher !== '51399b32cd0186bb32230e24167489f3b2f47870'))
  })

  for (const [height, mint, burn, minted, burnt, swap] of [
    [13601096, '80e4abcb0b701e9d2c0d0fd216ef22eca5fc13904e8c7b3967bcad997480d638', '12b3d1f0e29d9093d8f3c7cce2da95edbef01aaab3794237f263da85c37c7d27', ['10864608891029', '8281712219747858010668'], ['12634177387879', '7900319851971188832064'], ['1896817745609', '408818202022592862626']],
    [14643923, '003e36cb5d78924c5beaeef15db00cad94009856fe483a031d52ae975557ef53', 'ec9b2988f6c88968250c3904f6d2d6573f7284cb422b8022a14b7f0dac546348', ['0', '9073930631365320229693'], ['2424427669988518000798', '9060377725722224517671'], ['6522531010660457256888', '36485453136086109896']],
  ] as const) {
    it(`${height}: just-in-time liquidity, to the unit`, async () => {
      const [found, ...others] = await findsOf(store, height, 'jit')
      assert.ok(found !== undefined && others.length === 0)
      assert.equal(found.searcher, 'a57bd00134b2850b2a1c55860c9e9ea100fdd6cf')
      const of = (role: string) => found.legs.filter((leg) => leg.role === role)
      assert.deepEqual(of('mint').map((leg) => [leg.tx, leg.amount_in]), minted.map((amount) => [mint, amount]))
      assert.deepEqual(of('collect').map((leg) => [leg.tx, leg.amount_out]), burnt.map((amount) => [burn, amount]))
      assert.deepEqual(of('swap').map((leg) => [leg.amount_in, leg.amount_out]), [swap])
    })
  }

  for (const [height, liquidator, debt, repaid, collateral, received] of [
    [13244807, '19256c009781bc2d1545db745af6dfd30c7e9cfa', 'dac17f958d2ee523a2206206994597c13d831ec7', '26503300291', weth, '8182733924513576561'],
    [13234998, 'e0090ec6895c087a393f0e45f1f85098a6c33bef', coin, '268066492249420078', '39aa39c021dfbae8fac545936693ac917d5e7563', '4747650169097'],
    [13326607, 'e0090ec6895c087a393f0e45f1f85098a6c33bef', 'a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', '1207055531', '70e36f6bf80a52b3b46b3af8e106cc0ed743e8e4', '21459623305'],
  ] as const) {
    it(`${height}: a liquidation, what was repaid and what was received`, async () => {
      const [found, ...others] = await findsOf(store, height, 'liquidation')
      assert.ok(found !== undefined && others.length === 0)
      assert.equal(found.searcher, liquidator)
      const [repay, seize] = ['repay', 'seize'].map((role) => found.legs.find((leg) => leg.role === role))
      assert.deepEqual([repay?.token_in, repay?.amount_in, seize?.token_out, seize?.amount_out], [debt, repaid, collateral, received])
    })
  }

  it('13244807: the swap beside the liquidation leaves a profit in one token', async () => {
    const [found] = await findsOf(store, 13244807, 'liquidation')
    assert.deepEqual(found?.nets, [[coin, '327033932736386881']])
    assert.equal(found?.builder, '203422019300707411')
  })
})
