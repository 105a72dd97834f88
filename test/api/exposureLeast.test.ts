/** What is known to be risked at the least is a share of all the priced value that an address moved, whichever of it was followed. */
import assert from 'node:assert/strict'
import { account, listTokens, seedBlocks, seedLabel, seedMoves, type Move } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

describe('the least risk of an address', function () {
  this.timeout(90_000)
  let service: Service
  const report = async (digit: string) => (await service.call(`GET /v1/wallets/compliance/${account(digit)}`)).body
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 99)
    await listTokens(service.store, 'b', 'f')
    await seedLabel(service.store, 'e', 'Some Mixer', 'mixer')
    await seedLabel(service.store, 'd', 'Listed Somebody', 'sanctioned')
    await seedLabel(service.store, 'a', 'A Scam', 'scam')
    const coin = { token: '0', kind: 'native' } as const
    const many = Array.from({ length: 100 }, (_, place): Move => ({ from: '3', to: '1', block: 2, amount: 1, token: 'b', usd: place === 0 ? null : 900_000 / 99, position: place, tx: 1_000 + place }))
    await seedMoves(service.store, [
      { from: 'e', to: '1', block: 1, amount: 10, usd: 2_000, ...coin }, ...many,
      { from: 'd', to: '2', block: 1, amount: 100, usd: 10_000, ...coin }, { from: 'a', to: 'a', block: 3, amount: 10, usd: 1_000 }, { from: '6', to: '5', block: 6, amount: 2n ** 127n, usd: 1_000 }, { from: 'a', to: '4', block: 4, amount: 10, usd: 1_000 },
    ])
    // 49 payers of $1,000 of the coin, and 300 of $900 of a token, none of which is among the 50 largest branches.
    await service.store.execute(
      `INSERT INTO address_transfers SELECT 'ETH', unhex(repeat('2', 40)), 5, if(number < 49, 'native', 'erc20'), toUInt32(number), 0, 'in', toDateTime64(1700000060, 3), unhex(leftPad(hex(number + 5000), 64, '0')), unhex(repeat(if(number < 49, '0', 'b'), 40)),
      unhex(leftPad(hex(number + 70000), 40, '0')), toUInt256(10), 0, if(number < 49, 1000., 900.), 0, toUInt32(number) FROM numbers(349)`)
  })
  after(() => service.stop())

  it('is of all that has a price, also of a token of which something has none', async () => {
    const { exposure, risk_at_least: least } = await report('1')
    const [mixer] = exposure.filter((one: any) => one.classification === 'mixer')
    assert.deepEqual([mixer.haircut_usd, Number(mixer.share.toFixed(6)), least], [2_000, Number((2_000 / 902_000).toFixed(6)), 0])
  })

  it('is of all that has a price, also of tokens whose branches were not followed', async () => {
    const { exposure, risk_at_least: least } = await report('2')
    const [listed] = exposure.filter((one: any) => one.classification === 'sanctioned')
    assert.deepEqual([listed.haircut_usd, Number(listed.share.toFixed(6)), least], [10_000, Number((10_000 / 329_000).toFixed(6)), 3])
  })

  it('is no whole score where a move is too large to compute with: it was not followed', async () => {
    const { complete, counterparty_risk: { score } } = await report('5')
    assert.deepEqual([complete, score], [false, null])
  })

  it('counts nobody among those it dealt with itself, though what it paid to itself is of its volume', async () => {
    const { breakdown: { volume }, counterparty_risk: { exposures } } = await report('a')
    assert.deepEqual(exposures.map((one: any) => [one.classification, one.counterparties, one.usd_in, one.usd_out]), [['unknown', 2, 1_000, 2_000]])
    assert.equal(volume.score, 0)
  })
})
