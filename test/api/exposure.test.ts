/** Exposure of an address and the score made of it, against shares computed by hand. */
import assert from 'node:assert/strict'
import { putLists } from './support/sanctions.js'
import { account, listTokens, seedBlocks, seedLabel, seedMoves } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

describe('exposure of an address', function () {
  this.timeout(90_000)
  let service: Service
  // Answers are kept for a while: the name of the chain makes it another question.
  const report = async (digit: string, chain = 'ETH') => (await service.call(`GET /v1/wallets/compliance/${account(digit)}?chain=${chain}`)).body
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 99)
    await listTokens(service.store, 'f')
    await seedLabel(service.store, 'e', 'Some Mixer', 'mixer')
    await seedLabel(service.store, 'b', 'Some Exchange', 'exchange')
    await seedLabel(service.store, 'd', 'Maybe a Scam', 'scam', 20)
    await seedLabel(service.store, 'a', 'A Thief', 'hack', 60)
    const paid = (from: string, to: string, block: number, amount: number, usd: number | null = amount) => ({ from, to, block, amount, usd })
    await seedMoves(service.store, [
      paid('e', '2', 1, 1_000), paid('b', '2', 2, 3_000), paid('2', '1', 3, 4_000), paid('b', '1', 4, 4_000), paid('1', 'b', 5, 2_000),
      paid('e', '5', 6, 500, null), paid('b', '5', 7, 500), { from: '8', to: '6', block: 8, amount: 600, usd: 600 }, { from: '6', to: '7', block: 9, amount: 900, usd: 900 }, paid('e', '6', 8, 100),
      paid('d', '4', 10, 300), paid('b', '4', 11, 700), paid('b', 'a', 12, 100), paid('a', '9', 13, 100),
    ])
  })
  after(() => service.stop())

  it('is direct and indirect, with share, dollars, hops, rule and path', async () => {
    const { exposure, breakdown, counterparty_risk: risk, risk_score: whole, breakdown: { sanctions } } = await report('1')
    const path = (...digits: string[]) => digits.map(account)
    assert.deepEqual(exposure.map((one: any) => [one.direction, one.kind, one.classification, one.hops, one.share, one.fifo_usd, one.haircut_usd, one.poison_usd, one.paths.map((each: any) => each.addresses)]), [
      ['source', 'direct', 'exchange', 1, 0.5, 4_000, 4_000, 4_000, [path('1', 'b')]],
      ['source', 'indirect', 'exchange', 2, 0.375, 3_000, 3_000, 4_000, [path('1', '2', 'b')]],
      ['source', 'indirect', 'mixer', 2, 0.125, 1_000, 1_000, 4_000, [path('1', '2', 'e')]],
      ['destination', 'direct', 'exchange', 1, 1, 2_000, 2_000, 2_000, [path('1', 'b')]],
    ].sort((a: any, b: any) => exposure.findIndex((one: any) => one.direction === a[0] && one.kind === a[1] && one.classification === a[2]) - exposure.findIndex((one: any) => one.direction === b[0] && one.kind === b[1] && one.classification === b[2])))
    assert.ok(exposure.every((one: any) => one.rule === 'trail_exposure/5'))
    // 100 · 0.7 · 0.125 · 0.7 · 0.9
    assert.deepEqual([breakdown.mixer.score, risk.score], [6, 6])
    assert.deepEqual([sanctions.score, whole], [null, null], 'without registers nothing is clear')
  })

  it('is unknown where a price or a part of the balance is: never low', async () => {
    const unpriced = await report('5')
    assert.deepEqual([unpriced.breakdown.mixer.score, unpriced.exposure.map((one: any) => [one.classification, one.share, one.haircut_usd])], [null, [['exchange', null, null], ['mixer', null, null]]])
    const overdrawn = await report('7')
    assert.deepEqual([overdrawn.breakdown.mixer.score, overdrawn.exposure.map((one: any) => [one.classification, one.share, one.haircut_usd, one.poison_usd])], [null, [['mixer', null, null, 900]]])
    assert.match(overdrawn.breakdown.mixer.reason, /unknown/)
    // What was seen from the mixer has no price: the volume of it is unknown, too.
    assert.deepEqual([unpriced.breakdown.volume.score, unpriced.breakdown.behavior], [null, { score: null, reason: 'Nobody says what it is' }])
  })

  it('weighs how sure labels are, what the address is itself, and its direct volume; registers make it whole', async () => {
    const scores = async (digit: string, chain = 'ethereum') => {
      const { risk_score: score, risk_level: level, risk_at_least: least, breakdown: { mixer, behavior, volume }, counterparty_risk: others } = await report(digit, chain)
      return [score, level, least, mixer.score, behavior.score, volume.score, others.score]
    }
    assert.deepEqual(await scores('a', 'ETH'), [null, null, 95, 0, 95, 0, 0], 'without registers there is no whole score, and what is known stands')
    await putLists(service.store, { OFAC_SDN: [], UK_HMT: [], IL_NBCTF: [], JP_MOF: [] })
    // 100 · 0.8 · 0.3 · 0.2 by the trail; the same by volume; nobody says what it is.
    assert.deepEqual(await scores('4'), [5, 'low', 5, 0, null, 5, 5])
    // 100 · 0.8 · 0.2 of a hint; 100 · 0.95 of what is sure.
    assert.deepEqual((await scores('d'))[4], 16)
    assert.deepEqual(await scores('a'), [95, 'severe', 95, 0, 95, 0, 0])
    assert.deepEqual((await report('4')).exposure.map((one: any) => [one.classification, one.share, one.confidence]), [['exchange', 0.7, 90], ['scam', 0.3, 20]])
  })

  it('goes by the numbers of the newest rule', async () => {
    await service.store.execute("INSERT INTO risk_rules SELECT rule, 4, decay, own_confidence, severe, high, 4 FROM risk_rules WHERE version = 3")
    await service.store.execute("INSERT INTO risk_weights SELECT rule, 4, category, if(category = 'scam', 0.4, weight) FROM risk_weights WHERE version = 3")
    const body = await report('4', 'eth')
    assert.deepEqual([body.breakdown.volume.score, body.breakdown.volume.reason.slice(0, 16)], [2, 'exposure_score/4'])
  })
})
