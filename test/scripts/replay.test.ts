/** A replay of blocks that were followed first, and whose predecessors a backfill brought later. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { findChain, type Chain } from '../../schemas/chains.js'
import { openStore, type Store } from '../../schemas/clickhouse.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { listsOf } from '../../stages/lists.js'
import { normalizeBitcoin } from '../../stages/normalize/bitcoin/statements.js'
import { runStatements } from '../../stages/stage.js'
import { coinbase, madeRaw, makeBlock, type Made, type Out } from '../normalize/bitcoin/madeUp.js'
import { bitcoinContext, insertBitcoin } from '../support/bitcoin.js'
import { runScript } from '../support/run.js'
import { clickhouseUrl, databaseName, freshStore } from '../support/servers.js'

const pay = (letter: number, value: bigint): Out => ({ value, type: 'pubkeyhash', script: Buffer.concat([Buffer.from('76a914', 'hex'), Buffer.alloc(20, letter), Buffer.from('88ac', 'hex')]) })
const minted = (number: number): ReturnType<typeof coinbase> => coinbase(Buffer.from([4, number, number]), [pay(number, 5_000_000_000n)])
const after = (number: number, made: Made): Made => makeBlock(number, [minted(number), { version: 1, locktime: 0, ins: [{ txid: made.txids[0] ?? '', vout: 0, sequence: 0, script: Buffer.alloc(0), witness: [] }], outs: [pay(number + 10, 4_999_999_000n)] }])
const a = makeBlock(1, [minted(1)]), b = after(2, a), c = after(3, b)
/** The floor each was planned with: 2 was the first that was followed, 1 came by a backfill, 3 before that had ended. */
const plans = [{ number: 2, floor: 2 }, { number: 3, floor: 2 }, { number: 1, floor: 1 }]

describe('npm run replay', function () {
  this.timeout(120_000)
  let environment: Record<string, string>
  let followed: Store
  before(async () => {
    const { store, url, database } = await freshStore()
    followed = store
    environment = { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, BTC_RPC_URL: 'http://127.0.0.1:1' }
    await insertBitcoin(store, [madeRaw(1, a), madeRaw(2, b), madeRaw(3, c)])
    await store.insert('plans', plans.map(({ number, floor }, index) => ({ chain: 'BTC', seq: index + 1, kind: 'plan', from_block: number, to_block: number, hash: `${number}`, parent_hash: '', generation: 1, target: 'x', floor, writer: `${index}`, at: '2025-01-01 00:00:00' })))
    await store.insert('batches', plans.map(({ number }) => ({ chain: 'BTC', stage: 'ingest', from_block: number, to_block: number, hash: `${number}`, generation: 1, rows: 1, bytes: 1, milliseconds: 1, endpoint: 'node', finished_at: '2025-01-01 00:00:00' })))
    // Planned, and not ingested yet.
    await store.insert('plans', [{ chain: 'BTC', seq: 4, kind: 'plan', from_block: 4, to_block: 4, hash: '4', parent_hash: '', generation: 1, target: 'x', floor: 2, writer: '4', at: '2025-01-01 00:00:00' }])
    const { enrich, index, alert } = listsOf('BTC')
    for (const { number, floor } of plans) {
      for (const statements of [normalizeBitcoin, enrich, index, alert]) await runStatements(statements, { chain: 'BTC', from: number, to: number, hash: `${number}`, generation: 1, floor }, bitcoinContext(store))
    }
    assert.equal(await unresolved(store), 1)
  })
  const unresolved = async (store: Store): Promise<number> => (await store.query(`SELECT countIf(prevout = 'unresolved') AS count FROM btc_inputs`, {}, z.object({ count: z.coerce.number() })))[0]?.count ?? -1
  const landed = async (store: Store): Promise<number[]> => (await store.query(`SELECT from_block FROM batches WHERE stage = 'alert' ORDER BY from_block`, {}, z.object({ from_block: z.coerce.number() }))).map((row) => row.from_block)
  const replayed = async (...args: string[]): Promise<{ code: number | null; text: string; unresolved: number; landed: number[] }> => {
    const into = databaseName(), { code, text } = await runScript('scripts/replay.ts', ['--chain', 'BTC', '--into', into, ...args], environment)
    const store = openStore(await clickhouseUrl(), into)
    try { return { code, text, unresolved: await unresolved(store), landed: await landed(store) } } finally { await store.close() }
  }

  it('gives the same state, what was not resolved then included', async () => {
    const { code, text, unresolved: left, landed: stages } = await replayed()
    assert.match(text, /\nequal\n$/)
    assert.deepEqual([code, left], [0, 1])
    assert.deepEqual(stages, [1, 2, 3], 'what is not ingested is not passed off as replayed')
  })

  it('--whole resolves what the backfill brought', async () => {
    const { code, text, unresolved: left } = await replayed('--whole')
    assert.match(text, /\ndifferent: .*btc_inputs/)
    assert.deepEqual([code, left], [1, 0])
  })

  it('refuses where answers are gone, and names the blocks', async () => {
    for (const { gone, said, args } of [{ gone: [2], said: '2', args: [] }, { gone: [1], said: '1–2', args: ['--whole'] }]) {
      await followed.execute('DELETE FROM raw_payloads WHERE number IN {gone:Array(UInt64)}', { gone })
      const into = databaseName(), { code, text } = await runScript('scripts/replay.ts', ['--chain', 'BTC', '--into', into, ...args], environment)
      assert.match(text, new RegExp(`^Answers are kept for 30 days, and those about blocks ${said} of BTC are gone:.* A node has to be asked for them again`))
      assert.equal(code, 1)
      assert.deepEqual(await followed.query('SELECT name FROM system.databases WHERE name = {into:String}', { into }, z.object({ name: z.string() })), [])
    }
  })

  it('counts only good answers of the batch that stands', async () => {
    const ledger = openLedger(followed), bitcoin = findChain('BTC') as Chain
    await followed.execute('DELETE FROM raw_payloads WHERE true')
    await insertBitcoin(followed, [madeRaw(1, a)], 2)
    await followed.execute(`INSERT INTO raw_payloads (chain, number, kind, problem, generation, fetched_at) SELECT 'BTC', 3, 'block', 'wrong', 1, now64(3)`)
    assert.deepEqual(await ledger.gone(bitcoin), [{ from: 1, to: 3 }])
    await insertBitcoin(followed, [madeRaw(1, a), madeRaw(3, c)])
    assert.deepEqual(await ledger.gone(bitcoin), [{ from: 2, to: 2 }])
    await insertBitcoin(followed, [madeRaw(2, b)])
    assert.deepEqual(await ledger.gone(bitcoin), [])
  })

  it('of a venue looks for its segments, whose answers are of no generation', async () => {
    const { store } = await freshStore()
    const venue = findChain('HL') as Chain, plan = { chain: 'HL', kind: 'plan', parent_hash: '', target: 'x', floor: 1, at: '2025-01-01 00:00:00' }
    await store.insert('plans', [{ ...plan, seq: 1, from_block: 1, to_block: 3, hash: '3', generation: 1, writer: '1' }])
    await store.insert('batches', [{ chain: 'HL', stage: 'ingest', from_block: 1, to_block: 3, hash: '3', generation: 1, rows: 1, bytes: 1, milliseconds: 1, endpoint: 'venue', finished_at: '2025-01-01 00:00:00' }])
    await store.execute(`INSERT INTO raw_payloads (chain, number, kind, generation, fetched_at) SELECT 'HL', number, 'ws', 0, now64(3) FROM numbers(2, 2)`)
    assert.deepEqual(await openLedger(store).gone(venue), [{ from: 1, to: 1 }])
  })
})
