import assert from 'node:assert/strict'
import fc from 'fast-check'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { listMigrations } from '../../schemas/migrations.js'
import { runClusters, type ClusterOptions, type Holder } from '../../stages/clusters/runClusters.js'
import { insertBlocks, idOf, type Block, type Tx } from '../support/btcLedger.js'
import { clusterState, dropBlocks, nameAddress } from '../support/clusters.js'
import { freshStore } from '../support/servers.js'

const coinjoins = loadSql(new URL('../../stages/index/bitcoin/x', import.meta.url).href, 'coinjoins.sql')
const spend = (...names: string[]): Tx => ({ ins: names.map((address) => ({ address, value: 10_000 })), outs: [{ address: `to ${names.join()}`, value: 9_000 }] })
const block = (number: number, ...groups: string[][]): Block => ({ number, txs: groups.map((names) => spend(...names)) })
const fresh = (): Holder => ({ memory: null })
/** What migrations say of blocks that older rules saw. */
const markRules = async (store: Store): Promise<void> => { for (const { id, statements } of listMigrations()) if (['0054_cluster_rules', '0076_bitcoin_scripts', '0080_change_rules'].includes(id)) for (const statement of statements) await store.execute(statement) }
/** Runs until nothing is left. */
const finish = async (store: Store, holder = fresh(), options: ClusterOptions = {}) => { let last = null; for (let run = await runClusters(store, 'BTC', holder, options); run !== null; run = await runClusters(store, 'BTC', holder, options)) last = run; return last }
const membersOf = async (store: Store, address: string): Promise<string[]> => (await store.query(
  'SELECT lower(hex(address)) AS id FROM btc_clusters_now WHERE cluster = (SELECT cluster FROM btc_clusters_now WHERE address = unhex({id:String})) ORDER BY id', { id: idOf(address) }, z.object({ id: z.string() }))).map(({ id }) => id)
const ids = (...names: string[]): string[] => names.map(idOf).sort()

const chainOf = (seed: number, blocks: number, people = 60): Block[] => fc.sample(
  fc.array(fc.uniqueArray(fc.integer({ min: 0, max: people }).map((n) => `p${n}`), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), { numRuns: blocks, seed }).map((groups, n) => block(n + 1, ...groups))

describe('clusters follow the chain', function () {
  this.timeout(180_000)

  it('who spent together is one cluster; the changelog says by which transaction; one that was there stays', async () => {
    const { store } = await freshStore()
    await insertBlocks(store, [block(1, ['a', 'b'], ['x', 'y', 'z']), block(2, ['b', 'c'], ['alone']), block(3, ['c', 'z', 'new'])])
    const run = await finish(store)
    assert.deepEqual(run, { height: 3, waiting: 0, blocks: 3, groups: 4, changes: 4, quarantined: 0, rewinds: 0 })
    assert.deepEqual(await membersOf(store, 'a'), ids('a', 'b', 'c', 'x', 'y', 'z', 'new'))
    assert.deepEqual(await membersOf(store, 'alone'), [])
    const log = await store.query('SELECT toString(kind) AS kind, toUInt32(block_number) AS block, length(old) AS old, length(addresses) AS addresses, size FROM btc_cluster_log ORDER BY block_number, tx_index', {},
      z.object({ kind: z.string(), block: z.number(), old: z.coerce.number(), addresses: z.coerce.number(), size: z.number() }))
    assert.deepEqual(log, [{ kind: 'new', block: 1, old: 0, addresses: 2, size: 2 }, { kind: 'new', block: 1, old: 0, addresses: 3, size: 3 }, { kind: 'addition', block: 2, old: 0, addresses: 1, size: 3 }, { kind: 'merge', block: 3, old: 1, addresses: 1, size: 7 }])
    assert.equal(await runClusters(store, 'BTC', fresh()), null, 'nothing is left to do')
  })

  it('coinbases, CoinJoins and unresolved inputs join nobody', async () => {
    const { store } = await freshStore()
    const join: Tx = { ins: ['j1', 'j2', 'j3'].map((address) => ({ address, value: 5_000_000 })), outs: [1, 1, 1, 2, 3].map((n, index) => ({ address: `o${index}`, value: n * 1_000_000 })) }
    await insertBlocks(store, [{ number: 600_000, txs: [{ ...spend('m', 'n'), ins: [{ address: '', value: 0 }, { address: '', value: 0 }], coinbase: true }, join, { ins: [{ address: '', value: null }, { address: 'k', value: 5 }, { address: '', value: null }], outs: [] }] }])
    await store.execute(coinjoins, { chain: 'BTC', from: 0, to: 700_000, generation: 0 })
    assert.equal((await finish(store))?.groups, 0)
    assert.equal((await clusterState(store)).rows['btc_cluster_log'], 0)
  })

  /** Blocks in which two wallets bump a fee with what anybody may spend, told with `type`. */
  const bumped = (type: string): Block[] => {
    const bump = (...names: string[]): Tx => ({ ins: [{ address: 'anybody', value: 240, type }, ...names.map((address) => ({ address, value: 10_000 }))], outs: [{ address: `to ${names.join()}`, value: 9_000 }] })
    return [block(1, ['a', 'b']), block(2, ['x', 'y']), { number: 3, txs: [bump('b', 'c')] }, { number: 4, txs: [bump('x')] }, block(5, ['late', 'r'])]
  }

  for (const type of ['anchor', 'witness_unknown']) it(`what anybody may spend (${type}) has no owner and joins nobody; what is spent beside it is joined`, async () => {
    const { store } = await freshStore()
    await insertBlocks(store, bumped(type))
    await finish(store)
    assert.deepEqual([await membersOf(store, 'a'), await membersOf(store, 'x'), await membersOf(store, 'anybody')], [ids('a', 'b', 'c'), ids('x', 'y'), []])
  })

  it('what older rules made is made anew, from the first block on that the new ones see otherwise; twice migrated is the same', async () => {
    const [one, other] = [await freshStore(), await freshStore()]
    const again = async () => { await markRules(other.store); return finish(other.store) }
    await insertBlocks(one.store, bumped('anchor'))
    await finish(one.store)
    // As the older rules left it: the anchor an address like any other.
    await insertBlocks(other.store, bumped('witness_v0_keyhash'))
    await finish(other.store)
    assert.equal((await membersOf(other.store, 'a')).length, 6)
    for (const change of ["btc_inputs UPDATE script_type = 'anchor' WHERE address = 'anybody'", 'btc_cluster_blocks UPDATE rules = 1 WHERE 1']) await other.store.execute(`ALTER TABLE ${change} SETTINGS mutations_sync = 1`)
    const run = await again()
    assert.deepEqual([run?.rewinds, run?.blocks, run?.height], [1, 3, 5])
    assert.deepEqual(await clusterState(other.store), await clusterState(one.store))
    assert.equal(await again(), null)
    // A process of before that is still at work.
    await other.store.execute('ALTER TABLE btc_cluster_blocks UPDATE rules = 1 WHERE block_number = 5 SETTINGS mutations_sync = 1')
    assert.deepEqual((await finish(other.store))?.blocks, 1)
    assert.deepEqual(await clusterState(other.store), await clusterState(one.store))
  })

  it('links to change that older rules made are made anew, from the first block on that pays a script without an address; a coinbase is no such payment', async () => {
    const { store } = await freshStore()
    const bare = { address: '', value: 14_000_001, type: 'pubkey' }, coinbase: Tx = { ins: [{ address: '', value: 0 }], outs: [bare], coinbase: true }
    const paying: Tx = { ins: [{ address: 'b', value: 40_000_000 }, { address: 'c', value: 30_000_000 }], outs: [{ address: 'shop', value: 50_000_000 }, { address: 'new', value: 5_000_001 }, bare] }
    await insertBlocks(store, [1, 2, 3, 4].map((number) => ({ number, txs: [coinbase, number === 3 ? paying : spend(`x${number}`)] })))
    await finish(store)
    await store.insert('btc_change_links', [{ chain: 'BTC', block_number: 3, tx_index: 1, vout: 1, signs: ['optimal_change', 'power_of_ten'], score: 0.75, version: 1 }])
    await store.execute('ALTER TABLE btc_cluster_blocks UPDATE rules = 2 WHERE 1 SETTINGS mutations_sync = 1')
    await markRules(store)
    const run = await finish(store)
    assert.deepEqual([run?.rewinds, run?.blocks, run?.height], [1, 2, 4])
    assert.equal((await clusterState(store)).rows['btc_change_links'], 0)
    await markRules(store)
    assert.equal(await finish(store), null)
  })

  it('links to change that older rules made are made anew, from the first block on that pays an address which was spent from before; what was paid first is left', async () => {
    const { store } = await freshStore()
    const pays = (address: string): Tx => ({ ins: [{ address: 'a', value: 50_000_000 }], outs: [{ address: 'shop', value: 20_000_000 }, { address, value: 29_998_123 }] })
    await insertBlocks(store, [{ number: 1, txs: [{ ...spend('hot'), outs: [{ address: 'shop', value: 9_000 }] }, pays('paid')] }, { number: 2, txs: [spend('paid')] }, { number: 3, txs: [spend('idle'), pays('paid')] }, { number: 4, txs: [pays('hot')] }, { number: 5, txs: [pays('hot')] }])
    for (const [side, place, direction] of [['outputs', 'vout', 'in'], ['inputs', 'vin', 'out']]) await store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction) SELECT chain, party_id, block_number, 'utxo', tx_index, ${place}, '${direction}' FROM btc_${side}`)
    const links = async (): Promise<unknown> => store.query('SELECT block_number AS block, signs FROM btc_change_links FINAL ORDER BY block', {}, z.object({ block: z.coerce.number(), signs: z.array(z.string()) }))
    await finish(store)
    const clean = await links()
    await store.insert('btc_change_links', [{ chain: 'BTC', block_number: 4, tx_index: 0, vout: 1, signs: ['client_change', 'power_of_ten'], score: 0.75, version: 1 }])
    await store.execute('ALTER TABLE btc_cluster_blocks UPDATE rules = 3 WHERE 1 SETTINGS mutations_sync = 1')
    await markRules(store)
    const run = await finish(store)
    assert.deepEqual([run?.rewinds, run?.blocks, run?.height], [1, 2, 5])
    assert.deepEqual(await links(), clean)
    assert.deepEqual(clean, [{ block: 1, signs: ['client_change', 'legacy', 'power_of_ten'] }])
    await markRules(store)
    assert.equal(await finish(store), null)
  })

  it('chunk by chunk, by processes that know nothing of each other, is the same as at once', async () => {
    const [one, other] = [await freshStore(), await freshStore()]
    const chain = chainOf(1, 40)
    await insertBlocks(one.store, chain)
    await finish(one.store)
    for (let at = 0; at < chain.length; at += 7) {
      await insertBlocks(other.store, chain.slice(at, at + 7))
      await finish(other.store, fresh(), { inputs: 30 })
    }
    assert.deepEqual(await clusterState(one.store), await clusterState(other.store))
  })

  it('after a reorg, and after older blocks came, everything is as of a clean run; two holders in turn notice each other', async () => {
    const [one, other] = [await freshStore(), await freshStore()]
    const chain = chainOf(2, 50), fork = chainOf(3, 20).map((made, n) => ({ ...made, number: 31 + n, fork: 'b' }))
    await insertBlocks(one.store, [...chain.slice(0, 30), ...fork])
    await finish(one.store)
    const [left, right] = [fresh(), fresh()]
    await insertBlocks(other.store, chain.slice(10, 40))
    await finish(other.store, left)
    await insertBlocks(other.store, chain.slice(40))
    await finish(other.store, right, { inputs: 40 })
    await dropBlocks(other.store, 31)
    await insertBlocks(other.store, fork, 1)
    const run = await finish(other.store, left, { inputs: 35 })
    assert.equal(run?.rewinds, 1)
    await insertBlocks(other.store, chain.slice(0, 10))
    await finish(other.store, right)
    assert.deepEqual(await clusterState(other.store), await clusterState(one.store))
  })

  for (const whole of [true, false]) it(`what a late writer left of an orphaned block ${whole ? 'and its block ' : ''}joins nobody`, async () => {
    const { store } = await freshStore(), options = { inputs: 1 }
    await insertBlocks(store, [block(1, ['a', 'b'])])
    await insertBlocks(store, [{ ...block(2, ['x', 'y'], ['b', 'z']), fork: 'orphan' }], 0)
    if (!whole) await store.execute('DELETE FROM btc_blocks WHERE block_number = 2')
    await insertBlocks(store, [block(2, ['c', 'd'])], 1)
    await finish(store, fresh(), options)
    assert.deepEqual([await membersOf(store, 'a'), await membersOf(store, 'c'), await membersOf(store, 'x'), await membersOf(store, 'z')], [ids('a', 'b'), ids('c', 'd'), [], []])
    const noted = await store.query('SELECT block_number, count() AS blocks FROM btc_cluster_blocks FINAL GROUP BY block_number ORDER BY block_number', {}, z.object({ blocks: z.coerce.number() }))
    assert.deepEqual(noted, [{ blocks: 1 }, { blocks: 1 }])
    await store.execute('DELETE FROM btc_blocks WHERE block_number = 2 AND generation = 0')
    assert.equal(await runClusters(store, 'BTC', fresh()), null, 'nothing is left to do once it is swept')
  })

  it('a store may die between the two tables of one insert, and the block be gone before it is done again: both tell what stands', async () => {
    const { store } = await freshStore()
    await insertBlocks(store, [block(1, ['a', 'b'], ['x', 'y'])])
    await finish(store)
    const before = await clusterState(store)
    const [one] = await store.query('SELECT lower(hex(cluster)) AS id FROM btc_cluster_members WHERE address = unhex({a:String})', { a: idOf('a') }, z.object({ id: z.string() }))
    const [two] = await store.query('SELECT lower(hex(cluster)) AS id FROM btc_cluster_members WHERE address = unhex({x:String})', { x: idOf('x') }, z.object({ id: z.string() }))
    const put = (table: string, columns: string, values: string, ...named: string[]): Promise<number> => store.execute(`INSERT INTO ${table} (chain, ${columns}, version) SELECT 'BTC', ${values}, (SELECT max(version) + 1 FROM btc_cluster_blocks)`, Object.fromEntries(named.map((id, place) => [`n${place}`, id])))
    const id = (place: number): string => `toFixedString(unhex({n${place}:String}), 20)`
    // A run joined c and x's cluster to a's, and of its moves only rows of the lists were written: those that come, and of those that go y's.
    await put('btc_cluster_log', 'block_number, tx_index, part, txid, cluster, old, addresses', `2, 0, 0, toFixedString('', 32), ${id(0)}, [${id(1)}], [${id(2)}]`, one?.id ?? '', two?.id ?? '', idOf('c'))
    for (const name of ['c', 'x', 'y']) await put('btc_cluster_lists', 'cluster, address, present', `${id(0)}, ${id(1)}, true`, one?.id ?? '', idOf(name))
    await put('btc_cluster_lists', 'cluster, address, present', `${id(0)}, ${id(1)}, false`, two?.id ?? '', idOf('y'))
    assert.notDeepEqual((await clusterState(store)).digests['btc_cluster_lists'], before.digests['btc_cluster_lists'])
    await finish(store)
    assert.deepEqual(await clusterState(store), before)
  })

  it('a run may die after any write: the next one comes to the same', async () => {
    const [one, other] = [await freshStore(), await freshStore()]
    const chain = chainOf(4, 60), fork = chainOf(5, 10).map((made, n) => ({ ...made, number: 41 + n, fork: 'b' }))
    await insertBlocks(one.store, [...chain.slice(0, 40), ...fork])
    await finish(one.store)
    let writes = 0
    const dying = async (): Promise<void> => {
      for (let lives = 0; ; lives += 1) {
        try { await finish(other.store, fresh(), { inputs: 150, deadAfter: 30, checkpoint: async () => { writes += 1; if (writes % 3 === lives % 3 && lives < 25) throw new Error('killed') } }); return } catch (thrown) { assert.equal((thrown as Error).message, 'killed') }
      }
    }
    await insertBlocks(other.store, chain)
    await dying()
    await dropBlocks(other.store, 41)
    await insertBlocks(other.store, fork, 1)
    await dying()
    assert.ok(writes > 25)
    assert.deepEqual(await clusterState(other.store), await clusterState(one.store))
  })

  it('stands aside while a backfill is on, but for a chunk now and then; not for a pipeline that stands still', async () => {
    const { store } = await freshStore()
    await insertBlocks(store, Array.from({ length: 12 }, (_, n) => block(n + 1, [`a${n}`, `b${n}`])))
    await store.insert('plans', [[1, 4], [5, 8], [9, 12]].map(([from, to]) => ({ chain: 'BTC', seq: 1, kind: 'plan', from_block: from, to_block: to, hash: `h${to}`, parent_hash: '', generation: 0, target: 't', floor: 1, writer: 'w', at: new Date().toISOString() })))
    const land = async (from: number, stage: string, secondsAgo: number): Promise<void> => {
      const finished_at = new Date(Date.now() - secondsAgo * 1_000).toISOString()
      await store.insert('batches', [{ chain: 'BTC', stage, from_block: from, to_block: from + 3, hash: `h${from + 3}`, generation: 0, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at }])
    }
    await land(1, 'index', 200)
    const holder = fresh()
    assert.equal((await runClusters(store, 'BTC', holder))?.height, 4, 'nothing landed within two minutes')
    await land(5, 'ingest', 1)
    await land(5, 'index', 1)
    assert.equal(await runClusters(store, 'BTC', holder), null, 'four blocks are under way')
    const chunk = await runClusters(store, 'BTC', holder, { standAsideMs: 0, inputs: 4 })
    assert.deepEqual([chunk?.height, chunk?.waiting], [6, 2], 'one chunk, though more would be there')
    assert.equal(await runClusters(store, 'BTC', holder), null, 'then it stands aside again')
    await land(5, 'index', 700)
    assert.equal((await runClusters(store, 'BTC', holder))?.height, 8, 'but not for what has waited long, as after a rewind')
    await land(9, 'index', 1)
    assert.equal((await finish(store, holder))?.height, 12, 'the backfill is over')
  })

  it('one process at a time: another gets nothing to do until the first gives it back or is dead', async () => {
    const { store } = await freshStore()
    await insertBlocks(store, chainOf(6, 20))
    let second: unknown = 'not asked'
    await finish(store, fresh(), { checkpoint: async () => { second = await runClusters(store, 'BTC', fresh()) } })
    assert.equal(second, null)
    await store.insert('btc_cluster_leases', [{ chain: 'BTC', seq: 1_000, writer: 'somebody', released: false, at: new Date(Date.now() - 20_000).toISOString() }])
    await insertBlocks(store, [block(21, ['q', 'r'])])
    assert.equal(await runClusters(store, 'BTC', fresh(), { deadAfter: 30 }), null)
    assert.equal((await runClusters(store, 'BTC', fresh(), { deadAfter: 10 }))?.blocks, 1)
    // It was heard of before the clock was set back by an hour.
    await store.insert('btc_cluster_leases', [{ chain: 'BTC', seq: 2_000, writer: 'somebody', released: false, at: new Date(Date.now() + 3_600_000).toISOString() }])
    await insertBlocks(store, [block(22, ['q', 's'])])
    assert.equal((await runClusters(store, 'BTC', fresh(), { deadAfter: 30 }))?.blocks, 1)
  })

  it('who slept while another took over writes nothing any more, wherever it fell asleep', async () => {
    const one = await freshStore(), chain = chainOf(7, 40), fork = chainOf(8, 12).map((made, n) => ({ ...made, number: 29 + n, fork: 'b' }))
    await insertBlocks(one.store, [...chain.slice(0, 28), ...fork])
    await finish(one.store)
    const clean = await clusterState(one.store)
    for (const place of ['decided', 'changelog', 'moves', 'entities']) {
      const { store } = await freshStore()
      await insertBlocks(store, chain.slice(0, 20))
      await finish(store)
      await insertBlocks(store, chain.slice(20))
      const asleep = finish(store, fresh(), { checkpoint: async (where) => {
        if (where !== place) return
        await dropBlocks(store, 29)
        await insertBlocks(store, fork, 1)
        await store.execute('ALTER TABLE btc_cluster_leases UPDATE at = at - INTERVAL 1 MINUTE WHERE 1 SETTINGS mutations_sync = 1')
        await finish(store)
      } })
      await assert.rejects(asleep, { code: 'CLUSTERS_LOST' }, place)
      assert.deepEqual(await clusterState(store), clean, place)
      assert.equal(await finish(store), null, place)
    }
  })

  it('two names are not joined but told; later labels undo and redo what follows from them', async () => {
    const [one, other] = [await freshStore(), await freshStore()]
    const chain = [block(1, ['a', 'b'], ['x', 'y']), block(2, ['b', 'y', 'free']), block(3, ['free', 'friend'])]
    const held = async (): Promise<number> => (await clusterState(one.store)).rows['btc_cluster_quarantine'] ?? -1
    await nameAddress(one.store, 'a', 'Alpha Inc.', 1)
    await nameAddress(one.store, 'x', 'Omega', 1)
    await insertBlocks(one.store, chain)
    assert.equal((await finish(one.store))?.quarantined, 1)
    assert.deepEqual([await membersOf(one.store, 'a'), await membersOf(one.store, 'free')], [ids('a', 'b'), ids('free', 'friend')])
    const entities = await one.store.query("SELECT name, labelled FROM btc_cluster_entities FINAL WHERE name != '' ORDER BY name", {}, z.object({ name: z.string(), labelled: z.number() }))
    assert.deepEqual(entities, [{ name: 'alphainc', labelled: 1 }, { name: 'omega', labelled: 1 }])

    await nameAddress(one.store, 'stranger', 'Somebody', 1)
    assert.equal((await finish(one.store))?.rewinds, 0, 'a label that touches no decision changes nothing')
    await nameAddress(one.store, 'x', 'OMEGA', 2, { confidence: 60, official: true })
    assert.equal((await finish(one.store))?.rewinds, 0, 'nor does one that says the same name otherwise')
    await nameAddress(one.store, 'x', 'ALPHA inc', 3)
    assert.equal((await finish(one.store))?.rewinds, 1)
    assert.equal(await held(), 0)
    assert.deepEqual(await membersOf(one.store, 'a'), ids('a', 'b', 'x', 'y', 'free', 'friend'))
    await nameAddress(one.store, 'x', 'Omega', 4)
    await finish(one.store)
    assert.equal(await held(), 1)
    assert.deepEqual(await membersOf(one.store, 'a'), ids('a', 'b'))
    await nameAddress(one.store, 'x', '', 5)
    await finish(one.store)
    await nameAddress(other.store, 'a', 'Alpha Inc.', 1)
    await nameAddress(other.store, 'stranger', 'Somebody', 1)
    await insertBlocks(other.store, chain)
    await finish(other.store)
    assert.deepEqual(await clusterState(one.store), await clusterState(other.store))
  })
})
