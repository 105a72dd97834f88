import assert from 'node:assert/strict'
import fc from 'fast-check'
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { insertBlocks, txidOf, type Block, type In, type Out, type Tx } from '../../support/btcLedger.js'
import { freshStore } from '../../support/servers.js'

const sql = loadSql(new URL('../../../stages/index/bitcoin/x', import.meta.url).href, 'coinjoins.sql')
const Row = z.object({ block: z.coerce.number(), index: z.number(), txid: z.string(), detector: z.string(), confidence: z.number(), others: z.array(z.string()), denomination: z.coerce.number(), equal: z.number(), values: z.array(z.coerce.number()), counts: z.array(z.number()) })
type Found = z.infer<typeof Row>

/** What the detectors say of blocks. */
const detect = async (blocks: readonly Block[]): Promise<Found[]> => {
  const { store } = await freshStore()
  await insertBlocks(store, blocks)
  await store.execute(sql, { chain: 'BTC', from: 0, to: 10_000_000, generation: 0 })
  return store.query('SELECT block_number AS block, tx_index AS index, lower(hex(txid)) AS txid, detector, confidence, others, denomination, equal_outputs AS equal, values, counts FROM btc_coinjoins ORDER BY block, index', {}, Row)
}
let next = 0
const someone = (): string => `bc1q${(next += 1).toString(36).padStart(38, '0')}`
const ins = (values: readonly (number | null)[], type?: string): In[] => values.map((value) => ({ address: value === null ? '' : someone(), value, ...(type === undefined || value === null ? {} : { type }) }))
const outs = (values: readonly number[], type?: string): Out[] => values.map((value) => ({ address: someone(), value, ...(type === undefined ? {} : { type }) }))
const times = (count: number, value: number): number[] => Array.from({ length: count }, () => value)
const coordinator = 'bc1qs604c7jv6amk4cxqlnvuxv26hv3e48cds4m0ew'

const whirlpool = (size: number, n = 5): Tx => ({ ins: ins([size, size, ...times(n - 2, size + 100_000)]), outs: outs(times(n, size)) })
const wasabi2 = (count = 60): Tx => ({ ins: ins(Array.from({ length: count }, (_, n) => 90_000_000 - n * 1_000)), outs: outs([...times(20, 67_108_864), ...times(20, 14_348_907), ...times(15, 5_000_000), 4_111_111, 12_345]) })
const wasabi1 = (equal = 12): Tx => ({ ins: ins(times(equal, 15_000_000)), outs: outs([...times(equal, 10_020_000), 4_321_000, 3_210_000]) })
const joinmarket = (count = 4): Tx => ({ ins: ins([...times(count, 299_990_000), 50_000_000], 'pubkeyhash'), outs: outs([...times(count, 200_000_000), ...Array.from({ length: count }, (_, n) => 100_000_000 - n * 7_001)], 'pubkeyhash') })
const generic = (): Tx => ({ ins: ins([5_000_000, 6_000_000, 7_000_000], 'pubkeyhash'), outs: outs([1_000_000, 1_000_000, 1_000_000, 3_900_000, 4_800_000], 'pubkeyhash') })

describe('detectors of CoinJoins', function () {
  this.timeout(120_000)

  it('each takes what its protocol makes, by name, version and confidence', async () => {
    const found = await detect([
      { number: 350_000, txs: [generic()] }, { number: 400_000, txs: [joinmarket()] },
      { number: 540_000, txs: [{ ins: ins(times(3, 12_000_000)), outs: [...outs(times(3, 10_003_000)), { address: coordinator, value: 90_000 }, ...outs([1_900_000, 1_800_000])] }] },
      { number: 620_000, txs: [wasabi1(), ...[100_000, 1_000_000, 5_000_000, 50_000_000].map((size) => whirlpool(size))] }, { number: 760_000, txs: [wasabi2()] },
    ])
    assert.deepEqual(found.map(({ block, index, detector, confidence, denomination, equal }) => [block, index, detector, confidence, denomination, equal]), [
      [350_000, 0, 'generic', 40, 1_000_000, 3], [400_000, 0, 'joinmarket', 60, 200_000_000, 4], [540_000, 0, 'wasabi1', 90, 10_003_000, 3], [620_000, 0, 'wasabi1', 90, 10_020_000, 12],
      [620_000, 1, 'whirlpool', 95, 100_000, 5], [620_000, 2, 'whirlpool', 95, 1_000_000, 5], [620_000, 3, 'whirlpool', 95, 5_000_000, 5], [620_000, 4, 'whirlpool', 95, 50_000_000, 5], [760_000, 0, 'wasabi2', 95, 67_108_864, 20],
    ])
    assert.equal(found[0]?.txid, txidOf({ number: 350_000, txs: [] }, 0))
    assert.deepEqual([found[8]?.values, found[8]?.counts], [[5_000_000, 14_348_907, 67_108_864], [15, 20, 20]], 'how many outputs each value hides among')
  })

  it('near misses are none: too early, an odd script, one output off, too few parties, dust of token protocols', async () => {
    const early = (tx: Tx, number: number): Block => ({ number, txs: [tx] })
    const changed = (tx: Tx, change: (outs: readonly Out[]) => Out[]): Tx => ({ ...tx, outs: change(tx.outs) })
    const alice = someone()
    const found = await detect([
      early(whirlpool(1_000_000), 569_999), early(wasabi2(), 741_212), { number: 620_000, txs: [
        changed(whirlpool(1_000_000), (all) => all.map((out, n) => (n === 0 ? { ...out, value: out.value + 1 } : out))),
        changed(whirlpool(1_000_000), (all) => all.map((out, n) => (n === 0 ? { ...out, type: 'pubkeyhash' } : out))),
        { ins: ins(times(5, 1_050_000)), outs: outs(times(5, 1_000_000)) }, { ins: ins([1_000_000, ...times(4, 1_110_001)]), outs: outs(times(5, 1_000_000)) }, { ins: ins(times(4, 1_000_000)), outs: outs(times(4, 1_000_000)) },
        { ins: ins(times(3, 15_000_000)), outs: outs([...times(12, 3_000_000), 1, 2]) },
        { ins: times(3, 5_000_000).map((value) => ({ address: alice, value })), outs: outs([1_000_000, 1_000_000, 1_000_000, 3_900_000, 4_800_000]) },
        { ins: ins([10_000, 20_000, 30_000]), outs: outs([546, 546, 546, 5_000, 6_000]) }, { ins: ins([10_000, 20_000, 30_000]), outs: outs([2_730, 2_730, 5_000, 6_000]) },
        { ins: ins([10_000]), outs: outs([1_000, 1_000, 2_000]) }, { ins: [{ address: '', value: 0 }, { address: '', value: 0 }], outs: outs([1_000, 1_000, 2_000]), coinbase: true },
      ] },
      { number: 760_000, txs: [{ ...wasabi2(), ins: [...wasabi2().ins].reverse() }, changed(wasabi2(), (all) => [...all].reverse()), { ins: wasabi2().ins.slice(0, 49), outs: wasabi2().outs }] },
    ])
    assert.deepEqual(found.filter(({ detector }) => detector !== 'generic').map(({ block, index, detector }) => [block, index, detector]), [])
    assert.deepEqual(found.map(({ block, index, detector }) => [block, index, detector]), [])
  })

  it('many sorted inputs into few outputs may be a wallet that gathers its coins: a sign of Wasabi, and no more', async () => {
    const found = await detect([{ number: 760_000, txs: [
      { ins: wasabi2().ins, outs: outs([...times(10, 67_108_864), ...times(9, 14_348_907)]) }, { ins: wasabi2().ins, outs: outs([100_000_000, 100_000_000, 50_000_000]) }, { ins: wasabi2().ins, outs: outs([...times(10, 67_108_864), ...times(10, 14_348_907)]) },
    ] }])
    assert.deepEqual(found.map(({ index, detector, confidence }) => [index, detector, confidence]), [[0, 'wasabi2', 45], [1, 'wasabi2', 45], [2, 'wasabi2', 95]])
  })

  it('a round of Wasabi of few outputs, no two of them equal, is one all the same; not before Wasabi 2, nor of fewer inputs', async () => {
    const sizes = [1_000_000_000, 536_870_912, 500_000_000, 387_420_489, 268_435_456, 258_280_326, 200_000_000, 134_217_728, 129_140_163, 100_000_000, 86_093_442, 67_108_864, 50_000_000, 43_046_721, 33_554_432, 28_697_814, 20_000_000, 16_777_216, 14_348_907, 10_000_000, 1_234_567]
    const round = (count: number): Tx => ({ ins: ins(Array.from({ length: count }, (_, n) => 190_000_000 - n * 1_000)), outs: outs(sizes) })
    const found = await detect([{ number: 741_212, txs: [round(50)] }, { number: 760_000, txs: [round(50), round(49), { ...round(50), outs: outs([...sizes].reverse()) }, { ...round(50), outs: outs(sizes.slice(0, 3)) }] }])
    assert.deepEqual(found.map(({ block, index, detector, confidence, equal, values }) => [block, index, detector, confidence, equal, values]), [[760_000, 0, 'wasabi2', 95, 1, []], [760_000, 3, 'wasabi2', 45, 1, []]])
  })

  it('what one address pays to many is none, however even it is', async () => {
    const byOne = ({ ins: all, ...tx }: Tx): Tx => ({ ...tx, ins: all.map((one) => ({ ...one, address: 'bc1qhot' })) })
    const few = wasabi1(12)
    assert.deepEqual(await detect([{ number: 620_000, txs: [byOne(whirlpool(1_000_000)), byOne(few)] }, { number: 760_000, txs: [byOne(wasabi2())] }]), [])
  })

  it('as many inputs as equal outputs make a round of Wasabi, of fewer parties a sign and no more', async () => {
    const round = wasabi1(12), by = (parties: number, count = 12): Tx => ({ ...round, ins: round.ins.slice(0, count).map((one, n) => ({ ...one, address: `bc1qhot${n % parties}` })) })
    const found = await detect([{ number: 620_000, txs: [by(12), by(11), by(2), by(11, 11)] }])
    assert.deepEqual(found.map(({ index, detector, confidence }) => [index, detector, confidence]), [[0, 'wasabi1', 90], [1, 'wasabi1', 45], [2, 'wasabi1', 45]])
  })

  it('a round of Wasabi with as many, or more, equal outputs of another size is one all the same', async () => {
    const found = await detect([{ number: 620_000, txs: [20_040_000, 5_010_000].flatMap((size) => [10, 11].map((more): Tx => ({ ins: ins(times(12, 35_000_000)), outs: outs([...times(10, 10_020_000), ...times(more, size), 4_321_000, 3_210_000]) }))) }])
    assert.deepEqual(found.map(({ index, detector, confidence, equal }) => [index, detector, confidence, equal]), [[0, 'wasabi1', 90, 10], [1, 'wasabi1', 90, 11], [2, 'wasabi1', 90, 10], [3, 'wasabi1', 90, 11]])
  })

  const zero = (name: string, type = 'nulldata', value = 0): Out => ({ address: type === 'nulldata' ? '' : name, value, type, script: `6a${name}` })

  it('what is worth nothing or an OP_RETURN is no payment: it makes no outputs equal, and nobody\'s', async () => {
    const two = (values: readonly number[]): Tx => ({ ins: ins([500_000_000, 600_000_000], 'pubkeyhash'), outs: outs(values, 'pubkeyhash') }), also = (tx: Tx, ...more: readonly Out[]): Tx => ({ ...tx, outs: [...tx.outs, ...more] })
    const found = await detect([{ number: 500_000, txs: [
      also(two([1_090_000_000, 9_990_000]), zero('aa'), zero('bb')), also(two([1_099_000_000]), zero('aa'), zero('bb')), also(two([1_090_000_000, 9_990_000]), zero('p2a', 'anchor'), zero('p2b', 'anchor')), also(two([1_090_000_000, 8_980_000]), zero('aa', 'nulldata', 1_000), zero('bb', 'nulldata', 1_000)),
      also(joinmarket(), zero('aa'), zero('bb')), also(joinmarket(), zero('aa')), also(generic(), zero('aa'), zero('bb')),
    ] }, { number: 700_000, txs: [also(whirlpool(1_000_000), zero('aa')), also({ ...whirlpool(1_000_000), ins: [...whirlpool(1_000_000).ins, ...ins([1_100_000])] }, zero('aa'))] }])
    assert.deepEqual(found.filter(({ block }) => block === 500_000).map(({ index, detector, denomination, equal, values }) => [index, detector, denomination, equal, values]),
      [[4, 'joinmarket', 200_000_000, 4, [200_000_000]], [5, 'joinmarket', 200_000_000, 4, [200_000_000]], [6, 'generic', 1_000_000, 3, [1_000_000]]])
    assert.deepEqual(found.filter(({ detector }) => detector === 'whirlpool'), [], 'a mix of Whirlpool carries no text')
  })

  it('a script without an address is one party, however many of its coins are spent; what anybody may spend and what is worth nothing are none', async () => {
    const { outs: even } = generic(), key = (script: string): In => ({ address: '', value: 5_000_000, type: 'pubkey', script }), nothing: In = { address: '', value: 0, type: 'nonstandard' }
    const by = (...given: In[]): Tx => ({ ins: given, outs: even })
    const [alice, bob] = ins([9_000_000, 8_000_000]) as [In, In], free = (type: string): In => ({ address: 'anybody', value: 240, type })
    const found = await detect([{ number: 350_000, txs: [
      by(key('one'), key('one'), key('one')), by(key('one'), key('two'), key('one')), by(alice, bob, free('anchor')), by(alice, bob, free('witness_unknown')), by(alice, bob, nothing),
      by(key('one'), key('two'), key('three')), by(key('one'), key('two'), alice), by(alice, bob, { address: '', value: null }),
    ] }])
    assert.deepEqual(found.map(({ index, detector, confidence }) => [index, detector, confidence]), [[5, 'generic', 40], [6, 'generic', 40], [7, 'generic', 20]])
  })

  it('an unresolved input is taken to fit, at half the confidence', async () => {
    const [found] = await detect([{ number: 620_000, txs: [{ ins: ins([null, null, 1_000_000, 1_100_000, null]), outs: outs(times(5, 1_000_000)) }] }])
    assert.deepEqual([found?.detector, found?.confidence], ['whirlpool', 47])
  })

  it('random rounds by the rules are found, random payments are not', async () => {
    const sizes = fc.constantFrom(100_000, 1_000_000, 5_000_000, 50_000_000)
    const round = fc.oneof(
      fc.tuple(sizes, fc.integer({ min: 5, max: 10 })).map(([size, n]) => ({ name: 'whirlpool', number: 700_000, tx: whirlpool(size, n) })),
      fc.integer({ min: 10, max: 60 }).map((n) => ({ name: 'wasabi1', number: 700_000, tx: wasabi1(n) })),
      fc.integer({ min: 2, max: 20 }).map((n) => ({ name: 'joinmarket', number: 500_000, tx: joinmarket(n) })),
      fc.integer({ min: 50, max: 120 }).map((n) => ({ name: 'wasabi2', number: 800_000, tx: wasabi2(n) })),
    )
    const payment = fc.tuple(fc.uniqueArray(fc.integer({ min: 1_000, max: 2_000_000_000 }), { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 40 }))
      .map(([values, count]) => ({ name: '', number: 700_000, tx: { ins: ins(times(count, 90_000_000_000)), outs: outs(values) } }))
    const drawn = fc.sample(fc.oneof(round, payment), { numRuns: 300, seed: 7 })
    const found = await detect([500_000, 700_000, 800_000].map((number) => ({ number, txs: drawn.filter((one) => one.number === number).map(({ tx }) => tx) })))
    for (const number of [500_000, 700_000, 800_000]) {
      drawn.filter((one) => one.number === number).forEach(({ name }, index) => { assert.equal(found.find((one) => one.block === number && one.index === index)?.detector ?? '', name, `${number} ${index}`) })
    }
  })
})
