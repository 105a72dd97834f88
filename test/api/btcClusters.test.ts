/** Clusters, CoinJoins and links of Bitcoin in the answers, on ledgers made by hand. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { emptyBecause } from '../../api/empty.js'
import type { Ask } from '../../api/operation.js'
import { emptyUnlessClustered } from '../../api/operations/bitcoin/clusters.js'
import { loadSql } from '../../schemas/sql.js'
import { runClusters } from '../../stages/clusters/runClusters.js'
import { addressOf as address, insertBlocks, idOf, txidOf, type Block, type Tx } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { message, post, session } from '../mcp/support/client.js'
import { startService, type Service } from './support/service.js'

const coinjoins = loadSql(new URL('../../stages/index/bitcoin/x', import.meta.url).href, 'coinjoins.sql')
const people = ['a', 'b', 'c', 'd', 'e', 'x', 'y', 'j1', 'j2', 'j3', 'shop', 'new', 'z', 'fresh'].map(address)
const spend = (...names: string[]): Tx => ({ ins: names.map((name) => ({ address: address(name), value: 10_000_000 })), outs: [{ address: address('shop'), value: 5_000_000 }] })
const join: Tx = { ins: ['j1', 'j2', 'j3'].map((name) => ({ address: address(name), value: 5_000_000 })), outs: [1, 1, 1, 2, 3].map((n, index) => ({ address: `o${index}`, value: n * 1_000_000 })) }
const change: Tx = { ins: [{ address: address('e'), value: 50_000_000 }], outs: [{ address: address('shop'), value: 20_000_000 }, { address: address('new'), value: 29_998_123 }] }
const blocks: Block[] = [
  { number: 1, txs: [spend('a', 'b'), spend('x', 'y'), join] }, { number: 2, txs: [spend('b', 'c'), change] }, { number: 3, txs: [spend('c', 'd')] }, { number: 4, txs: [spend('a', 'x')] },
  { number: 5, txs: [{ ins: [{ address: address('new'), value: 29_998_123, spends: { txid: '', vout: 1, block: 2 } }], outs: [{ address: address('shop'), value: 2_000_000 }, { address: address('e'), value: 27_000_000 }] }] },
]

/** Two outputs, each spent: by a transaction of the same kind, and by one of another. */
const spentBoth: Block[] = [
  { number: 6, txs: [{ ins: [{ address: address('p'), value: 50_000_000 }], outs: [{ address: address('q'), value: 20_000_000 }, { address: address('r'), value: 29_999_000 }], locktime: 5 }] },
  { number: 7, txs: [
    { ins: [{ address: address('q'), value: 20_000_000, spends: { txid: '', vout: 0, block: 6 } }], outs: ['s', 't', 'u'].map((name) => ({ address: address(name), value: 6_000_000 })) },
    { ins: [{ address: address('r'), value: 29_999_000, spends: { txid: '', vout: 1, block: 6 } }], outs: [{ address: address('v'), value: 9_000_000 }, { address: address('w'), value: 20_998_000 }], locktime: 6 },
  ] },
]

/** Chains whose every output another of its kind spends. The first goes on from the second output, the smaller, which is change: it goes back to who pays, and is no round sum; the other from the larger, for want of signs. */
const forked = (): Block[] => {
  const pair = (spends: [block: Block, vout: number] | null, from: string, outs: readonly [string, number][]): Tx => ({
    ins: [{ address: address(from), value: outs.reduce((sum, [, value]) => sum + value, 1_000), ...(spends === null ? {} : { spends: { txid: txidOf(spends[0], 0), vout: spends[1], block: spends[0].number } }) }], outs: outs.map(([name, value]) => ({ address: address(name), value })) })
  const first: Block = { number: 9, txs: [pair(null, 'k', [['shop', 30_000_000], ['k', 9_998_123]])] }
  const aside: Block = { number: 10, txs: [pair([first, 0], 'shop', [['m1', 9_000_000], ['m2', 20_990_000]])] }
  const next: Block = { number: 11, txs: [pair([first, 1], 'k', [['n', 1_000_000], ['k1', 8_990_000]])] }
  const peeled: Block = { number: 12, txs: [pair([next, 0], 'n', [['n1', 900_000], ['n2', 90_000]])] }
  const last: Block = { number: 13, txs: [pair([next, 1], 'k1', [['r1', 2_000_000], ['r2', 6_980_000]])] }
  const plain: Block = { number: 14, txs: [pair(null, 'l', [['l1', 3_000_123], ['l2', 7_000_123]])] }
  const small: Block = { number: 15, txs: [pair([plain, 0], 'l1', [['l3', 2_500_000], ['l4', 400_000]])] }
  return [first, aside, next, peeled, last, plain, small, { number: 16, txs: [pair([plain, 1], 'l2', [['l5', 6_500_000], ['l6', 400_000]])] }]
}

/** Two who raise a fee by what anybody may spend. */
const anchor = { address: 'bc1pfeessrawgf', value: 240, type: 'anchor' }
const bumped: Block = { number: 8, txs: ['z', 'e'].map((name) => ({ ins: [anchor, { address: address(name), value: 50_000_000 }], outs: [{ address: address('shop'), value: 20_000_000 }, { address: address(`fresh${name === 'z' ? '' : name}`), value: 29_998_123 }, { ...anchor, value: 0 }] })) }

/** What looks like ids: one of nobody, one of a party that is known, the hash of a transaction. */
const strange = `=:0x${'ab'.repeat(20)} 0x${idOf(address('a'))} 0x${'cd'.repeat(32)}`
/** Change beside a script that has no address, which is left with it, is left alone, or is ruled out. */
const bare = { address: '', type: 'pubkey' }
const scripts: Block = { number: 17, txs: [
  { ins: [{ address: address('g1'), value: 40_000_000, type: 'pubkeyhash' }, { address: address('g2'), value: 30_000_000, type: 'pubkeyhash' }], outs: [{ address: address('shop'), value: 50_000_000 }, { address: address('h1'), value: 5_000_001 }, { ...bare, value: 14_000_001, script: '!1' }] },
  { ins: [{ address: address('g3'), value: 50_000_000, type: 'pubkeyhash' }], outs: [{ address: address('shop'), value: 20_000_000 }, { ...bare, value: 29_998_123, script: '!2' }] },
  { ins: [{ address: address('g4'), value: 50_000_000, type: 'pubkeyhash' }], outs: [{ ...bare, value: 20_000_000, script: '!2' }, { address: address('h2'), value: 29_998_123 }, { address: '', type: 'nulldata', value: 1_234, script: 'j', data: strange }] },
] }

describe('clusters and CoinJoins of Bitcoin in the answers', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (path: string): Promise<any> => (await service.call(`GET /v1/btc/${path}`)).body
  before(async () => {
    service = await startService()
    const { store } = service, whole = blocks.map((block) => ({ ...block, txs: block.txs.map((tx) => ({ ...tx, ins: tx.ins.map((one) => (one.spends === undefined ? one : { ...one, spends: { ...one.spends, txid: txidOf(blocks[1] as Block, 1) } })) })) }))
    await insertBlocks(store, whole)
    await insertBlocks(store, spentBoth.map((block) => ({ ...block, txs: block.txs.map((tx) => ({ ...tx, ins: tx.ins.map((one) => (one.spends === undefined ? one : { ...one, spends: { ...one.spends, txid: txidOf(spentBoth[0] as Block, 0) } })) })) })))
    await insertBlocks(store, [bumped, ...forked(), scripts])
    await store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction)
      SELECT chain, party_id, block_number, 'utxo', tx_index, vout, 'in' FROM btc_outputs WHERE party_id != toFixedString('', 20)`)
    await store.execute("INSERT INTO btc_parties (id, address, script_type) SELECT toFixedString(substring(SHA256(arrayJoin({people:Array(String)}) AS one), 1, 20), 20), one, 'pubkeyhash'", { people })
    await nameAddress(store, address('a'), 'Alpha', 1)
    await nameAddress(store, address('y'), 'Omega', 1)
    await store.execute(coinjoins, { chain: 'BTC', from: 0, to: 100, generation: 0 })
    while (await runClusters(store, 'BTC', { memory: null }) !== null);
  })
  after(() => service.stop())

  it('a cluster: how large, whose and why, how it came to be, page by page', async () => {
    const answer = await get(`clusters/${address('b')}`)
    assert.deepEqual([answer.size, answer.as_of_height, answer.method.confidence, answer.method.detectors.length, answer.has_more], [4, 17, 'medium', 5, false])
    assert.deepEqual(answer.entity, { name: 'Alpha', labelled_addresses: 1, evidence: [{ address: address('a'), entity: 'Alpha', source: 'register', confidence: 50 }] })
    assert.deepEqual(answer.changes.map(({ kind, block_number, addresses, size }: any) => [kind, block_number, addresses, size]), [['addition', 3, 1, 4], ['addition', 2, 1, 3], ['new', 1, 2, 2]])
    assert.ok(['a', 'b'].map(idOfName).includes(answer.cluster))
    const members = ['a', 'b', 'c', 'd'].sort((one, other) => (idOfName(one) < idOfName(other) ? -1 : 1)).map(address)
    assert.deepEqual(answer.members.map((one: any) => one.address), members)
    const page = await get(`clusters/${address('b')}?limit=3`)
    assert.deepEqual((await get(`clusters/${address('b')}?limit=3&cursor=${page.next_cursor}`)).members.map((one: any) => one.address), members.slice(3))
    assert.equal((await service.call(`GET /v1/btc/clusters/${address('x')}?limit=3&cursor=${page.next_cursor}`)).status, 400)
  })

  it('a merge of two names is held back, told with each of them and to the operator', async () => {
    const sides = [{ name: 'Alpha', size: 4 }, { name: 'Omega', size: 2 }]
    const of = (held: any): unknown => held.sides.map(({ name, size }: any) => ({ name, size })).sort((one: any, other: any) => other.size - one.size)
    const low = (all: readonly { name: string; size: number }[]): unknown => all.map(({ name, size }) => ({ name: name.toLowerCase(), size }))
    for (const name of ['d', 'x']) assert.deepEqual((await get(`clusters/${address(name)}`)).held_back.map(of), [low(sides)])
    assert.equal((await service.call('GET /v1/btc/held-merges')).status, 403)
    const all = (await service.call('GET /v1/btc/held-merges', { key: service.adminKey })).body
    assert.deepEqual([all.count, all.held_back.map(of), all.held_back[0].tx_hash], [1, [low(sides)], txidOf(blocks[3] as Block, 0)])
  })

  it('an address that spent alone, or in a CoinJoin only, is in no cluster; what is no address is said to be none', async () => {
    for (const name of ['e', 'j1']) { const answer = await get(`clusters/${address(name)}`); assert.deepEqual([answer.cluster, answer.size, answer.method.confidence, answer.members], [null, 1, 'none', []]) }
    const none = await get(`clusters/0x${'ab'.repeat(20)}`)
    assert.deepEqual([none.cluster, none.size, none._meta.empty], [null, 0, { is_successful_empty: false, empty_reason: 'unsupported_input' }])
  })

  it('CoinJoins with the anonymity set of each value', async () => {
    const { coinjoins: [found], count } = await get('coinjoins')
    assert.deepEqual([count, found.detector, found.confidence, found.block_number, found.denominations], [1, 'generic', 40, 1, [{ value_sats: '1000000', outputs: 3, anonymity_set: 3 }]])
    assert.equal(found.tx_hash, txidOf(blocks[0] as Block, 2))
    assert.deepEqual((await get('coinjoins?detector=whirlpool')).coinjoins, [])
  })

  it('what looks like change, and the peel chain from there', async () => {
    const answer = await get(`transactions/${txidOf(blocks[1] as Block, 1)}/links`)
    assert.deepEqual(answer.change.map(({ vout, from_address, address: to, signs, score }: any) => [vout, from_address, to, signs.map(({ name, version, confidence }: any) => [name, version, confidence]), score]),
      [[1, address('e'), address('new'), [['client_change', 4, 60], ['legacy', 4, 60], ['power_of_ten', 4, 50]], 0.75]], 'the other output is unspent, so its spender rules nothing out')
    assert.deepEqual(answer.peel_chain.map(({ block_number, peeled_sats, passed_sats, passed_to }: any) => [block_number, peeled_sats, passed_sats, passed_to]), [[5, '2000000', '27000000', address('e')]])
    assert.deepEqual([answer.peel_chain_goes_on, answer.peel_branches], [false, undefined])
  })

  it('a peel chain goes on from what is passed on, else from change, else from the larger output, and says which hops it leaves aside', async () => {
    const all = forked(), name = (of: number): string => txidOf(all[of] as Block, 0)
    const chain = async (of: number) => { const { change: [found], peel_chain: hops, peel_branches: aside } = await get(`transactions/${name(of)}/links`); return [found?.vout, hops.map((hop: any) => hop.tx_hash), aside.map((one: any) => [one.tx_hash, one.vout, one.spent_by])] }
    assert.deepEqual(await chain(0), [1, [name(2), name(4)], [[name(0), 0, name(1)], [name(2), 0, name(3)]]], 'its change')
    assert.deepEqual((await chain(2)).slice(1), [[name(4)], [[name(2), 0, name(3)]]], 'it is a hop')
    assert.deepEqual(await chain(5), [undefined, [name(7)], [[name(5), 0, name(6)]]], 'the larger')
  })

  it('a script without an address that no sign rules out is left like any other, and is told as a sign alone, no change; links of the store are the same', async () => {
    const answers = await Promise.all(scripts.txs.map(async (_, n) => get(`transactions/${txidOf(scripts, n)}/links`)))
    assert.deepEqual(answers.map(({ signs }) => signs.map(({ name, vout }: any) => [name, vout])), [[], ...Array<unknown>(2).fill([['client_change', 1], ['legacy', 1], ['power_of_ten', 1]])])
    assert.deepEqual(answers.map(({ change: found }) => found.map(({ vout, address: to, value_sats: value }: any) => [vout, to, value])), [[], [], [[1, `0x${idOfName('h2')}`, '29998123']]])
    const links = await service.store.query('SELECT tx_index AS index, vout, signs FROM btc_change_links FINAL WHERE block_number = 17', {}, z.object({ index: z.number(), vout: z.number(), signs: z.array(z.string()) }))
    assert.deepEqual(links, [{ index: 2, vout: 1, signs: ['client_change', 'legacy', 'power_of_ten'] }])
  })

  it('what others wrote is answered as they wrote it, over REST and MCP: what looks like an id in it is none of ours', async () => {
    const answer = await get(`transactions/${txidOf(scripts, 2)}/links`)
    assert.deepEqual([answer.op_returns.map(({ text }: any) => text), answer.tx_hash, answer.change[0].from_address], [[strange], txidOf(scripts, 2), `0x${idOfName('g4')}`])
    const tag = { event_id: `0x${'cd'.repeat(32)}`, label: `0x${idOfName('a')}`, note: strange, chain: 'BTC', address: address('a') }
    const words = ({ event_id, label, note }: any): unknown => [event_id, label, note], own = words(tag)
    assert.deepEqual(words((await service.call('POST /v1/tags', { body: tag })).body), own)
    const open = await session(`${service.api.url}/mcp`, service.agentKey)
    const { body } = await post(`${service.api.url}/mcp`, open, message('tools/call', { name: 'list_event_tags', arguments: { event_id: tag.event_id } }))
    assert.deepEqual([(await service.call(`GET /v1/tags/event/${tag.event_id}`)).body, body.result.structuredContent].map((told) => told.tags.map(words)), [[own], [own]])
    await nameAddress(service.store, `0x${idOfName('shop')}`, `0x${idOfName('a')}`, 1, { label: strange.slice(0, 40) })
    assert.deepEqual((await service.call(`GET /v1/labels/BTC/${address('shop')}`)).body.statements.map(({ label, entity }: any) => [label, entity]), [[strange.slice(0, 40), `0x${idOfName('a')}`]])
  })

  it('what spends the outputs speaks too: locktime, fee, the shape of a peel chain; signs that part are told and make no link', async () => {
    const answer = await get(`transactions/${txidOf(spentBoth[0] as Block, 0)}/links`)
    const of = (wanted: string) => answer.signs.filter(({ name }: any) => name === wanted).map(({ vout, version, confidence }: any) => [vout, version, confidence])
    assert.deepEqual([of('locktime'), of('fixed_fee'), of('peeling_chain')], [[[1, 4, 40]], [[1, 4, 40]], [[1, 4, 50]]])
    assert.deepEqual(answer.change.map(({ vout, signs }: any) => [vout, signs.map(({ name }: any) => name).sort()]), [[1, ['fixed_fee', 'locktime', 'peeling_chain', 'power_of_ten']]])
    assert.deepEqual((await get(`transactions/${'ab'.repeat(32)}/links`)).signs, [])
  })

  it('what anybody may spend is nobody\'s: it pays nothing, is no change and joins nobody', async () => {
    const { change: [found] } = await get(`transactions/${txidOf(bumped, 0)}/links`)
    assert.deepEqual([found.from_address, found.address, found.signs.map(({ name }: any) => name)], [address('z'), address('fresh'), ['client_change', 'legacy', 'power_of_ten']])
    for (const one of [anchor.address, address('z'), address('e')]) assert.equal((await get(`clusters/${one}`)).cluster, null)
  })

  it('who is in none is not known to be, where clusters have not seen the newest blocks', async () => {
    const of = (newest: number, height: number | null) => emptyUnlessClustered({ as_of_height: height }, { services: { coverage: { view: async () => ({ bounds: new Map([['BTC', { newest }]]) }) } } } as unknown as Ask)
    assert.deepEqual(await Promise.all([of(100, 100), of(100, 88), of(100, 87), of(100, null)]), [null, null, emptyBecause('data_gap'), emptyBecause('data_gap')])
  })

  it('a cluster is called as by the label that goes first: by how sure it is, what is set by hand or official before the rest, the newest', async () => {
    const { store } = service
    const told = async (limit: number) => { const { entity: { name, evidence } } = await get(`clusters/${address('b')}?limit=${limit}`); return [name, evidence.map((one: any) => [one.entity, one.confidence])] }
    await nameAddress(store, address('d'), 'ALPHA', 1, { confidence: 90 })
    await nameAddress(store, address('a'), 'Alpha', 2, { official: true })
    while (await runClusters(store, 'BTC', { memory: null }) !== null);
    assert.deepEqual(await told(4), ['Alpha', [['Alpha', 50], ['ALPHA', 90]]])
    await nameAddress(store, address('d'), 'ALPHA', 2, { confidence: 100, level: 'ledger_immanent', valid_from: '2024-01-01T00:00:00Z' })
    await nameAddress(store, address('b'), 'alpha', 1, { confidence: 100, level: 'override', valid_from: '2010-01-01T00:00:00Z' })
    await nameAddress(store, address('c'), 'AlphA', 1, { confidence: 100, level: 'ledger_immanent', valid_from: '2023-01-01T00:00:00Z' })
    while (await runClusters(store, 'BTC', { memory: null }) !== null);
    const evidence = [['alpha', 100], ['Alpha', 50], ['ALPHA', 100], ['AlphA', 100]]
    assert.deepEqual(await told(5), ['alpha', evidence])
    await nameAddress(store, address('elsewhere'), 'aLPHA', 1, { confidence: 100, level: 'override', valid_from: '2024-01-01T00:00:00Z' })
    while (await runClusters(store, 'BTC', { memory: null }) !== null);
    assert.deepEqual(await told(6), ['aLPHA', evidence], 'as wherever that name is shown, though the label is of an address that is not in it')
  })
})

const idOfName = (name: string): string => idOf(address(name))
