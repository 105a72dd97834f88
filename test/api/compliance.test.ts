import assert from 'node:assert/strict'
import { putLists } from './support/sanctions.js'
import { startService, type Service } from './support/service.js'

const of = (digit: string): string => digit.repeat(40)
const [me, mixer, friend] = [of('a'), of('b'), of('c')] as [string, string, string]

describe('the compliance report', () => {
  let service: Service
  const report = async (query = '') => (await service.call(`GET /v1/wallets/compliance/0x${me.toUpperCase()}${query}`)).body
  before(async function () {
    this.timeout(90_000)
    service = await startService()
    const label = (address: string, text: string, category: string, confidence: number) => ({
      chain: 'ETH', address: `0x${address}`, label: text, entity: text, category, source: 'test', rule: '', confidence, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1,
    })
    await service.store.insert('labels', [label(mixer, 'Some Mixer', 'mixer', 90), label(me, 'Somebody', 'fund', 20), label(me, 'A Fund', 'fund', 60)])
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    for (const [other, direction, block, usd] of [[mixer, 'in', 1, 100], [mixer, 'out', 2, 50], [friend, 'out', 3, 25], [friend, 'out', 4, null]] as const) {
      await service.store.execute(
        `INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation) SELECT 'ETH', unhex({me:String}), {block:UInt64}, 'native', 0, 0, {direction:String}, now64(3), unhex(repeat('0d', 32)), unhex(repeat('00', 20)), unhex({other:String}), 5, 0, {usd:Nullable(Float64)}, 0`,
        { me, other, direction, block, usd })
    }
  })
  after(() => service.stop())

  it('says what is known, and of what is not that it is unknown', async () => {
    const body = await report()
    assert.deepEqual([body.address, body.risk_score, body.risk_level, body.intents, body.risk_at_least, body._meta.empty], [`0x${me}`, null, null, null, 54, undefined])
    const other = (await service.call(`GET /v1/wallets/compliance/0x${of('9')}`)).body
    assert.deepEqual([other.risk_score, other.risk_at_least, other._meta.empty], [null, 0, { is_successful_empty: false, empty_reason: 'data_gap' }], 'nothing at all is known')
    assert.deepEqual(body.breakdown, {
      sanctions: { score: null, reason: 'No sanctions register is loaded' }, mixer: { score: null, reason: 'Its trail was not looked into: nothing is indexed, it is no address of this chain, or it is too busy' }, 
      behavior: { score: 0, reason: 'exposure_score/3: said to be fund with confidence 60, which has no weight' },
      // 100 · 0.7 · (100 + 50) / (100 + 50 + 25) · 0.9
      volume: { score: 54, reason: 'exposure_score/3: direct volume with 1 weighed categories, of the priced volume in the coin and listed tokens' },
    })
    assert.deepEqual([body.label.label, body.label.confidence, body.sanctions.sanctions_status], ['A Fund', 60, 'UNKNOWN'])
    assert.deepEqual(body.counterparty_risk, { score: null, reason: 'Its trail was not looked into: nothing is indexed, it is no address of this chain, or it is too busy', exposures: [
      { classification: 'mixer', counterparties: 1, transfers_in: 1, transfers_out: 1, usd_in: 100, usd_out: 50, unpriced: 0, usd_weighed: 150, unpriced_weighed: 0, confidence: 90 }, { classification: 'unknown', counterparties: 1, transfers_in: 0, transfers_out: 2, usd_in: 0, usd_out: 25, unpriced: 1, usd_weighed: 25, unpriced_weighed: 1, confidence: null },
    ] })
    const bitcoin = (await service.call('GET /v1/wallets/compliance/1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa?chain=BTC')).body
    assert.deepEqual([bitcoin.chain, bitcoin.address, bitcoin.counterparty_risk.exposures], ['BTC', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', null])
  })

  it('a name that says nothing of what it is has no score, rather than 0', async () => {
    const address = `0x${of('d')}`
    await service.store.insert('labels', [{ chain: 'ETH', address, label: 'Somebody', entity: '', category: 'unknown', source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
    const { label, breakdown } = (await service.call(`GET /v1/wallets/compliance/${address}`)).body
    assert.deepEqual([label.classification, breakdown.behavior], ['unknown', { score: null, reason: 'It has a name, and nobody says what it is' }])
  })

  it('a risk that is known is a finding, though its whole score is not', async () => {
    const address = `0x${of('e')}`
    await service.store.insert('labels', [{ chain: 'ETH', address, label: 'Listed by its issuer', entity: '', category: 'blacklisted', source: 'test', rule: '', confidence: 100, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
    const { risk_score: score, risk_at_least: known, _meta: meta } = (await service.call(`GET /v1/wallets/compliance/${address}`)).body
    assert.deepEqual([score, known, meta.empty], [null, 90, undefined])
  })

  it('a listing outweighs everything, on any chain', async () => {
    await putLists(service.store, { OFAC_SDN: [{ address: `0x${me}` }] })
    const body = await report('?chain=ARB')
    assert.deepEqual([body.risk_score, body.risk_level, body.breakdown.sanctions, body.sanctions.match_count, body._meta.empty], [100, 'severe', { score: 100, reason: 'Listed' }, 1, undefined])
  })

  it('an address whose letter case is not that of its checksum is not cleared', async () => {
    await putLists(service.store, { OFAC_SDN: [], UK_HMT: [], IL_NBCTF: [], JP_MOF: [] })
    const of = async (address: string) => (await service.call(`GET /v1/wallets/compliance/${address}`)).body.breakdown.sanctions
    assert.deepEqual((await of('0x098B716B8Aaf21512996dC57EB0615e2383E2f96')).score, 0)
    const mistyped = await of('0x098b716B8Aaf21512996dC57EB0615e2383E2f96')
    assert.deepEqual([mistyped.score, /EIP-55/.test(mistyped.reason)], [null, true])
  })
})
