/** Wallets and entities of recorded mainnet blocks, against the movements themselves. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { deriveLabels } from '../../stages/index/classes/deriveLabels.js'
import { fillRecorded } from './support/recorded.js'
import { startService, type Service } from './support/service.js'

const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const binance = '0x28c6c06298d514db089934071355e5743bf21d60'

describe('wallets and entities, on recorded blocks', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/${path}`)).body
  before(async () => {
    service = await startService()
    await fillRecorded(service.store, [12914944, 17034869, 22431083, 22431084])
  })
  after(() => service.stop())

  it('ranks by what was moved in the last day of the index', async () => {
    const top = await get('wallets/top/ETH?limit=3')
    const [first] = top
    assert.deepEqual([first.address, first.transfers_in, first.transfers_out, first.from, first.to], ['0x817648d73fd85c802cfde8a29eba9f68b783ca60', 2, 2, '2025-05-06T10:05:11.001Z', '2025-05-07T10:05:11.000Z'])
    const [moved] = await service.store.query(`WITH toFixedString(unhex({address:String}), 20) AS a SELECT sum(value_usd * ((from_address = a) + (to_address = a))) AS usd FROM transfers
      WHERE block_number >= 22431083 AND kind NOT IN ('wrap', 'unwrap')`, { address: first.address.slice(2) }, z.object({ usd: z.number() }))
    assert.ok(Math.abs((moved?.usd ?? 0) - first.volume_usd) < 0.01)
    assert.deepEqual(await get('wallets?limit=3'), top)
    assert.deepEqual(await get('wallets/top/MATIC'), [])
  })

  it('finds labelled addresses by class and by text', async () => {
    const found = await get('wallets?classification=exchange&label=BINA&limit=100')
    assert.equal(found.length, 11)
    assert.ok(found.every((one: any) => one.classification === 'exchange' && `${one.label}${one.entity}`.toLowerCase().includes('bina')))
    const one = found.find(({ address }: any) => address === binance)
    assert.deepEqual([one.transfers_out, one.usd_out, one.first_seen, one.from], [16, 308952.757764, '2021-07-28T14:28:24.000Z', null])
    assert.deepEqual(found.map((wallet: any) => wallet.volume_usd), found.map((wallet: any) => wallet.volume_usd).sort((a: number, b: number) => b - a))
    assert.deepEqual(await get('wallets?label=nobody-is-called-that'), [])
  })

  it('a class of more addresses than a page is told whole: what moved most first, what never moved last', async () => {
    const all = await service.store.query(`SELECT d.address AS address, toFloat64(w.usd_in + w.usd_out) AS usd, w.transfers_in + w.transfers_out > 0 AS moved
      FROM dictionary(label_of) AS d LEFT JOIN wallets AS w ON w.chain = d.chain AND concat('0x', lower(hex(w.address))) = d.address
      WHERE d.chain = 'ETH' AND d.category = 'token' ORDER BY moved DESC, usd DESC, address`, {}, z.object({ address: z.string(), usd: z.number(), moved: z.coerce.boolean() }))
    assert.ok(all.length > 2_000 && all.filter(({ moved }) => moved).length > 2)
    const told: any[] = []
    for (let cursor = ''; ;) {
      const { body, headers } = await service.call(`GET /v1/wallets?classification=token&limit=100${cursor}`)
      told.push(...body)
      if (headers.get('x-has-more') !== 'true') break
      cursor = `&cursor=${headers.get('x-next-cursor')}`
    }
    assert.deepEqual(told.map(({ address, volume_usd: usd, first_seen: seen }) => [address, usd, seen !== null]), all.map(({ address, usd, moved }) => [address, usd, moved]))
  })

  it('knows one address: sums, tokens, counterparties, labels with their source', async () => {
    const wallet = await get(`wallets/${binance.toUpperCase().replace('0X', '0x')}`)
    assert.deepEqual([wallet.address, wallet.profile.first_block, wallet.profile.transfers_in, wallet.profile.transfers_out], [binance, 12914944, 0, 16])
    const [balance] = wallet.balances.filter(({ token }: any) => token === usdc)
    assert.deepEqual([balance.net_amount, balance.complete, balance.value_usd], ['-690339933', false, -690.339933])
    assert.deepEqual(wallet.labels.map(({ source, classification }: any) => [source, classification]), Array.from({ length: 4 }, () => ['graphsense-tagpacks', 'exchange']))
    assert.equal(wallet.counterparties.length, 10)
    assert.ok(wallet.counterparties[0].usd_out >= wallet.counterparties[1].usd_out)
    const never = await get(`wallets/0x${'12'.repeat(20)}`)
    assert.deepEqual([never.profile, never._meta.empty.empty_reason], [null, 'stale_pipeline'])
    assert.equal((await get(`wallets/${binance}?chain=BTC`))._meta.empty.empty_reason, 'unsupported_input')
    assert.equal((await get('wallets/122pN8zvqTxJaA8fRY1PDBu4QYodqE5m2X?chain=ETH'))._meta.empty.empty_reason, 'unsupported_input')
    const pool = await get('wallets/122pN8zvqTxJaA8fRY1PDBu4QYodqE5m2X')
    assert.deepEqual([pool.chain, pool.profile, pool.balances, pool._meta.empty.empty_reason, pool.labels[0].entity], ['BTC', null, null, 'data_gap', 'binance'])
    const everywhere = await get(`wallets/${binance}/all-chains`)
    assert.deepEqual([everywhere.seen_on, everywhere.profiles.map(({ chain, empty }: any) => [chain, empty?.empty_reason ?? null])], [['ETH'], [['ETH', null], ['BTC', 'unsupported_input'], ['HL', 'unsupported_input'], ['MATIC', 'data_gap']]])
  })

  it('shows flows between classes', async () => {
    const flows = await get('wallets/flow-explorer?to_class=exchange')
    assert.deepEqual(flows, [{
      chain: 'ETH', from_class: 'unknown', to_class: 'exchange', token: usdc, token_symbol: 'USDC', token_decimals: 6, transfers: 1, amount: '700000000', value_usd: 700, unpriced: 0, listed: true,
      from: '2025-05-06T10:00:00.000Z', to: '2025-05-07T10:05:11.000Z',
    }])
    assert.ok((await get('wallets/flow-explorer?from_class=dex')).every((flow: any) => flow.from_class === 'dex'))
    for (const [path, told] of [['wallets/flow-explorer?from_class=exchnage', /no such class; there are .*exchange/], ['wallets/flow-explorer?to_class=fresh', /no such class/], ['wallets?classification=nobody', /no such class; there are .*whale/], ['wallets?classification=unknown', /Addresses of no known class cannot be listed/]] as const) {
      const refused = await service.call(`GET /v1/${path}`)
      assert.equal(refused.status, 422)
      assert.match(refused.text, told)
    }
    assert.deepEqual(await get('wallets/flow-explorer?from_class=DEX'), await get('wallets/flow-explorer?from_class=dex'))
    const smart = await get('wallets/smart-money-flow')
    assert.deepEqual([smart.flows, smart.wallets, smart._meta.empty], [[], 0, { is_successful_empty: false, empty_reason: 'data_gap' }])
    await service.store.insert('labels', [{ chain: 'ETH', address: '0x817648d73fd85c802cfde8a29eba9f68b783ca60', label: 'A fund', entity: '', category: 'fund', source: 'test', rule: '', confidence: 99, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await service.store.execute(`INSERT INTO class_segments SELECT 'ETH', toDateTime('2025-05-07 10:00:00', 'UTC'), 1, pair.1, pair.2, toFixedString(unhex({usdc:String}), 20), 1, pair.3, 0, pair.3 / 1e6, 1, 9
      FROM (SELECT arrayJoin([('unknown', 'fund', 9000000), ('fund', 'dex', 4000000), ('fund', 'whale', 7000000), ('whale', 'unknown', 1000000)]) AS pair)`, { usdc: usdc.slice(2) })
    assert.deepEqual((await get('wallets/smart-money-flow?window=2h')).flows.map((flow: any) => [flow.class, flow.token_symbol, flow.amount_in, flow.amount_out, flow.usd_net]),
      [['fund', 'USDC', '9000000', '4000000', 5], ['whale', 'USDC', '0', '1000000', -1]])
    const one = await get('wallets/smart-money-flow?window=2h&limit=1')
    const two = await get(`wallets/smart-money-flow?window=2h&limit=1&cursor=${one.next_cursor}`)
    assert.deepEqual([one, two].map(({ flows, has_more }) => [flows.map((flow: any) => flow.class), has_more]), [[['fund'], true], [['whale'], false]])
    for (const wrong of [`window=2h&cursor=${one.next_cursor}A`, `window=3h&cursor=${one.next_cursor}`, 'cursor=x']) assert.equal((await service.call(`GET /v1/wallets/smart-money-flow?${wrong}`)).body.detail.error, 'INVALID_CURSOR')
    assert.deepEqual([(await get('wallets/smart-money-flow?window=1d')).wallets, (await service.call('GET /v1/wallets/smart-money-flow?window=0h')).status], [1, 422])
    // Of one token nothing has a price, of the other a part of what came.
    await service.store.execute(`INSERT INTO class_segments SELECT 'ETH', toDateTime('2025-05-07 10:00:00', 'UTC'), 1, pair.1, pair.2, toFixedString(unhex(repeat(pair.3, 20)), 20), 3, 5, 0, pair.4, pair.5, 9
      FROM (SELECT arrayJoin([('unknown', 'fund', '71', 0, 0), ('unknown', 'fund', '72', 8, 1), ('fund', 'unknown', '72', 0, 0)]) AS pair)`)
    assert.deepEqual((await get('wallets/smart-money-flow?window=2h&limit=99')).flows.filter(({ token }: any) => /^0x7[12]/.test(token)).map((flow: any) => [flow.token.slice(0, 4), flow.usd_in, flow.usd_out, flow.usd_net, flow.unpriced]),
      [['0x72', 8, null, null, 5], ['0x71', null, 0, null, 3]])
  })

  it('lists entities and one of them', async () => {
    const { entities, total, count } = (await service.call('GET /v1/entity/list', { key: null })).body
    assert.deepEqual([total, count], [356, 356])
    assert.deepEqual([entities[0].name, entities[0].addresses], ['synthetix', 311])
    assert.equal(entities.find(({ name }: any) => name === 'cryptocom').usd_in, 700)
    const { entity } = (await service.call('GET /v1/entity/CRYPTOCOM', { key: null })).body
    assert.deepEqual([entity.name, entity.classifications, entity.usd_in, entity.usd_net, entity.flows[0].amount_in], ['cryptocom', ['exchange'], 700, 700, '700000000'])
    // What its addresses got less what they gave, moves among them left out; no balance while blocks are missing.
    const sums = await service.store.query(`WITH (SELECT groupUniqArray(address) FROM labels FINAL WHERE chain = 'ETH' AND entity = 'binance' AND NOT removed) AS mine,
        has(mine, concat('0x', lower(hex(to_address)))) AS gets, has(mine, concat('0x', lower(hex(from_address)))) AS gives
      SELECT concat('0x', lower(hex(token))) AS token, toString(sum(toInt256(amount) * (toInt8(gets) - toInt8(gives)))) AS net, toFloat64(sum(gets + gives)) AS moves FROM movements WHERE gets OR gives GROUP BY token ORDER BY token`, {}, z.object({ token: z.string(), net: z.string(), moves: z.number() }))
    const { entity: exchange } = (await service.call('GET /v1/entity/binance', { key: null })).body
    assert.ok(sums.length > 3)
    assert.deepEqual(exchange.balances.map(({ token, net_amount: net, transfers }: any) => ({ token, net, moves: transfers })).sort((a: any, b: any) => (a.token < b.token ? -1 : 1)), sums)
    assert.ok(exchange.balances.every((balance: any) => !balance.complete && balance.incomplete_because === 'history_not_whole'))
    const { entity: whole, has_more: more } = (await service.call('GET /v1/entity/synthetix', { key: null })).body
    assert.deepEqual([whole.address_count, whole.addresses.length, more], [311, 200, true])
    for (const limit of [7, 199]) {
      const told: any[] = []
      for (let cursor = ''; ;) {
        const page = (await service.call(`GET /v1/entity/Synthetix?limit=${limit}${cursor}`, { key: null })).body
        told.push(...page.entity.addresses)
        assert.deepEqual([page.entity.address_count, page.entity.classifications], [311, whole.classifications])
        if (!page.has_more) break
        cursor = `&cursor=${page.next_cursor}`
        if (told.length === limit) for (const [path, wrong] of [['binance', page.next_cursor], ['synthetix', `${page.next_cursor}A`]]) assert.equal((await service.call(`GET /v1/entity/${path}?cursor=${wrong}`)).body.detail.error, 'INVALID_CURSOR')
      }
      assert.deepEqual([told.length, new Set(told.map(({ chain, address }) => `${chain} ${address}`)).size, told.slice(0, 200)], [311, 311, whole.addresses])
    }
    const nobody = (await service.call('GET /v1/entity/nobody')).body
    assert.deepEqual([nobody.entity, nobody._meta.empty], [null, { is_successful_empty: true, empty_reason: 'no_signal' }])
  })

  it('the compliance report counts what an address sent as the dashboard says what it was for', async () => {
    const told: any[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: any = await get(`dashboard/intents?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`)
      told.push(...page.intents)
      cursor = page.next_cursor
    }
    const sent = new Map<string, any[]>()
    for (const one of told) if (['transfer', 'swap', 'wrap'].includes(one.intent) && one.value_usd > 0 && one.status === 'success') sent.set(one.from_address, [...sent.get(one.from_address) ?? [], one])
    const [busiest, theirs = []] = [...sent].sort((a, b) => b[1].length - a[1].length)[0] ?? ['', []]
    assert.ok(theirs.length > 1)
    const { intents } = await get(`wallets/compliance/${busiest}`)
    for (const { intent } of theirs) {
      const these = theirs.filter((one) => one.intent === intent)
      const counted = intents.find((one: any) => one.intent === intent)
      assert.ok(counted.transactions >= these.length && counted.transactions <= told.filter((one) => one.from_address === busiest && one.intent === intent).length)
      assert.ok(counted.value_usd >= these.reduce((sum, { value_usd: usd }) => sum + usd, 0) * 0.999999)
    }
    assert.deepEqual((await get(`wallets/compliance/0x${'17'.repeat(20)}`)).intents, [])
  })

  it('classes that rules found stand where no register knows one: in lists, for counterparties and along a trail', async () => {
    const before = (await get('wallets/top/ETH?limit=100')).map(({ address, label, classification }: any) => [address, label, classification])
    await deriveLabels(service.store, 'ETH', { always: true })
    const derived = await service.store.query("SELECT address, groupArray(toString(category)) AS classes FROM derived_labels WHERE chain = 'ETH' AND NOT cut GROUP BY address", {}, z.object({ address: z.string(), classes: z.array(z.string()) }))
    const rules = new Map(derived.map(({ address, classes }) => [address, classes]))
    // Another page size: answers are kept for a while.
    const top = await get('wallets/top/ETH?limit=99')
    const learnt = top.filter((wallet: any, index: number) => { const [address, label, classification] = before[index]; assert.equal(wallet.address, address); if (classification !== 'unknown') assert.deepEqual([wallet.label, wallet.classification], [label, classification]); return classification === 'unknown' && wallet.classification !== 'unknown' })
    assert.ok(learnt.length > 10 && learnt.some(({ classification }: any) => classification === 'dex') && learnt.some(({ classification }: any) => classification === 'contract'))
    const fits = ({ address, classification, label }: any): void => {
      const classes = rules.get(address)
      if (classes === undefined) return
      assert.ok(label !== '' && classification !== 'unknown', address)
      // A pool is a contract, too: what kind of contract says more.
      if (classification === 'contract') assert.ok(classes.every((one) => ['contract', 'whale', 'fresh'].includes(one)), address)
    }
    top.forEach(fits)
    // Who got most from a pool that no register knows, and is no contract itself.
    const [trader] = await service.store.query(`WITH (SELECT groupArray(address) FROM derived_labels WHERE chain = 'ETH' AND NOT cut) AS found, (SELECT groupArray(address) FROM derived_labels WHERE chain = 'ETH' AND NOT cut AND category = 'dex') AS pools
      SELECT concat('0x', lower(hex(to_address))) AS address, concat('0x', lower(hex(from_address))) AS pool FROM transfers
      WHERE has(pools, pool) AND dictGet('label_of', 'category', ('ETH', pool)) = 'unknown' AND NOT has(found, address) ORDER BY ifNull(value_usd, 0) DESC LIMIT 1`, {}, z.object({ address: z.string(), pool: z.string() }))
    const { counterparties } = await get(`wallets/${trader?.address}`)
    counterparties.forEach(fits)
    assert.equal(counterparties.find(({ address }: any) => address === trader?.pool)?.classification, 'dex')
    const { trail } = await get(`wallets/trail/${trader?.address}?hops=1`)
    assert.equal(trail.find(({ from_address: from }: any) => from === trader?.pool)?.classification, 'dex')
  })
})
