/** A token that no list names may say that a mixer paid anybody: what it says makes nobody a user of one. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { riskyClasses } from '../../schemas/riskyClasses.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { at, coin, putBlocks, putMoves, putTokens, run, units } from '../enrich/handmade.js'
import { account, seedBlocks, seedLabel, seedMoves } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

const [Hash, Verdict] = [z.object({ hash: z.string() }), z.object({ block: z.coerce.number(), intent: z.string() })]

describe('a mixer that a token without a list speaks of', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 99)
    for (const [pool, entity] of [['e', 'tornado'], ['d', 'railgun']] as const) await seedLabel(service.store, pool, entity, 'mixer')
    await putTokens(service.store, [{ address: account('f'), symbol: 'F', decimals: 18 }, { address: account('b'), symbol: 'TORNADO', decimals: 18, source: 'node' }])
    await seedMoves(service.store, [
      { from: '3', to: '1', block: 9, amount: 50, usd: 50, token: '0', kind: 'native' }, { from: 'e', to: '1', block: 10, amount: 1_000, token: 'b' }, { from: 'd', to: '1', block: 11, amount: 1_000, token: 'b' },
      // Who used it, whom the token says to have dealt with him, and one whom it says to have paid in before.
      { from: '2', to: '4', block: 12, amount: 7, token: 'b' }, { from: '4', to: 'e', block: 13, amount: 100, usd: 100 }, { from: '6', to: 'e', block: 14, amount: 100, token: 'b' }, { from: '6', to: '2', block: 15, amount: 1, usd: 1 },
      { from: 'e', to: '2', block: 16, amount: 100, usd: 100 }, { from: 'e', to: '8', block: 17, amount: 100, usd: 100, token: '0', kind: 'internal' },
    ])
  })
  after(() => service.stop())

  it('is none of the address\'s, neither direct nor within hops, and leaves its score of mixers alone', async () => {
    const { direct, within_hops: within, interactions, leads } = await get(`forensic/mixers/${account('1')}`)
    assert.deepEqual([direct, within, interactions, leads], [[], [], 0, []])
    const { breakdown: { mixer, volume }, exposure, counterparty_risk: { exposures } } = await get(`wallets/compliance/${account('1')}`)
    assert.deepEqual([mixer.score, volume.score, exposure.filter((one: any) => one.classification === 'mixer'), exposures.filter((one: any) => one.classification === 'mixer')], [0, 0, [], []])
  })

  it('gives no leads: neither by a deposit nor by dealings that it made up', async () => {
    const used = await get(`forensic/mixers/${account('2')}`)
    assert.deepEqual([used.direct.map((one: any) => [one.mixer, one.direction, one.amount]), used.leads], [[[account('e'), 'withdrawal', '100']], []])
  })

  it('the coin and listed tokens tell as before', async () => {
    for (const digit of ['2', '8']) {
      const [{ breakdown: { mixer } }, { interactions }] = [await get(`wallets/compliance/${account(digit)}`), await get(`forensic/mixers/${account(digit)}`)]
      assert.ok(mixer.score > 0 && interactions === 1, `${digit}: ${mixer.score} ${interactions}`)
    }
  })

  it('weighs nothing where the token has a price, neither in a report nor on the list of risky wallets', async () => {
    // What a token without a list is worth says a pool its maker made.
    await seedMoves(service.store, [{ from: 'e', to: '7', block: 70, amount: 1_000, usd: 9_000, token: 'b' }, { from: '3', to: '7', block: 71, amount: 100, usd: 100 }, { from: 'e', to: '9', block: 72, amount: 75, usd: 75 }, { from: 'e', to: '9', block: 73, amount: 25, usd: 25, token: 'b' }])
    const report = await get(`wallets/compliance/${account('7')}`)
    assert.deepEqual([report.counterparty_risk.exposures.map((one: any) => one.classification), report.risk_at_least], [['unknown'], 0])
    const listed = (await get('wallets/risky/ETH?min_risk=1&limit=100')).filter((one: any) => ['7', '9'].includes(one.address[2]))
    // 100 · 0.7 · 0.9: what the token says is neither of the mixer nor of the volume that its share is of.
    assert.deepEqual(listed.map((one: any) => [one.address, one.risk_score, one.reasons]), [[account('9'), 63, ['exposure_score/3: 1 transfers with mixer directly, 100.0% of its priced volume in the coin and listed tokens']]])
    assert.equal((await get(`wallets/compliance/${account('9')}`)).risk_at_least, 63)
  })

  it('is not what a transaction was for', async () => {
    const { store } = service
    await store.execute('TRUNCATE TABLE blocks')
    await putTokens(store, [{ address: coin, symbol: 'ETH', decimals: 18 }])
    await putBlocks(store, 201, 202)
    await putMoves(store, [{ n: 201, position: 1, token: account('b'), from: account('e'), to: at('06'), amount: units(10, 18) }, { n: 202, position: 1, kind: 'internal', token: coin, from: account('e'), to: at('06'), amount: units(10, 18) }])
    await run(store, enrichStatements, [[201, 202]])
    const hashes = await store.query('SELECT lower(hex(tx_hash)) AS hash FROM transactions WHERE block_number IN (201, 202) ORDER BY block_number', {}, Hash)
    const rows = await store.query('SELECT block_number AS block, verdict.1 AS intent FROM transaction_intents(chain = {chain:String}, blocks = {blocks:Array(UInt64)}, hashes = {hashes:Array(String)}) ORDER BY block', { chain: 'ETH', blocks: [201, 202], hashes: hashes.map(({ hash }) => hash) }, Verdict)
    assert.deepEqual(rows.map(({ block, intent }) => [block, intent === 'mixer']), [[201, false], [202, true]])
  })

  it('nor is a bridge that it speaks of', async () => {
    const { store } = service
    await seedLabel(store, 'c', 'A bridge', 'bridge')
    await putBlocks(store, 203, 204)
    await putMoves(store, [{ n: 203, position: 1, token: account('b'), from: account('c'), to: at('06'), amount: units(10, 18) }, { n: 204, position: 1, token: account('f'), from: account('c'), to: at('06'), amount: units(10, 18) }])
    await run(store, enrichStatements, [[203, 204]])
    const hashes = await store.query('SELECT lower(hex(tx_hash)) AS hash FROM transactions WHERE block_number IN (203, 204)', {}, Hash)
    const rows = await store.query('SELECT block_number AS block, verdict.1 AS intent FROM transaction_intents(chain = {chain:String}, blocks = {blocks:Array(UInt64)}, hashes = {hashes:Array(String)}) ORDER BY block', { chain: 'ETH', blocks: [203, 204], hashes: hashes.map(({ hash }) => hash) }, Verdict)
    assert.deepEqual(rows.map(({ block, intent }) => [block, intent === 'bridge']), [[203, false], [204, true]])
  })

  it('is no use of one among large movements, and flags nobody', async () => {
    const { store } = service
    await store.execute("INSERT INTO transfers SELECT * REPLACE (1000000 AS value_usd, toUInt32(sub + 9) AS sub) FROM transfers WHERE block_number IN (201, 202)")
    const { items } = await get('dashboard/whale-txs?chain=ETH')
    assert.deepEqual(items.map((one: any) => [one.blockNumber, one.type, one.riskFlag]), [[202, 'mixer', 'mixer'], [201, 'transfer', null]])
    assert.deepEqual(items.map((one: any) => / \((.*?)\) moved from /.exec(one.description)?.[1]), ['$1,000,000', 'about $1,000,000 by its own pools'])
  })

  it('each class that weighs in risk is flagged, and no other', async () => {
    const { store } = service
    const classes = ['exchange', 'service', ...riskyClasses]
    for (const [place, name] of classes.entries()) {
      await store.execute('INSERT INTO transfers SELECT * REPLACE (1000000 AS value_usd, toUInt32(sub + 20 + {place:UInt32}) AS sub, {name:String} AS to_class, \'unknown\' AS from_class) FROM transfers AS t WHERE t.block_number = 202 AND t.sub = 0', { place, name })
    }
    const { items } = await get('dashboard/whale-txs?chain=ETH&limit=20')
    assert.deepEqual(items.slice(0, classes.length).map((one: any) => one.riskFlag).reverse(), [null, null, ...riskyClasses])
  })
})
