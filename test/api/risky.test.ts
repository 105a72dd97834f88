/** Risky wallets: labelled ones that moved value and those that dealt with them directly, scored by hand with the open rule. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { highestRank } from '../../api/pages.js'
import { putLists } from './support/sanctions.js'
import { account, listTokens, seedBlocks, seedLabel, seedMoves } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

const wallets = new URL('../../api/operations/wallets/x', import.meta.url).href
const toReaders = loadSql(new URL('../../stages/index/classes/x', import.meta.url).href, 'rule_labels.sql')

describe('risky wallets', function () {
  this.timeout(90_000)
  let service: Service
  const list = async (query = '', chain = 'ETH') => service.call(`GET /v1/wallets/risky/${chain}?${query}`)
  const scores = (rows: any): unknown => rows.map((one: any) => [one.address[2], one.risk_score, one.risk_level, one.classification, one.volume_usd])
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 99)
    await listTokens(service.store, 'f')
    for (const [digit, category, confidence] of [['e', 'mixer', 90], ['d', 'scam', 20], ['a', 'hack', 60], ['b', 'exchange', 90], ['c', 'ransomware', 90]] as const) await seedLabel(service.store, digit, `Some ${category}`, category, confidence)
    const paid = (from: string, to: string, block: number, usd: number | null) => ({ from, to, block, amount: 5, usd })
    await seedMoves(service.store, [
      paid('e', '1', 1, 1_000), paid('1', 'b', 2, 1_500), paid('e', '2', 70, 300), paid('b', '2', 3, 700), paid('d', '2', 4, 1_000), paid('e', '3', 5, null), paid('e', '3', 6, 50), paid('a', '4', 7, 100), paid('e', '0', 8, 9_000), paid('b', '9', 9, 10),
    ])
    await service.store.execute(`INSERT INTO address_segments SELECT chain, address, toStartOfHour(block_time) AS hour, intDiv(block_number, 64) AS segment, countIf(direction = 'in'), sumIf(usd, direction = 'in'), countIf(direction = 'out'), sumIf(usd, direction = 'out'),
      min(block_number), max(block_number), min(block_time), max(block_time), 1 FROM (SELECT *, toDecimal256(ifNull(value_usd, 0), 6) AS usd FROM address_transfers) GROUP BY chain, address, hour, segment`)
  })
  after(() => service.stop())

  it('are scored by what they are, and by whom they dealt with and how much', async () => {
    const { body } = await list('min_risk=1')
    assert.deepEqual(scores(body), [
      // 95 of a hack that is sure; 95 · 100/100 · 60 of 100 for whom it paid; 70 · 90 of 100 for whom a mixer alone paid.
      ['a', 95, 'severe', 'hack', 100], ['e', 70, 'high', 'mixer', 10_350], ['3', 63, 'high', 'unknown', 50], ['4', 57, 'medium', 'unknown', 100],
      // 100 · 0.7 · 0.4 · 0.9; 100 · (1 − (1 − 0.7 · 0.15 · 0.9) · (1 − 0.8 · 0.5 · 0.2)); a hint of 20 is worth a fifth of 80.
      ['1', 25, 'low', 'unknown', 2_500], ['2', 17, 'low', 'unknown', 2_000], ['d', 16, 'low', 'scam', 1_000],
    ], 'nobody owns the zero address, and who is labelled but never moved value is not here')
    assert.deepEqual(body.find((one: any) => one.address === account('2')).reasons, ['exposure_score/3: 1 transfers with scam directly, 50.0% of its priced volume in the coin and listed tokens', 'exposure_score/3: 1 transfers with mixer directly, 15.0% of its priced volume in the coin and listed tokens'])
    assert.deepEqual(body.find((one: any) => one.address === account('3')).reasons, ['exposure_score/3: 2 transfers with mixer directly, 100.0% of its priced volume in the coin and listed tokens; 1 without a price do not count'])
    assert.deepEqual([body[0].sanctioned, body[0].reasons[0], body[0].scored_at], [null, 'exposure_score/3: said to be hack with confidence 60', '2023-11-14T22:33:08.000Z'])
  })

  it('say that they may not be all where not everything was looked through, also where none is risky enough', async () => {
    const warned = async (query: string): Promise<unknown> => JSON.parse((await list(query)).headers.get('x-coverage-status') ?? '').warnings.filter((one: string) => /not all was looked through/.test(one)).length
    assert.deepEqual([await warned('min_risk=3'), await warned('min_risk=99')], [0, 0])
    await service.store.execute("INSERT INTO address_transfers SELECT a.* REPLACE (toFixedString(unhex(leftPad(hex(1000000 + k.number), 40, '0')), 20) AS other, toUInt32(1000 + k.number) AS position, 1e-6 AS value_usd) FROM (SELECT * FROM address_transfers WHERE address = unhex(repeat('e', 40)) AND block_number = 1) AS a CROSS JOIN numbers(5000) AS k")
    assert.deepEqual([await warned('min_risk=4'), await warned('min_risk=98')], [1, 1])
    await service.store.execute("ALTER TABLE address_transfers DELETE WHERE position >= 1000 SETTINGS mutations_sync = 2")
  })

  it('weigh no less in a report: what is known of direct dealings counts, whatever is not', async () => {
    for (const { address, risk_score: score } of (await list('min_risk=1')).body) {
      const { risk_at_least: least, risk_score: whole } = (await service.call(`GET /v1/wallets/compliance/${address}`)).body
      assert.ok(least >= score, `${address}: ${least} < ${score}`)
      assert.equal(whole, null)
    }
    assert.equal((await service.call(`GET /v1/wallets/compliance/${account('3')}`)).body.risk_at_least, 63)
    assert.equal((await service.call(`GET /v1/wallets/compliance/${account('9')}`)).body.risk_at_least, 0)
  })

  it('come in pages, from the least score asked for', async () => {
    const walked: unknown[] = []
    let cursor: string | null = ''
    for (let step = 0; step < 9 && cursor !== null; step += 1) {
      const { body, headers } = await list(`min_risk=30&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      walked.push(...body)
      cursor = headers.get('x-next-cursor')
    }
    assert.deepEqual(walked, (await list('min_risk=30')).body)
    assert.equal(walked.length, 4)
    assert.equal((await list('min_risk=101')).status, 422)
  })

  it('say that a register lists one, and that another is clear, once all are there', async () => {
    await putLists(service.store, { OFAC_SDN: [{ address: account('9') }], UK_HMT: [], IL_NBCTF: [], JP_MOF: [] })
    const { body } = await list('min_risk=57')
    // Ten of the exchange's 2,210 dollars went to it: no exchange is risky for that.
    assert.deepEqual(body.map((one: any) => [one.address[2], one.risk_score, one.sanctioned]), [['9', 100, true], ['a', 95, false], ['e', 70, false], ['3', 63, false], ['4', 57, false]])
    assert.deepEqual([body[0].classification, body[0].reasons], ['sanctioned', ['Listed by a sanctions register']])
  })

  it('are listed under any text of the key that a register names, as screening has it, and so is whom others dealt with', async () => {
    const others = { UK_HMT: [], IL_NBCTF: [], JP_MOF: [] }
    await putLists(service.store, { OFAC_SDN: [{ address: 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf', ticker: 'USDT', more: { also: [account('4')], chain: 'TRON' } }], ...others })
    const { body } = await list('min_risk=58')
    // The hack paid it alone; of 100 in severity nothing is more.
    assert.deepEqual(body.map((one: any) => [one.address[2], one.risk_score, one.sanctioned]), [['4', 100, true], ['a', 100, false], ['e', 70, false], ['3', 63, false]])
    const report = async (digit: string): Promise<any> => (await service.call(`GET /v1/wallets/compliance/${account(digit)}`)).body
    assert.deepEqual([(await report('4')).sanctions.sanctions_status, (await report('a')).risk_at_least], ['MATCH', 100])
    await putLists(service.store, { OFAC_SDN: [{ address: account('9') }], ...others })
  })

  it('by a rule alone weigh as little as the rule is sure, for who dealt with them', async () => {
    const said = (action: string, digit: string, version: number): Promise<unknown> => service.store.execute(`INSERT INTO label_changes (chain, address, source, label, version, action, at, category, rule, rule_version, level, confidence, valid_from)
      VALUES ('ETH', '${account(digit)}', 'rules', 'mixer pool', ${version}, '${action}', now64(3), 'mixer', 'mixer_pool', 1, 'heuristic', 10, now64(3))`)
    await seedMoves(service.store, [{ from: '5', to: '6', block: 20, amount: 5, usd: 100 }, { from: '7', to: '8', block: 21, amount: 5, usd: 100 }])
    await said('added', '5', 1)
    await said('added', '7', 1)
    await said('removed', '7', 2)
    for (const version of [1, 2]) await service.store.execute(toReaders, { chain: 'ETH', version })
    const report = async (digit: string): Promise<any> => (await service.call(`GET /v1/wallets/compliance/${account(digit)}`)).body
    const [paid, other] = [await report('6'), await report('8')]
    // 100 · 0.7 · 0.1 of all that it moved; what was taken back weighs nothing.
    assert.deepEqual([paid.risk_at_least, other.risk_at_least], [7, 0])
    const classes = (rows: any): unknown => rows.map((one: any) => [one.classification, one.confidence])
    assert.deepEqual([classes(paid.exposure), classes(paid.counterparty_risk.exposures), classes(other.counterparty_risk.exposures)], [[['mixer', 10]], [['mixer', 10]], [['unknown', null]]])
  })

  it('what is said officially is relied on in full, whatever its level, and goes before what others are surer of', async () => {
    const said = { chain: 'ETH', address: account('e'), label: 'Its pools', entity: '', category: 'mixer', source: 'official', rule: '', level: 'service_data', confidence: 50, official: true, licence: '', valid_from: '2019-01-01T00:00:00Z', removed: false, version: 1 }
    await service.store.insert('labels', [said])
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    // Another list, so that no answer that was kept is given: 100 · 0.7, and 100 · 0.7 · 0.4.
    const { body } = await list('min_risk=2')
    const of = (digit: string): any => body.find((one: any) => one.address === account(digit))
    assert.deepEqual([of('e').risk_score, of('e').reasons[0], of('3').risk_score, of('1').risk_score], [70, 'exposure_score/3: said to be mixer officially', 70, 28])
    const { label, risk_at_least: least, breakdown } = (await service.call(`GET /v1/wallets/compliance/${account('e')}?chain=ETH`)).body
    assert.deepEqual([label, least, breakdown.behavior], [{ label: 'Its pools', entity: '', classification: 'mixer', source: 'official', confidence: 50, official: true }, 70, { score: 70, reason: 'exposure_score/3: said to be mixer officially' }])
    // One of its transfers has no price, so that no trail says a share.
    assert.equal((await service.call(`GET /v1/wallets/compliance/${account('3')}?chain=ETH`)).body.risk_at_least, 70)
    const { statements } = (await service.call(`GET /v1/labels/ETH/${account('e')}`)).body
    assert.deepEqual(statements.map((one: any) => [one.source, one.official, one.confidence]), [['official', true, 50], ['test', false, 90]])
    // One that is neither is relied on as far as it is sure.
    await service.store.insert('labels', [{ ...said, official: false, version: 2 }])
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    assert.equal((await list('min_risk=3')).body.find((one: any) => one.address === account('3')).risk_score, 63)
  })
})

describe('shares of what is risky', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => { service = await startService(); await seedBlocks(service.store, 0, 9); await listTokens(service.store, 'f') })
  after(() => service.stop())

  it('are the same in whatever order dollars are added up', async () => {
    const { store } = service
    await seedLabel(store, 'e', 'A mixer', 'mixer', 100)
    const parts = [0.1, 0.2, 0.3]
    await seedMoves(store, [...parts.map((usd, block) => ({ from: 'e', to: '1', block, amount: 1, usd })), ...parts.toReversed().map((usd, block) => ({ from: 'e', to: '2', block, amount: 1, usd })), ...['1', '2'].map((to) => ({ from: 'b', to, block: 5, amount: 1, usd: 0.9 }))])
    const asked = { chain: 'ETH', categories: ['mixer'], own_confidence: 50 }
    // So large a weight that the last digit of a share is in the score.
    const score = async (digit: string): Promise<unknown> => store.query(loadSql(wallets, 'getDirectRisk.sql'), { ...asked, address: digit.repeat(40), weights: [1e16] }, z.object({ score: z.number() }))
    assert.deepEqual(await score('1'), await score('2'))
    const rows = await store.query(loadSql(wallets, 'riskyWallets.sql', 'shares'), { ...asked, weights: [0.7], newest: 9, segmentBlocks: 64, least: 1, mostMoves: 1_000, mostParties: 100, mostOfParty: 1_000, mostEach: 100, mostTxs: 100, rank: highestRank, after: '', limit: 10 },
      z.object({ address: z.string(), score: z.number(), exposures: z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.number()])) }))
    assert.deepEqual(rows.filter(({ address }) => address !== account('e')), ['1', '2'].map((digit) => ({ address: account(digit), score: 28, exposures: [['mixer', 0.6 / 1.5, 3, 0, 0]] })))
  })
})

describe('risks that rules tell', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => { service = await startService(); await seedBlocks(service.store, 0, 9) })
  after(() => service.stop())

  it('what a rule says of one that a label knows weighs nothing, nor does a class that says less than another of its rules', async () => {
    const said = (digit: string, label: string, category: string, confidence: number): Promise<unknown> => service.store.execute(`INSERT INTO label_changes (chain, address, source, label, version, action, at, category, rule, rule_version, level, confidence, valid_from)
      VALUES ('ETH', '${account(digit)}', 'rules', '${label}', 1, 'added', now64(3), '${category}', '${label}', 1, 'heuristic', ${confidence}, now64(3))`)
    await listTokens(service.store, 'f')
    await seedMoves(service.store, [{ from: '1', to: '2', block: 2, amount: 5, usd: 100 }, { from: '3', to: '4', block: 3, amount: 5, usd: 100 }])
    await seedLabel(service.store, '1', 'A bridge', 'bridge')
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await said('1', 'mixer pool', 'mixer', 10)
    await said('3', 'mixer pool', 'mixer', 10)
    await said('3', 'a pool', 'dex', 100)
    await service.store.execute(toReaders, { chain: 'ETH', version: 1 })
    for (const [digit, classification] of [['2', 'bridge'], ['4', 'dex']] as const) {
      const { risk_at_least: least, exposure } = (await service.call(`GET /v1/wallets/compliance/${account(digit)}`)).body
      assert.deepEqual([least, exposure.map((one: any) => one.classification)], [0, [classification]])
    }
    const listed = (await service.call('GET /v1/wallets/risky/ETH?min_risk=1')).body.map((one: any) => one.address)
    assert.deepEqual(['1', '2', '3', '4'].filter((digit) => listed.includes(account(digit))), [])
  })
})

describe('risky wallets, page by page', function () {
  this.timeout(90_000)
  it('say on later pages, too, up to when the blocks count', async () => {
    const service = await startService()
    try {
      const { store } = service
      await seedBlocks(store, 0, 9)
      await listTokens(store, 'f')
      for (const digit of ['e', 'd']) await seedLabel(store, digit, 'A mixer', 'mixer', 100)
      await seedMoves(store, [{ from: 'e', to: '1', block: 1, amount: 5, usd: 100 }, { from: 'd', to: '2', block: 2, amount: 5, usd: 100 }])
      const get = async (query: string) => service.call(`GET /v1/wallets/risky/ETH?${query}`)
      const first = await get('min_risk=1&limit=1')
      const at = '2023-11-14T22:15:08.000Z'
      assert.equal(first.body[0].scored_at, at)
      await seedBlocks(store, 10, 20)
      await store.execute("INSERT INTO plans SELECT 'ETH', 10, 'plan', 10, 20, 'x', '', 0, 't', 10, 'w', now64(3)")
      await store.execute("INSERT INTO batches SELECT 'ETH', stage, 10, 20, 'x', 0, 1, 1, 40, 'node', now64(3) FROM (SELECT arrayJoin(['ingest', 'normalize', 'enrich', 'index', 'alert']) AS stage)")
      // What is indexed is looked at anew once a second, and each of these is a question of its own.
      for (let least = 2; (await get(`min_risk=${least}&limit=1`)).body[0].scored_at === at; least += 1) {
        assert.ok(least < 60, 'the blocks are never seen')
        await new Promise((resolve) => { setTimeout(resolve, 100) })
      }
      assert.equal((await get(`min_risk=1&limit=1&cursor=${first.headers.get('x-next-cursor')}`)).body[0].scored_at, at)
    } finally { await service.stop() }
  })
})
