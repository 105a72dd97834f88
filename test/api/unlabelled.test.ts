/** Where no register of labels was ever loaded, that nothing is said of an address is no answer: nobody was asked. Nor does what moved in tokens weigh anything where no list of tokens was. */
import assert from 'node:assert/strict'
import { bundled } from '../../api/unlabelled.js'
import { tokenLists } from '../../api/unlisted.js'
import { registers } from '../../stages/enrich/registers/loadRegisters.js'
import { account, listTokens, seedBlocks, seedLabel, seedMoves } from './support/handmade.js'
import { putLists } from './support/sanctions.js'
import { seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const gap = { is_successful_empty: false, empty_reason: 'data_gap' }
const nothing = { is_successful_empty: true, empty_reason: 'no_signal' }
const warning = 'Of ETH no register of labels is loaded (hydrophone, metamask-contract-metadata, ethereum-lists, graphsense-tagpacks): who addresses are is not known'

describe('answers without labels', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 20)
    await seedHead(service.store, 20)
    await listTokens(service.store, 'f')
    await seedMoves(service.store, [{ from: '4', to: '5', block: 10, amount: 5_000, usd: 5_000 }])
    await service.store.execute("ALTER TABLE blocks UPDATE block_time = now64(3) - INTERVAL (20 - block_number) * 12 SECOND WHERE true SETTINGS mutations_sync = 2")
    await putLists(service.store, { OFAC_SDN: [], UK_HMT: [], IL_NBCTF: [], JP_MOF: [] })
  })
  after(() => service.stop())
  const of = async (path: string): Promise<[empty: unknown, told: boolean]> => {
    const { status, body } = await service.call(`GET /v1/${path}`)
    assert.equal(status, 200, path)
    return [body._meta?.empty, (body.coverage_status.warnings as string[]).includes(warning)]
  }
  const all = async (): Promise<unknown[]> => {
    await new Promise((resolve) => { setTimeout(resolve, 1_100) })
    return Promise.all([`labels/ETH/${account('4')}`, `forensic/mixers/${account('4')}`, 'dashboard/exchange-flows?chain=ETH'].map(of))
  }
  const risk = async (): Promise<unknown[]> => {
    const { risk_score: score, risk_level: level, breakdown: { mixer, volume }, coverage_status: { warnings }, _meta: { empty } } = (await service.call(`GET /v1/wallets/compliance/${account('4')}`)).body
    return [score, level, mixer.score, volume.score, warnings.includes(warning), empty]
  }

  it('are a gap that says which registers are missing, and a risk is unknown, not low', async () => {
    assert.deepEqual(await all(), [[gap, true], [gap, true], [gap, true]])
    assert.deepEqual(await risk(), [null, null, null, null, true, gap])
  })

  it('are a gap also where sanctions lists are loaded: they name few, and come by themselves', async () => {
    await service.store.insert('labels', [{ chain: 'ETH', address: account('d'), label: 'Listed', entity: '', category: 'sanctioned', source: 'OFAC_SDN', rule: '', confidence: 60, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    assert.deepEqual(await all(), [[gap, true], [gap, true], [gap, true]])
    assert.deepEqual(await risk(), [null, null, null, null, true, gap])
  })

  it('are answers once something is said of any address', async () => {
    await seedLabel(service.store, 'e', 'tornado', 'mixer')
    const [labels, mixers, flows] = await all()
    assert.deepEqual([labels, mixers, flows], [[nothing, false], [{ is_successful_empty: true, empty_reason: 'no_mixer_match' }, false], [nothing, false]])
    assert.deepEqual(await risk(), [0, 'low', 0, 0, false, undefined])
  })

  it('name the registers that come with the service', () => {
    assert.deepEqual([...bundled.ETH].sort(), registers.map(({ name }) => name).sort())
    assert.ok(registers.some(({ name }) => name === bundled.BTC[0]))
  })
})

describe('answers with labels and without a list of tokens', function () {
  this.timeout(90_000)
  let service: Service
  const told = 'Of ETH no list of tokens is loaded (hydrophone, metamask-contract-metadata, ethereum-lists): no token is known to be listed, and what moved in one weighs nothing'
  const ask = async (chain: string, least: number): Promise<[path: string, told: boolean, empty: string | null][]> => Promise.all([
    `wallets/compliance/${account('4')}?chain=${chain}`, `forensic/mixers/${account('4')}?chain=${chain}`, `wallets/trail/${account('4')}?direction=destination&chain=${chain}`, `wallets/trail/${account('4')}/graph?chain=${chain}`,
    `wallets/risky/ETH?min_risk=${least}`, `wallets/risky/ALL?min_risk=${least}`, `feed/emerging-tokens?limit=${least}`,
  ].map(async (path) => {
    const { status, body, headers } = await service.call(`GET /v1/${path}`)
    assert.equal(status, 200, path)
    const { warnings } = body.coverage_status ?? JSON.parse(headers.get('x-coverage-status') ?? '')
    return [path.split(/[/?]/).slice(0, 2).join(' '), (warnings as string[]).includes(told), body._meta?.empty?.empty_reason ?? headers.get('x-empty-reason')]
  }))
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 20)
    await seedHead(service.store, 20)
    await seedLabel(service.store, 'e', 'tornado', 'mixer')
    // All that it dealt with the mixer is in a token.
    await seedMoves(service.store, [{ from: '4', to: 'e', block: 10, amount: 5_000, usd: 5_000 }])
    await service.store.execute("INSERT INTO tokens SELECT 'ETH', toFixedString(unhex(repeat('f', 40)), 20), 'f', 'f', 18, false, 'node', 1")
    await service.store.execute('SYSTEM RELOAD DICTIONARY token_of')
    await service.store.execute("ALTER TABLE blocks UPDATE block_time = now64(3) - INTERVAL (20 - block_number) * 12 SECOND WHERE true SETTINGS mutations_sync = 2")
    await putLists(service.store, { OFAC_SDN: [], UK_HMT: [], IL_NBCTF: [], JP_MOF: [] })
  })
  after(() => service.stop())

  it('say that what moved in tokens weighs nothing, and a search that finds nothing is a gap', async () => {
    assert.deepEqual(await ask('ETH', 99), [
      ['wallets compliance', true, 'data_gap'], ['forensic mixers', true, 'data_gap'], ['wallets trail', true, null], ['wallets trail', true, 'no_signal'], ['wallets risky', true, 'data_gap'], ['wallets risky', true, 'data_gap'], ['feed emerging-tokens', true, 'data_gap'],
    ])
  })

  it('do not score a risk low by the coin where tokens moved', async () => {
    const { risk_score: score, breakdown: { mixer } } = (await service.call(`GET /v1/wallets/compliance/${account('4')}`)).body
    assert.deepEqual([score, mixer.score], [null, null])
    assert.match(mixer.reason, /: no list of tokens is loaded, so what moved in tokens is unknown$/)
    assert.deepEqual((await service.call(`GET /v1/wallets/compliance/${account('5')}`)).body.breakdown.mixer.score, 0, 'it moved none')
    const none = (await service.call(`GET /v1/forensic/mixers/${account('5')}`)).body
    assert.deepEqual([none.coverage_status.warnings.includes(told), none._meta.empty.empty_reason], [false, 'no_mixer_match'])
    assert.ok((await service.call('GET /v1/dashboard/exchange-flows')).body.coverage_status.warnings.includes(told))
  })

  it('do not once there is one; what it names counts', async () => {
    await listTokens(service.store, 'f')
    assert.deepEqual(await ask('ethereum', 98), [
      ['wallets compliance', false, null], ['forensic mixers', false, null], ['wallets trail', false, null], ['wallets trail', false, 'no_signal'], ['wallets risky', false, 'no_signal'], ['wallets risky', false, 'no_signal'], // Of its six hours four minutes are there.
      ['feed emerging-tokens', false, 'data_gap'],
    ])
  })

  it('name the registers that come with the service', () => {
    // Packs of labels name no tokens.
    assert.deepEqual([...tokenLists].sort(), registers.map(({ name }) => name).filter((name) => name !== 'graphsense-tagpacks').sort())
  })
})
