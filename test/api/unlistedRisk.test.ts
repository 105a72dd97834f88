/** A token that no list names moves what it likes, at what its maker's pool says: it neither thins out a risk nor makes one. */
import assert from 'node:assert/strict'
import { account, listTokens, seedBlocks, seedLabel, seedMoves } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

describe('risk where an unlisted token moved', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  const report = async (digit: string) => get(`wallets/compliance/${account(digit)}`)
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 99)
    await listTokens(service.store, 'f')
    for (const [digit, category, confidence] of [['e', 'mixer', 90], ['d', 'sanctioned', 100], ['a', 'hack', 100], ['9', 'hack', 20]] as const) await seedLabel(service.store, digit, `Some ${category}`, category, confidence)
    const coin = { token: '0', kind: 'native', amount: 1_000 } as const, made = { token: 'b', amount: 10n ** 30n, usd: 1e30 } as const
    await seedMoves(service.store, [
      // 1 takes from a mixer, 5 from a listed body, and moves a token of its own, also to itself; half of what 6 got is of a hack.
      { from: 'e', to: '1', block: 1, usd: 1_000, ...coin }, { from: '1', to: '3', block: 70, ...made }, { from: '1', to: '1', block: 71, ...made },
      { from: 'd', to: '5', block: 2, amount: 5, usd: 1_000 }, { from: '3', to: '5', block: 3, ...made },
      { from: 'a', to: '6', block: 4, usd: 500, ...coin }, { from: '8', to: '6', block: 5, usd: 500, ...coin }, { from: '9', to: '6', block: 6, ...made },
      // Of 2 and 4 such tokens, with a price and without, say that a listed body paid them.
      { from: 'd', to: '2', block: 10, ...made }, { from: '8', to: '2', block: 11, usd: 100, ...coin }, { from: 'd', to: '4', block: 12, ...made, token: 'c', usd: null }, { from: '8', to: '4', block: 13, usd: 100, ...coin },
      { from: 'd', to: '7', block: 14, ...made },
    ])
    await service.store.execute(`INSERT INTO address_segments SELECT chain, address, toStartOfHour(block_time) AS hour, intDiv(block_number, 64) AS segment, countIf(direction = 'in'), sumIf(usd, direction = 'in'), countIf(direction = 'out'), sumIf(usd, direction = 'out'),
      min(block_number), max(block_number), min(block_time), max(block_time), 1 FROM (SELECT *, toDecimal256(ifNull(value_usd, 0), 6) AS usd FROM address_transfers) GROUP BY chain, address, hour, segment`)
  })
  after(() => service.stop())

  it('is not thinned out by it: shares are of the coin and listed tokens', async () => {
    const found = []
    for (const digit of ['1', '5', '6']) {
      const { risk_at_least: least, breakdown: { volume }, exposure } = await report(digit)
      found.push([digit, least, volume.score, exposure.filter((one: any) => one.share > 0 && one.weight !== null).map((one: any) => [one.classification, one.share])])
    }
    // 100 · 0.7 · 0.9, all of what was listed, and 100 · 0.95 · 0.5.
    assert.deepEqual(found, [['1', 63, 63, [['mixer', 1]]], ['5', 100, 100, [['sanctioned', 1]]], ['6', 48, 48, [['hack', 0.5]]]])
    const listed = await get('wallets/risky/ETH?min_risk=10&limit=100')
    assert.deepEqual(['1', '5', '6'].map((digit) => { const one = listed.find(({ address }: any) => address === account(digit)); return [one?.risk_score, one?.reasons] }), [
      [63, ['exposure_score/3: 1 transfers with mixer directly, 100.0% of its priced volume in the coin and listed tokens']], [100, ['exposure_score/3: 1 transfers with sanctioned directly, 100.0% of its priced volume in the coin and listed tokens']],
      [48, ['exposure_score/3: 2 transfers with hack directly, 50.0% of its priced volume in the coin and listed tokens; 1 of tokens that no list names do not count']],
    ])
  })

  it('is not made by it: what it says is shown, and weighs nothing, with a price and without', async () => {
    for (const [digit, all, blank] of [['2', 1e30, 0], ['4', 0, 1]] as const) {
      const { risk_at_least: least, breakdown: { volume }, exposure, counterparty_risk: { exposures } } = await report(digit)
      assert.deepEqual([least, volume.score], [0, 0], digit)
      const [said] = exposures.filter((one: any) => one.classification === 'sanctioned')
      assert.deepEqual([said.transfers_in, said.usd_in, said.usd_weighed, said.unpriced, said.unpriced_weighed, said.confidence], [1, all, 0, blank, 0, null], digit)
      const [seen] = exposure.filter((one: any) => one.classification === 'sanctioned')
      assert.deepEqual([seen.share, seen.contribution, seen.paths.map((one: any) => one.share)], [0, 0, [0]], digit)
    }
    const { risk_at_least: least, breakdown: { volume } } = await report('7')
    assert.deepEqual([least, volume.score], [0, null], 'nothing that it moved weighs, and nothing is no share')
    const listed = (await get('wallets/risky/ETH?min_risk=0&limit=100')).filter((one: any) => ['2', '4', '7'].includes(one.address[2]))
    assert.deepEqual(listed.map((one: any) => [one.address[2], one.risk_score]).sort(), [['2', 0], ['4', 0], ['7', 0]])
    assert.match(listed[0].reasons[0], /; 1 of tokens that no list names do not count$/)
    const { breakdown: { volume: { reason } } } = await report('4')
    assert.match(reason, /; what moved in tokens that no list names does not count$/)
  })

  it('does not stand before what is known, however much it says it is worth', async () => {
    await service.store.execute(`INSERT INTO address_transfers SELECT t.* REPLACE (toFixedString(unhex(leftPad(hex(s.number + 4096), 40, '0')), 20) AS other, toUInt32(t.sub + 1 + s.number) AS sub) FROM address_transfers AS t CROSS JOIN numbers(60) AS s
      WHERE t.chain = 'ETH' AND t.address = toFixedString(unhex(repeat('6', 40)), 20) AND t.other = toFixedString(unhex(repeat('9', 40)), 20)`)
    const { risk_at_least: least, exposure } = (await service.call(`GET /v1/wallets/compliance/${account('6')}?chain=ETH`)).body
    assert.deepEqual([least, exposure.filter((one: any) => one.share > 0 && one.weight !== null).map((one: any) => [one.classification, one.share])], [48, [['hack', 0.5]]])
  })
})
