/** Repeats, lost rows, batches in any order, a reorg: the rows are those of the blocks that stand. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { findChain } from '../../../schemas/chains.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { stateDigest } from '../../../stages/digest/digest.js'
import { listsOf } from '../../../stages/lists.js'
import { normalizeBitcoin } from '../../../stages/normalize/bitcoin/statements.js'
import { applyRollback } from '../../../stages/rollback.js'
import { runStatements, type ChainModule, type Statements } from '../../../stages/stage.js'
import { bitcoinBatch, bitcoinContext, insertBitcoin, rawAnswer, recordedBlock, type BitcoinAnswer } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'
import { addressesOf, countOf, facts, rowsOf } from './facts.js'
import { coinbase, madeRaw, makeBlock, type In, type Made, type Out } from './madeUp.js'

const pay = (letter: number, value: bigint): Out => ({ value, type: 'pubkeyhash', script: Buffer.concat([Buffer.from('76a914', 'hex'), Buffer.alloc(20, letter), Buffer.from('88ac', 'hex')]) })
const spend = (made: Made, tx: number, vout: number): In => ({ txid: made.txids[tx] ?? '', vout, sequence: 0, script: Buffer.alloc(0), witness: [] })
const minted = (number: number, letter: number): ReturnType<typeof coinbase> => coinbase(Buffer.from([4, number, letter]), [pay(letter, 5_000_000_000n)])

// Each block spends from the one below it; the third also inside itself.
const a = makeBlock(1, [minted(1, 1)])
const b = makeBlock(2, [minted(2, 2), { version: 1, locktime: 0, ins: [spend(a, 0, 0)], outs: [pay(3, 3_000_000_000n), pay(1, 1_999_999_000n)] }])
const c = ((): Made => {
  const first = { version: 1, locktime: 0, ins: [spend(b, 1, 0)], outs: [pay(4, 2_999_999_000n)] }
  const half = makeBlock(3, [minted(3, 3), first])
  return makeBlock(3, [minted(3, 3), first, { version: 1, locktime: 0, ins: [spend(half, 1, 0), spend(b, 1, 1)], outs: [pay(5, 4_999_998_000n)] }])
})()
const other = makeBlock(3, [minted(3, 9), { version: 1, locktime: 0, ins: [spend(b, 1, 0)], outs: [pay(6, 2_900_000_000n)] }])
const answers: readonly BitcoinAnswer[] = [madeRaw(1, a), madeRaw(2, b), madeRaw(3, c)]
const module = { chain: findChain('BTC') } as unknown as ChainModule

const read = (store: Store, number: number, again = false, generation = 1): Promise<number> => runStatements(normalizeBitcoin, bitcoinBatch(number, number, generation), bitcoinContext(store, again))
const resolve = (store: Store, from: number, to: number, again = false, generation = 1, floor = 0): Promise<number> => runStatements(listsOf('BTC').enrich, bitcoinBatch(from, to, generation, floor), bitcoinContext(store, again))
const through = async (store: Store, number: number, generation = 1): Promise<void> => {
  const { enrich, index, alert } = listsOf('BTC')
  await read(store, number, false, generation)
  for (const statements of [enrich, index, alert]) await runStatements(statements, bitcoinBatch(number, number, generation), bitcoinContext(store))
}
const whole = async (store: Store): Promise<string> => (await stateDigest(store, 'BTC', 10)).digest
const plain = async (): Promise<Store> => {
  const { store } = await freshStore()
  await insertBitcoin(store, answers)
  for (const number of [1, 2, 3]) { await read(store, number); await resolve(store, number, number) }
  return store
}

describe('Bitcoin normalized', function () {
  this.timeout(120_000)
  let clean: Store, digest: string
  before(async () => { clean = await plain(); digest = await whole(clean) })

  it('a block at the tip gets the same statements as a range, in another order', () => {
    const { enrich, enrichTip = [] } = listsOf('BTC'), names = (lists: Statements): string[] => lists.flat().map(({ path }) => path).sort()
    assert.deepEqual(names(enrichTip), names(enrich))
  })

  it('knows what it spends from the blocks below, from its own block, and who paid', async () => {
    const Row = z.object({ row: z.string() })
    assert.deepEqual((await clean.query(`SELECT concat_ws(' ', toString(block_number), toString(tx_index), toString(vin), prevout, toString(prev_block), toString(value)) AS row FROM btc_inputs WHERE prevout != 'coinbase' ORDER BY block_number, tx_index, vin`, {}, Row)).map(({ row }) => row),
      ['2 1 0 own 1 5000000000', '3 1 0 own 2 3000000000', '3 2 0 own 3 2999999000', '3 2 1 own 2 1999999000'])
    assert.deepEqual((await clean.query(`SELECT concat_ws(' ', toString(block_number), toString(fees), toString(subsidy), toString(unresolved_inputs)) AS row FROM btc_blocks ORDER BY block_number`, {}, Row)).map(({ row }) => row),
      ['1 0 5000000000 0', '2 1000 5000000000 0', '3 1000 5000000000 0'])
    // The change of block 2 goes back to who paid and moved nowhere; the payer is the address that brought most.
    const id = (letter: number): string => `substring(SHA256((SELECT any(address) FROM btc_outputs WHERE script = unhex('76a914${Buffer.alloc(20, letter).toString('hex')}88ac'))), 1, 20)`
    assert.deepEqual((await clean.query(`SELECT concat_ws(' ', toString(block_number), kind, toString(position), toString(sub), toString(amount),
        multiIf(from_address = toFixedString('', 20), '-', from_address = ${id(1)}, '1', from_address = ${id(3)}, '3', from_address = ${id(4)}, '4', '?'), multiIf(to_address = ${id(3)}, '3', to_address = ${id(4)}, '4', to_address = ${id(5)}, '5', '.')) AS row
      FROM transfers ORDER BY block_number, kind, position, sub`, {}, Row)).map(({ row }) => row),
      ['1 coinbase 0 0 5000000000 - .', '2 utxo 1 0 3000000000 1 3', '2 coinbase 0 0 5000000000 - .', '3 utxo 1 0 2999999000 3 4', '3 utxo 2 0 4999998000 4 5', '3 coinbase 0 0 5000000000 - 3'])
  })

  it('is the same when its batches are read in another order, and in larger ones', async () => {
    const { store } = await freshStore()
    await insertBitcoin(store, answers)
    for (const number of [3, 1, 2]) await read(store, number)
    await resolve(store, 1, 1)
    await resolve(store, 2, 3)
    assert.equal(await whole(store), digest)
  })

  it('is written once, however often a batch runs, and rows that were lost come back', async () => {
    const store = await plain()
    for (const again of [false, true]) for (const number of [1, 2, 3]) { await read(store, number, again); await resolve(store, number, number, again) }
    assert.equal(await whole(store), digest)
    for (const [table, where] of [['blocks', '1'], ['btc_outputs', 'block_number = 2'], ['btc_inputs', '1'], ['btc_read_inputs', 'block_number = 3'], ['btc_read_blocks', '1'], ['btc_txids', '1'], ['btc_spends', 'tx_index = 2'], ['btc_transactions', 'tx_index = 0'], ['btc_parties', '1'], ['transfers', `kind = 'utxo'`]] as const) {
      const had = await countOf(store, table)
      await store.execute(`DELETE FROM ${table} WHERE ${where}`)
      assert.ok(await countOf(store, table) < had, table)
    }
    for (const number of [1, 2, 3]) { await read(store, number, true); await resolve(store, number, number, true) }
    assert.equal(await whole(store), digest)
    assert.deepEqual(await addressesOf(store), await addressesOf(clean))
  })

  it('looks no further down than its request reaches: what is below stays unresolved whenever it comes', async () => {
    for (const first of [false, true]) {
      const { store } = await freshStore()
      await insertBitcoin(store, answers)
      if (first) { await read(store, 1); await resolve(store, 1, 1) }
      for (const number of [2, 3]) { await read(store, number); await resolve(store, number, number, false, 1, 2) }
      const [row] = await store.query(`SELECT toString(sum(unresolved_inputs)) AS inputs, toString(countIf(fees IS NULL)) AS blocks FROM btc_blocks WHERE block_number > 1`, {}, z.object({ inputs: z.string(), blocks: z.string() }))
      assert.deepEqual(row, { inputs: '1', blocks: '1' })
    }
  })

  it('after a reorg is what the standing blocks give, through all stages and in every table of the state', async () => {
    const { store } = await freshStore(), { store: straight } = await freshStore()
    await insertBitcoin(store, answers)
    for (const number of [1, 2, 3]) await through(store, number)
    await applyRollback(store, module, { seq: 2, from_block: 3, generation: 2 })
    const { facts: own, steps } = listsOf('BTC')
    for (const table of ['blocks', 'transfers', 'address_transfers', 'chunks', ...own, ...steps]) assert.deepEqual((await store.query(`SELECT count() AS rows FROM ${table} WHERE block_number = 3`, {}, z.object({ rows: z.coerce.number() })))[0]?.rows, 0, table)
    await insertBitcoin(store, [madeRaw(3, other)], 2)
    await through(store, 3, 2)
    await insertBitcoin(straight, [madeRaw(1, a), madeRaw(2, b), madeRaw(3, other)])
    for (const number of [1, 2, 3]) await through(straight, number)
    for (const table of facts) for (const height of [1, 2, 3]) assert.deepEqual(await rowsOf(store, table, height), await rowsOf(straight, table, height), table)
    const { parts } = await stateDigest(straight, 'BTC', 10)
    assert.deepEqual((await stateDigest(store, 'BTC', 10)).parts, parts)
    for (const table of ['btc_flows', 'transfers', 'address_transfers', 'address_hours', 'token_hours']) assert.ok(parts.some((part) => part.table === table && part.rows > 0), table)
  })

  it('what a late writer reads of a block that was orphaned makes nothing of the one that took its place', async () => {
    const { store } = await freshStore(), { store: straight } = await freshStore()
    const told = (made: Made, spends: Out): Made => makeBlock(3, [minted(3, 9), { version: 1, locktime: 0, ins: [{ ...spend(b, 1, 0), spends }], outs: [pay(6, 2_900_000_000n)] }, ...(made === c ? [{ version: 1, locktime: 0, ins: [{ ...spend(b, 1, 1), spends: pay(1, 1_999_999_000n) }], outs: [pay(7, 1n)] }] : [])])
    const orphan = told(c, pay(3, 3_000_000_000n)), stands = told(other, pay(3, 3_000_000_000n))
    for (const one of [store, straight]) { await insertBitcoin(one, [madeRaw(1, a), madeRaw(2, b)]); for (const number of [1, 2]) await through(one, number) }
    await applyRollback(store, module, { seq: 2, from_block: 3, generation: 2 })
    for (const one of [store, straight]) { await insertBitcoin(one, [madeRaw(3, stands)], 2); await read(one, 3, false, 2) }
    await insertBitcoin(store, [madeRaw(3, orphan)], 1)
    await read(store, 3)
    const { enrich, index, alert } = listsOf('BTC')
    for (const one of [store, straight]) for (const statements of [enrich, index, alert]) await runStatements(statements, bitcoinBatch(3, 3, 2), bitcoinContext(one))
    const flows = async (of: Store): Promise<unknown> => of.query('SELECT tx_index AS at, lower(hex(txid)) AS hash, toString(net) AS net FROM btc_flows WHERE block_number = 3 ORDER BY at, hash', {}, z.object({ at: z.number(), hash: z.string(), net: z.string() }))
    assert.deepEqual(await flows(store), await flows(straight))
    // What it wrote itself goes when late writers are looked for, and nothing is left that was made of it.
    await applyRollback(store, module, { seq: 2, from_block: 3, generation: 2 })
    const { parts } = await stateDigest(straight, 'BTC', 10)
    assert.deepEqual((await stateDigest(store, 'BTC', 10)).parts, parts)
  })

  it('tells of a block that pays more than it may, and goes on', async () => {
    const { store } = await freshStore()
    const greedy = makeBlock(210_001, [coinbase(Buffer.from('greedy'), [pay(1, 5_000_000_000n)])]), early = makeBlock(209_999, [coinbase(Buffer.from('early'), [pay(1, 5_000_000_000n)])])
    await insertBitcoin(store, [madeRaw(209_999, early), madeRaw(210_001, greedy)])
    for (const number of [209_999, 210_001]) { await read(store, number); await resolve(store, number, number) }
    const told = await store.query('SELECT kind, summary FROM incidents', {}, z.object({ kind: z.string(), summary: z.string() }))
    assert.deepEqual(told, [{ kind: 'unbalanced_block', summary: 'Block 210001: its coinbase pays 5000000000 satoshis, subsidy and fees are 2500000000' }])
  })

  it('takes the first 255 blocks: all that they spend is their own, and each pays its miner the subsidy', async () => {
    const { store } = await freshStore()
    const heights = Array.from({ length: 255 }, (_, index) => index + 1)
    await insertBitcoin(store, heights.map((height) => rawAnswer(height)))
    await runStatements(normalizeBitcoin, bitcoinBatch(1, 255), bitcoinContext(store))
    await resolve(store, 1, 255)
    const [row] = await store.query(`SELECT toString(count()) AS blocks, toString(sum(tx_count)) AS txs, toString(sum(unresolved_inputs)) AS unresolved, toString(countIf(subsidy + fees != 5000000000)) AS off,
        (SELECT toString(countIf(coinbase AND output_value != 5000000000)) FROM btc_transactions) AS paid FROM btc_blocks`, {},
      z.object({ blocks: z.string(), txs: z.string(), unresolved: z.string(), off: z.string(), paid: z.string() }))
    // The count of transactions stands behind the header, in one byte for so few.
    assert.deepEqual(row, { blocks: '255', txs: String(heights.reduce((sum, height) => sum + (recordedBlock(height)[80] ?? 0), 0)), unresolved: '0', off: '0', paid: '0' })
  })
})
