/** What addresses did with mixers, and leads to the other side, against a ledger made by hand. */
import assert from 'node:assert/strict'
import { account, listTokens, seedBlocks, seedLabel, seedMoves } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

describe('use of mixers', function () {
  this.timeout(120_000)
  let service: Service
  const use = async (digit: string): Promise<any> => (await service.call(`GET /v1/forensic/mixers/${account(digit)}`)).body
  const leads = async (digit: string) => (await use(digit)).leads.map(({ rule, band, address, side, pools, matches, own_tx: own, other_tx: other }: any) => [rule, band, address.slice(2, 3), side, pools, matches, parseInt(own, 16), parseInt(other, 16)])
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 30_000)
    await listTokens(service.store, 'f')
    for (const pool of ['e', 'd', 'c']) await seedLabel(service.store, pool, 'tornado', 'mixer')
    await seedLabel(service.store, 'f', 'Some Exchange', 'exchange')
    const paid = (from: string, to: string, block: number, amount = 100) => ({ from, to, block, amount, usd: amount })
    await seedMoves(service.store, [
      paid('2', 'e', 10), paid('3', 'e', 11), paid('2', '1', 12, 1), paid('5', '8', 13, 1), paid('5', 'e', 14), paid('6', 'd', 15), paid('d', '6', 16),
      // By the router, in one transaction.
      paid('7', 'c', 17), paid('c', 'e', 17), paid('7', '9', 18, 1), paid('e', '9', 19), paid('e', '1', 20),
      paid('a', 'e', 21), paid('a', 'e', 22), paid('a', 'd', 23), paid('e', 'b', 24), paid('e', 'b', 25), paid('d', 'b', 26), paid('f', '4', 30, 5_000), paid('e', '8', 29_000),
    ])
  })
  after(() => service.stop())

  it('is told direct, by pool and direction', async () => {
    const { direct, within_hops: within, interactions } = await use('b')
    assert.deepEqual(direct.map((one: any) => [one.mixer, one.protocol, one.direction, one.transfers, one.amount, one.value_usd]), [[account('e'), 'tornado', 'withdrawal', 2, '200', 200], [account('d'), 'tornado', 'withdrawal', 1, '100', 100]])
    assert.deepEqual([within, interactions], [[], 2], 'its own use is not that of others')
    assert.deepEqual((await use('7')).direct.map((one: any) => [one.mixer, one.direction]), [[account('c'), 'deposit']])
  })

  it('gives leads in bands: the address itself, one it dealt with in time, a profile; through a router, too; never proof', async () => {
    assert.deepEqual(await leads('1'), [['mixer_linked_address/1', 'medium', '2', 'deposit', 1, 1, 20, 10]])
    assert.deepEqual(await leads('9'), [['mixer_linked_address/1', 'medium', '7', 'deposit', 1, 1, 19, 17]])
    assert.deepEqual((await leads('6')).sort(), [['mixer_address_reuse/1', 'strong', '6', 'deposit', 1, 1, 16, 15], ['mixer_address_reuse/1', 'strong', '6', 'withdrawal', 1, 1, 15, 16]])
    assert.deepEqual((await leads('b')).map((one: any) => one.slice(0, 6)), [['mixer_pool_profile/1', 'weak', 'a', 'deposit', 2, 3]])
    assert.deepEqual((await leads('2')).map((one: any) => one.slice(0, 4)), [['mixer_linked_address/1', 'medium', '1', 'withdrawal']])
    assert.match((await use('1')).disclaimer, /proof/)
  })

  it('gives none where nothing links, or too much time lies between', async () => {
    assert.deepEqual([await leads('3'), await leads('8')], [[], []])
  })

  it('is no match only where all the money was followed, up to now', async () => {
    const old = await use('4')
    assert.deepEqual([old.interactions, old.complete, old._meta.empty], [0, true, { is_successful_empty: false, empty_reason: 'stale_pipeline' }])
    await service.store.execute("INSERT INTO blocks SELECT * REPLACE (30001 AS block_number, now64(3) AS block_time) FROM blocks AS b WHERE b.block_number = 30000")
    await service.store.execute("INSERT INTO batches (chain, stage, from_block, to_block, hash) VALUES ('ETH', 'alert', 30001, 30001, 'x')")
    // The ledger is looked at once a second.
    await new Promise((resolve) => { setTimeout(resolve, 1_100) })
    const clean = await use('4')
    assert.deepEqual([clean.interactions, clean.complete, clean._meta.empty], [0, true, { is_successful_empty: true, empty_reason: 'no_mixer_match' }])
    const none = (await service.call('GET /v1/forensic/mixers/TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf')).body
    assert.deepEqual([none.direct, none._meta.empty.empty_reason], [null, 'unsupported_input'])
  })

  it('is not known of a chain of which nothing is indexed', async () => {
    const { direct, coverage_status: { pipeline }, _meta: { empty } } = (await service.call('GET /v1/forensic/mixers/1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?chain=BTC')).body
    assert.deepEqual([direct, pipeline, empty], [null, 'pending', { is_successful_empty: false, empty_reason: 'data_gap' }])
  })
})

describe('use of Railgun', function () {
  this.timeout(120_000)
  let service: Service
  const use = async (digit: string): Promise<any> => (await service.call(`GET /v1/forensic/mixers/${account(digit)}`)).body
  const leads = async (digit: string) => (await use(digit)).leads.map(({ rule, band, address, side, own_tx: own, other_tx: other, amounts_match: fits }: any) => [rule, band, address.slice(2, 3), side, parseInt(own, 16), parseInt(other, 16), fits])
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 30_000)
    await listTokens(service.store, 'f', '2')
    for (const contract of ['e', 'd']) await seedLabel(service.store, contract, 'railgun', 'mixer')
    const paid = (from: string, to: string, block: number, amount: number, token = 'f') => ({ from, to, block, amount, token, usd: amount })
    // e is the pool, d what adapts to it. 4 is long before; 5 and 6 also dealt with 8; 7 went through d; a put in another token.
    await seedMoves(service.store, [
      paid('4', 'e', 1, 10_000), paid('5', '8', 29_107, 1), paid('6', '8', 29_108, 1), paid('5', 'e', 29_111, 10_000), paid('6', 'e', 29_112, 7_000), paid('7', 'd', 29_113, 10_000), paid('d', 'e', 29_113, 10_000), paid('a', 'e', 29_114, 10_000, '2'),
      paid('e', '8', 29_115, 9_960), paid('9', 'e', 29_217, 333), paid('e', '9', 29_218, 332),
    ])
  })
  after(() => service.stop())

  it('is told direct, and leads are by the address itself, one it dealt with, and an amount that fits; in bands, never proof', async () => {
    const { direct, leads_complete: complete, disclaimer } = await use('8')
    assert.deepEqual([direct.map((one: any) => [one.protocol, one.direction, one.amount]), complete], [[['railgun', 'withdrawal', '9960']], true])
    assert.match(disclaimer, /None of them is proof/)
    assert.deepEqual(await leads('8'), [
      ['mixer_railgun_linked/1', 'medium', '5', 'deposit', 29_115, 29_111, true], ['mixer_railgun_linked/1', 'weak', '6', 'deposit', 29_115, 29_112, false], ['mixer_railgun_amount/1', 'weak', '7', 'deposit', 29_115, 29_113, true],
    ])
    assert.deepEqual((await leads('5')).map((one: any) => one.slice(0, 4)), [['mixer_railgun_linked/1', 'medium', '8', 'withdrawal']])
    assert.deepEqual((await leads('9')).sort(), [['mixer_railgun_reuse/1', 'strong', '9', 'deposit', 29_218, 29_217, true], ['mixer_railgun_reuse/1', 'strong', '9', 'withdrawal', 29_217, 29_218, true]])
    assert.deepEqual([await leads('4'), await leads('a')], [[], []])
  })
})
