/** With whom addresses of Bitcoin dealt directly: a transaction pays many at once, and each gets its own share of what each brings. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { highestRank } from '../../api/pages.js'
import { loadSql } from '../../schemas/sql.js'
import { z } from 'zod'
import { newestTxs } from '../../api/operations/wallets/dealings.js'
import { indexWallets, insertPriced } from '../support/btcAnswered.js'
import { addressOf, idOf, type Block } from '../support/btcLedger.js'
import { startService, type Service } from './support/service.js'

const btc = 100_000_000
const risky = loadSql(new URL('../../api/operations/wallets/x', import.meta.url).href, 'riskyWallets.sql', 'rows')
const names = ['feeder', 'payer', 'hub', 'tail', 'busy', 'user', 'mix', 'friend', 'bad', 'x', 'me', 'dark', 'r1', 'r2', 'r3', 'r4', 'a1', 'b1', 'joint', 'other', 'shop', 'known', 'seller', 'miner', 'up', 'down', 'maker', 'taker', 'even', 'even2', 'rest', 'rest2']
const nameOf = new Map(names.map((name) => [addressOf(name), name]))
const side = (name: string, coins: number | null) => ({ address: coins === null || name === '' ? '' : addressOf(name), value: coins === null ? null : Math.round(coins * btc) })
const out = (name: string, coins: number) => ({ address: addressOf(name), value: Math.round(coins * btc) })
const bare = `script${createHash('sha256').update(createHash('sha256').update('').digest('hex')).digest('hex')}`
const nobody = `0x${'00'.repeat(20)}`
const blocks: Block[] = [
  { number: 1, txs: [
    { coinbase: true, ins: [side('', 0)], outs: [out('miner', 50)] },
    // A little into a mixer, half to a friend, the rest back.
    { ins: [side('user', 40)], outs: [out('mix', 0.1), out('friend', 20), out('user', 19.8)] },
    { ins: [side('me', 40)], outs: [out('bad', 15), out('x', 24)] },
    // A mixer pays four at once.
    { ins: [side('dark', 6)], outs: [out('r1', 1.5), out('r2', 1.49), out('r3', 1.48), out('r4', 1.47)] },
    { ins: [side('a1', 2)], outs: [out('b1', 1.5), out('a1', 0.49)] },
  ] },
  { number: 2, txs: [
    // Two pay together: 1 and 3 of 4; a script without an address gets some, too.
    { ins: [side('joint', 0.4), side('other', 3), side('joint', 0.6)], outs: [out('shop', 2), { address: '', value: btc }, out('joint', 0.5), out('mix', 0.3)] },
    // An input is not known.
    { ins: [side('', null), side('known', 5)], outs: [out('seller', 4), out('bad', 2), out('known', 1)] },
    // Only to itself.
    { ins: [side('friend', 20)], outs: [out('friend', 19.9)] },
  ] },
]
/** Each one coin from one payer: more than is looked through. */
const many: Block = { number: 3, txs: Array.from({ length: newestTxs + 1 }, (_, index) => ({ ins: [out('payer', 1)], outs: [out('busy', 1), { address: `one ${index}`, value: 0 }] })) }
/** Gathers and pays out to three at a time. */
const hub: Block = { number: 4, txs: [
  ...Array.from({ length: 520 }, () => ({ ins: [out('feeder', 3)], outs: [out('hub', 3)] })),
  ...Array.from({ length: 520 }, (_, index) => ({ ins: [out('hub', 3)], outs: [index === 7 ? out('tail', 1.2) : { address: `main ${index}`, value: 1.2 * btc }, ...['b', 'c'].map((name) => ({ address: `${name} ${index}`, value: 0.9 * btc }))] })),
] }
/** One who is paid the same by a mixer, in one order and in the other: 10, 12 and 40 cents. */
const orders: Block = { number: 5, txs: ['up', 'down'].flatMap((name) => [2e-6, 2.4e-6, 8e-6].sort((a, b) => (name === 'up' ? a - b : b - a)).map((coins) => ({ ins: [out('dark', coins)], outs: [out(name, coins)] }))) }
/** A CoinJoin of two, one of whom is known for ransomware: whose coins each output has nobody knows. */
const mixed: Block = { number: 6, txs: [{ ins: [side('maker', 10), side('taker', 10)], outs: [out('even', 5), out('even2', 5), out('rest', 4.9), out('rest2', 4.8)] }] }

describe('direct dealings on Bitcoin', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const called = (address: string): string => nameOf.get(address) ?? address
  const rounded = (usd: number | null): number | null => (usd === null ? null : Math.round(usd))
  const dealt = async (name: string, whole = true): Promise<unknown[][]> => {
    const { counterparties, counterparties_complete: complete } = await get(`wallets/${addressOf(name)}?chain=BTC`)
    assert.equal(complete, whole)
    return counterparties.map((one: any) => [called(one.address), one.classification, one.transfers_in, one.transfers_out, rounded(one.usd_in), rounded(one.usd_out)])
  }
  const exposures = async (name: string): Promise<any> => {
    const { counterparty_risk: { exposures: found }, breakdown } = await get(`wallets/compliance/${addressOf(name)}?chain=BTC`)
    return [found.map((one: any) => [one.classification, one.counterparties, one.transfers_in, one.transfers_out, Math.round(one.usd_in), Math.round(one.usd_out), one.unpriced]), breakdown.volume]
  }
  before(async () => {
    service = await startService()
    const { store } = service
    for (const [name, category] of [['mix', 'mixer'], ['dark', 'mixer'], ['bad', 'sanctioned'], ['taker', 'ransomware']] as const) {
      await store.insert('labels', [{ chain: 'BTC', address: `0x${idOf(addressOf(name))}`, label: name, entity: name, category, source: 'register', confidence: 90, licence: 'MIT', valid_from: '2009-01-01T00:00:00Z', removed: false, version: 1 }])
    }
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await insertPriced(store, [...blocks, many, hub, orders, mixed])
    await store.execute("INSERT INTO btc_coinjoins (chain, block_number, tx_index, txid, detector, detector_version, confidence) SELECT chain, block_number, tx_index, txid, 'joinmarket', 2, 60 FROM btc_transactions WHERE block_number = 6")
    await indexWallets(store, 6)
  })
  after(() => service.stop())

  it('each receiver is there with what it got, and nobody deals with himself', async () => {
    assert.deepEqual(await dealt('user'), [['friend', 'unknown', 0, 1, 0, 1_000_000], ['mix', 'mixer', 0, 1, 0, 5_000]])
    assert.deepEqual(await dealt('me'), [['x', 'unknown', 0, 1, 0, 1_200_000], ['bad', 'sanctioned', 0, 1, 0, 750_000]])
    assert.deepEqual(await dealt('a1'), [['b1', 'unknown', 0, 1, 0, 75_000]])
    assert.deepEqual(await dealt('b1'), [['a1', 'unknown', 1, 0, 75_000, 0]])
    assert.deepEqual(await dealt('friend'), [['user', 'unknown', 1, 0, 1_000_000, 0]])
  })

  it('who pays together pays by share, a script without an address is a party, and both sides say the same', async () => {
    assert.deepEqual(await dealt('joint'), [
      ['shop', 'unknown', 0, 1, 0, 25_000], ['other', 'unknown', 1, 0, 18_750, 0], [bare, 'unknown', 0, 1, 0, 12_500], ['mix', 'mixer', 0, 1, 0, 3_750],
    ])
    assert.deepEqual(await dealt('shop'), [['other', 'unknown', 1, 0, 75_000, 0], ['joint', 'unknown', 1, 0, 25_000, 0]])
    assert.deepEqual((await dealt('mix')), [['other', 'unknown', 1, 0, 11_250, 0], ['user', 'unknown', 1, 0, 5_000, 0], ['joint', 'unknown', 1, 0, 3_750, 0]])
  })

  it('where an input is not known nobody is said to have paid, and no amount; what is mined comes from nobody', async () => {
    assert.deepEqual(await dealt('seller', false), [[nobody, 'unknown', 1, 0, 200_000, 0], ['known', 'unknown', 1, 0, null, 0]])
    assert.deepEqual((await dealt('known', false)).sort(), [['bad', 'sanctioned', 0, 1, 0, null], ['seller', 'unknown', 0, 1, 0, null]])
    assert.equal((await get(`wallets/compliance/${addressOf('known')}?chain=BTC`)).counterparty_risk.exposures_complete, false)
    const [found, volume] = await exposures('known')
    assert.deepEqual(found, [['sanctioned', 1, 0, 1, 0, 0, 1], ['unknown', 1, 0, 1, 0, 0, 1]])
    assert.deepEqual(volume, { score: null, reason: 'exposure_score/3: exposed, but some of those transfers have no price, or no known amount' })
    assert.deepEqual(await dealt('miner'), [[nobody, 'unknown', 1, 0, 2_500_000, 0]])
  })

  it('in a CoinJoin nobody is said to have paid anybody, and no amount; nobody is missing', async () => {
    assert.deepEqual((await dealt('even')).sort(), [['maker', 'unknown', 1, 0, null, 0], ['taker', 'ransomware', 1, 0, null, 0]])
    assert.deepEqual(await exposures('rest'), [
      [['ransomware', 1, 1, 0, 0, 0, 1], ['unknown', 1, 1, 0, 0, 0, 1]], { score: null, reason: 'exposure_score/3: exposed, but some of those transfers have no price, or no known amount' },
    ])
  })

  it('dollars are the same in whatever order they are added up', async () => {
    const told = await Promise.all(['up', 'down'].map(async (name) => (await get(`wallets/${addressOf(name)}?chain=BTC`)).counterparties.map((one: any) => [called(one.address), one.usd_in])))
    assert.deepEqual(told, [[['dark', 0.62]], [['dark', 0.62]]])
    // By what was worked out from transactions, and the whole by what stands in rows.
    const rows = await service.store.query(risky, { chain: 'BTC', newest: 5, segmentBlocks: 64, categories: ['mixer'], weights: [0.7], own_confidence: 50, least: 1, mostMoves: 1_000, mostParties: 100, mostEach: 100, mostTxs: 100, rank: highestRank, after: '', limit: 100 },
      z.object({ address: z.string(), exposures: z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.number()])) }))
    assert.deepEqual(['up', 'down'].map((name) => rows.find(({ address }) => address === `0x${idOf(addressOf(name))}`)?.exposures), [[['mixer', 1, 3, 0, 0]], [['mixer', 1, 3, 0, 0]]])
  })

  it('exposures and the score of direct volume are of what went to each class', async () => {
    assert.deepEqual((await exposures('user'))[0], [['unknown', 1, 0, 1, 0, 1_000_000, 0], ['mixer', 1, 0, 1, 0, 5_000, 0]])
    assert.deepEqual((await exposures('me')), [[['unknown', 1, 0, 1, 0, 1_200_000, 0], ['sanctioned', 1, 0, 1, 0, 750_000, 0]], { score: 35, reason: 'exposure_score/3: direct volume with 1 weighed categories, of the priced volume' }])
    assert.deepEqual((await exposures('a1'))[0], [['unknown', 1, 0, 1, 0, 75_000, 0]])
  })

  it('of a busy address the newest transactions are looked through, and the answer says so', async () => {
    assert.deepEqual(await dealt('busy', false), [['payer', 'unknown', newestTxs, 0, 50_000 * newestTxs, 0]])
    const { counterparty_risk: risk, breakdown } = await get(`wallets/compliance/${addressOf('busy')}?chain=BTC`)
    assert.deepEqual([risk.exposures_complete, risk.exposures[0].transfers_in, breakdown.volume.score], [false, newestTxs, null])
  })

  it('one that pays many at once is as busy as they are many', async () => {
    const { trail } = await get(`wallets/trail/${addressOf('tail')}?chain=BTC`)
    assert.deepEqual(trail.map((step: any) => [called(step.from_address), step.stopped_because]), [['hub', 'high_degree']])
  })

  it('everybody a mixer pays in one transaction is risky', async () => {
    const rows = await get('wallets/risky/BTC?min_risk=1&limit=100')
    const scored = new Map<string, any>(rows.map((row: any) => [called(row.address), row]))
    for (const name of ['r1', 'r2', 'r3', 'r4']) {
      // 0.7 · 0.9 of all that it moved.
      assert.deepEqual([scored.get(name)?.risk_score, scored.get(name)?.reasons], [63, ['exposure_score/3: 1 transfers with mixer directly, 100.0% of its priced volume']], name)
    }
    assert.deepEqual(scored.get('me')?.reasons, ['exposure_score/3: 1 transfers with sanctioned directly, 37.5% of its priced volume'])
    assert.deepEqual(scored.get('known')?.reasons, undefined, 'how much is not known')
    // Dollars that came out of a CoinJoin are of nobody in particular.
    assert.deepEqual(['maker', 'even', 'even2', 'rest', 'rest2'].filter((name) => scored.has(name)), [])
    assert.deepEqual(scored.get('other')?.reasons, ['exposure_score/3: 1 transfers with mixer directly, 7.5% of its priced volume'])
  })
})
