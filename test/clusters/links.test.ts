import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { runClusters } from '../../stages/clusters/runClusters.js'
import { idOf, insertBlocks, txidOf, type Block, type In, type Out, type Tx } from '../support/btcLedger.js'
import { dropBlocks } from '../support/clusters.js'
import { freshStore } from '../support/servers.js'

const Link = z.object({ block: z.coerce.number(), index: z.number(), vout: z.number(), signs: z.array(z.string()), score: z.number() })
const coinjoins = loadSql(new URL('../../stages/index/bitcoin/x', import.meta.url).href, 'coinjoins.sql')

/** Blocks clustered, with what address_transfers holds of their outputs and inputs. */
const run = async (blocks: readonly Block[]): Promise<Store> => {
  const { store } = await freshStore()
  await insertBlocks(store, blocks)
  await store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction)
    SELECT chain, party_id, block_number, 'utxo', tx_index, vout, 'in' FROM btc_outputs WHERE party_id != toFixedString('', 20)`)
  await store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction)
    SELECT chain, party_id, block_number, 'utxo', tx_index, vin, 'out' FROM btc_inputs WHERE party_id != toFixedString('', 20) AND value IS NOT NULL`)
  await store.execute(coinjoins, { chain: 'BTC', from: 0, to: 10_000_000, generation: 0 })
  await runClusters(store, 'BTC', { memory: null })
  return store
}
const linksOf = (store: Store) => store.query('SELECT block_number AS block, tx_index AS index, vout, signs, score FROM btc_change_links FINAL ORDER BY block, index, vout', {}, Link)
const one = (address: string, value: number | null, type?: string): In => ({ address: value === null ? '' : address, value, ...(type === undefined ? {} : { type }) })
const to = (address: string, value: number, type?: string): Out => ({ address, value, ...(type === undefined ? {} : { type }) })
const before: Block = { number: 1, txs: [{ ins: [one('origin', 9e9)], outs: ['shop', 'known', 'other'].map((name) => to(name, 5_000_000)) }] }

describe('links to change', function () {
  this.timeout(120_000)

  it('two signs that do not follow from each other make a link; one, none or contradicting ones do not', async () => {
    const txs: Tx[] = [
      // A new address gets an odd amount, the shop a round one: client_change and power_of_ten.
      { ins: [one('a', 50_000_000)], outs: [to('shop', 20_000_000), to('new1', 29_998_123)] },
      // The type of the inputs and less than each of them as well.
      { ins: [one('b', 40_000_000), one('c', 30_000_000)], outs: [to('shop', 60_000_000, 'pubkeyhash'), to('new2', 9_997_001)] },
      // Only legacy and what it follows from: one of two new addresses is below every input.
      { ins: [one('d', 40_000_001), one('e', 30_000_001)], outs: [to('new3', 60_000_001), to('new4', 9_000_001)] },
      // The sender's own address says one thing, the amount another.
      { ins: [one('f', 50_000_000)], outs: [to('f', 20_000_000), to('shop', 29_998_123)] },
      // Back to the sender, odd: address_reuse and power_of_ten.
      { ins: [one('g', 50_000_000)], outs: [to('g', 20_000_111), to('shop', 20_000_000)] },
      // Two of everything.
      { ins: [one('h', 50_000_000)], outs: [to('known', 20_000_000), to('other', 10_000_000)] },
      // One output leaves nothing to rule out; a coinbase has no change.
      { ins: [one('i', 50_000_000)], outs: [to('new5', 49_999_123)] },
      { ins: [{ address: '', value: 0 }], outs: [to('shop', 20_000_000), to('new6', 29_998_123)], coinbase: true },
      // With an unresolved input nothing is known of the least of them or of their type; what is new and odd still is.
      { ins: [one('k', 50_000_000), one('', null)], outs: [to('shop', 20_000_000), to('new7', 9_998_123)] },
    ]
    const links = await linksOf(await run([before, { number: 2, txs }]))
    assert.deepEqual(links.map(({ index, vout, signs, score }) => [index, vout, signs, score]), [
      [0, 1, ['client_change', 'legacy', 'power_of_ten'], 0.75], [1, 1, ['optimal_change', 'client_change', 'legacy', 'address_type', 'power_of_ten'], 1 - 2 ** -4],
      [4, 0, ['address_reuse', 'power_of_ten'], 0.75], [8, 1, ['client_change', 'power_of_ten'], 0.75],
    ])
  })

  for (const type of ['pubkey', 'multisig', 'nonstandard']) it(`a script without an address (${type}) has to be ruled out like any other, and no link is told of it`, async () => {
    const script = (value: number, name: string): Out => ({ ...to('', value, type), script: `!${name}` })
    const known: Block = { number: 2, txs: [{ ins: [one('origin', 9e9)], outs: [script(5_000_000, 'known'), to('other', 1_000_000)] }] }
    const txs: Tx[] = [
      // The script is below every input too, no round sum and new.
      { ins: [one('b', 40_000_000, 'pubkeyhash'), one('c', 30_000_000, 'pubkeyhash')], outs: [to('shop', 50_000_000), to('new', 5_000_001), script(14_000_001, 'x1')] },
      // One sign is left of those above where the script was paid before.
      { ins: [one('d', 40_000_000, 'pubkeyhash'), one('e', 30_000_000, 'pubkeyhash')], outs: [to('shop', 50_000_000), to('new1', 5_000_001), script(14_000_001, 'known')] },
      // Ruled out: it was paid before, and gets a round sum.
      { ins: [one('f', 50_000_000)], outs: [script(20_000_000, 'known'), to('new2', 29_998_123)] },
      // What is left is the script.
      { ins: [one('g', 50_000_000)], outs: [to('shop', 20_000_000), script(29_998_123, 'x2')] },
      // The sender's own script is one that goes back as well.
      { ins: [one('h', 50_000_000), { ...one('', 1_000_000, type), script: '!x3' }], outs: [to('h', 20_000_111), script(20_000_000, 'x3')] },
      // Worth nothing, and yet below every input and paid to nobody before.
      { ins: [one('i', 40_000_000, 'pubkeyhash'), one('k', 30_000_000, 'pubkeyhash')], outs: [to('known', 50_000_000), to('new3', 10_000_000), script(0, 'x4')] },
    ]
    const links = await linksOf(await run([before, known, { number: 3, txs }]))
    assert.deepEqual(links.map(({ index, vout, signs }) => [index, vout, signs]), [[2, 1, ['client_change', 'legacy', 'address_type', 'power_of_ten']]])
  })

  it('an address that was spent from before is not new, though what paid it is not indexed', async () => {
    const spends: Tx = { ins: [one('hot', 90_000_000)], outs: [to('shop', 89_000_000)] }, pays: Tx = { ins: [one('a', 50_000_000)], outs: [to('shop', 20_000_000), to('hot', 29_998_123)] }
    const other: Tx = { ins: [one('b', 50_000_000)], outs: [to('shop', 20_000_000), to('late', 29_998_123)] }
    for (const blocks of [[{ number: 2, txs: [spends, pays] }], [{ number: 2, txs: [spends] }, { number: 3, txs: [pays] }]]) assert.deepEqual(await linksOf(await run([before, ...blocks as Block[]])), [])
    // Spent later only, or in the block's next transaction: it was new.
    const links = await linksOf(await run([before, { number: 2, txs: [other, { ins: [one('late', 1_000_000)], outs: [to('shop', 900_000)] }, pays] }, { number: 3, txs: [spends] }]))
    assert.deepEqual(links.map(({ block, index, vout, signs }) => [block, index, vout, signs]), [[2, 0, 1, ['client_change', 'legacy', 'power_of_ten']], [2, 2, 1, ['client_change', 'legacy', 'power_of_ten']]])
  })

  it('what nobody can spend rules nothing in', async () => {
    const dead: Out[] = [to('', 0, 'nulldata'), to('', 1_234, 'nulldata'), { ...to('', 1_235, 'nonstandard'), script: 'j\u0001' }, { ...to('', 1_236, 'nonstandard'), script: 'x'.repeat(10_001) }]
    const links = await linksOf(await run([before, { number: 2, txs: [
      ...dead.map((out, n): Tx => ({ ins: [one(`a${n}`, 40_000_000), one(`b${n}`, 30_000_000)], outs: [to('shop', 60_000_000, 'pubkeyhash'), to(`new${n}`, 9_997_001), out] })),
      // Alone beside it, an output leaves nothing to rule out.
      ...dead.map((out, n): Tx => ({ ins: [one(`c${n}`, 40_000_000), one(`d${n}`, 30_000_000)], outs: [to(`lone${n}`, 9_997_001), out] })),
    ] }]))
    assert.deepEqual(links.map(({ index, vout, signs }) => [index, vout, signs.length]), dead.map((_, n) => [n, 1, 5]))
  })

  it('what may be a CoinJoin has no change that can be told', async () => {
    const store = await run([before, { number: 600_000, txs: [{ ins: ['j1', 'j2', 'j3'].map((name) => one(name, 5_000_000)), outs: [to('x1', 1_000_000), to('x2', 1_000_000), to('x3', 1_000_000), to('shop', 2_000_000), to('x5', 123_456)] }] }])
    assert.deepEqual(await linksOf(store), [])
  })

  for (const type of ['anchor', 'witness_unknown']) it(`what anybody may spend (${type}) neither pays nor is change`, async () => {
    const free: In = one('anybody', 240, type)
    const links = await (await run([before, { number: 2, txs: [
      // It is the one output that was never paid, and the one of an odd amount: without it nothing is left to be ruled out.
      { ins: [one('a', 50_000_000)], outs: [to('shop', 20_000_000, 'pubkeyhash'), to('anybody', 240, type)] },
      // Its amount and its type say nothing of the others'.
      { ins: [free, one('b', 40_000_000), one('c', 30_000_000)], outs: [to('shop', 60_000_000, 'pubkeyhash'), to('new1', 9_997_001), to('anybody', 0, type)] },
      { ins: [{ ...free, value: 300_000 }], outs: [to('shop', 200_000), to('new2', 99_123)] },
    ] }])).query('SELECT tx_index AS index, vout, lower(hex(from_address)) AS sender, signs FROM btc_change_links FINAL ORDER BY index, vout', {}, z.object({ index: z.number(), vout: z.number(), sender: z.string(), signs: z.array(z.string()) }))
    assert.deepEqual(links.map(({ index, vout, signs }) => [index, vout, signs]), [[1, 1, ['optimal_change', 'client_change', 'legacy', 'address_type', 'power_of_ten']]])
    assert.ok([idOf('b'), idOf('c')].includes(links[0]?.sender ?? ''))
  })
})

describe('peel chains', function () {
  this.timeout(120_000)

  for (const told of [true, false]) it(`follow the larger output from hop to hop, where inputs ${told ? 'name the block of what they spend' : 'are what the node said'}`, async () => {
    const blocks: Block[] = [{ number: 1, txs: [{ ins: [one('origin', 1_000_000_000)], outs: [to('paid0', 10_000_000), to('kept0', 980_000_000)] }] }]
    for (let n = 1; n <= 4; n += 1) {
      const last = blocks.at(-1) as Block
      blocks.push({ number: n + 1, txs: [{ ins: [{ ...one(`kept${n - 1}`, 980_000_000 - n), spends: { txid: txidOf(last, 0), vout: 1, block: told ? n : null } }], outs: [to(`paid${n}`, n === 4 ? 900 : 10_000_000), to(`kept${n}`, 900_000_000)] }] })
    }
    const hops = await (await run(blocks)).query('SELECT block_number AS block, lower(hex(prev_txid)) AS prev, peeled_vout, peeled, passed_vout, passed FROM btc_peels FINAL ORDER BY block', {},
      z.object({ block: z.coerce.number(), prev: z.string(), peeled_vout: z.number(), peeled: z.coerce.number(), passed_vout: z.number(), passed: z.coerce.number() }))
    assert.deepEqual(hops.map(({ block, prev, peeled_vout, peeled, passed_vout, passed }) => [block, prev, peeled_vout, peeled, passed_vout, passed]), [2, 3, 4].map((number) => (
      [number, txidOf(blocks[number - 2] as Block, 0), 0, 10_000_000, 1, 900_000_000])), 'the last gives away less than 1,000 satoshis')
  })

  for (const type of ['anchor', 'witness_unknown']) it(`stop at what anybody may spend (${type})`, async () => {
    const hop = (last: Block, vout: number, spent: In, outs: readonly Out[]): Block => ({ number: last.number + 1, txs: [{ ins: [{ ...spent, spends: { txid: txidOf(last, 0), vout, block: last.number } }], outs }] })
    const first: Block = { number: 1, txs: [{ ins: [one('origin', 1_000_000_000)], outs: [to('paid0', 10_000_000), to('kept0', 980_000_000)] }] }
    const paying = hop(first, 1, one('kept0', 980_000_000), [to('anybody', 10_000_000, type), to('kept1', 900_000_000)])
    const spending = hop(paying, 0, one('anybody', 10_000_000, type), [to('paid2', 1_000_000), to('kept2', 8_000_000)])
    assert.deepEqual(await (await run([first, paying, spending])).query('SELECT block_number FROM btc_peels', {}, z.object({ block_number: z.coerce.number() })), [])
  })

  it('go with the block they are of', async () => {
    const first: Block = { number: 1, txs: [{ ins: [one('origin', 1_000_000_000)], outs: [to('paid0', 10_000_000), to('kept0', 980_000_000)] }] }
    const hop: Block = { number: 2, txs: [{ ins: [{ ...one('kept0', 980_000_000), spends: { txid: txidOf(first, 0), vout: 1, block: 1 } }], outs: [to('paid1', 10_000_000), to('kept1', 900_000_000)] }] }
    const store = await run([first, hop])
    const count = async (): Promise<number> => (await store.query('SELECT count() AS count FROM btc_peels', {}, z.object({ count: z.coerce.number() })))[0]?.count ?? -1
    assert.equal(await count(), 1)
    await dropBlocks(store, 2)
    await insertBlocks(store, [{ number: 2, fork: 'b', txs: [{ ins: [one('other', 5_000_000)], outs: [to('shop', 4_000_000)] }] }], 1)
    await runClusters(store, 'BTC', { memory: null })
    assert.equal(await count(), 0)
  })
})
