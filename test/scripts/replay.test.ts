/** A replay of blocks that were followed first, and whose predecessors a backfill brought later. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { openStore, type Store } from '../../schemas/clickhouse.js'
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
  before(async () => {
    const { store, url, database } = await freshStore()
    environment = { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, BTC_RPC_URL: 'http://127.0.0.1:1' }
    await insertBitcoin(store, [madeRaw(1, a), madeRaw(2, b), madeRaw(3, c)])
    await store.insert('plans', plans.map(({ number, floor }, index) => ({ chain: 'BTC', seq: index + 1, kind: 'plan', from_block: number, to_block: number, hash: `${number}`, parent_hash: '', generation: 1, target: 'x', floor, writer: `${index}`, at: '2025-01-01 00:00:00' })))
    await store.insert('batches', plans.map(({ number }) => ({ chain: 'BTC', stage: 'ingest', from_block: number, to_block: number, hash: `${number}`, generation: 1, rows: 1, bytes: 1, milliseconds: 1, endpoint: 'node', finished_at: '2025-01-01 00:00:00' })))
    const { enrich, index, alert } = listsOf('BTC')
    for (const { number, floor } of plans) {
      for (const statements of [normalizeBitcoin, enrich, index, alert]) await runStatements(statements, { chain: 'BTC', from: number, to: number, hash: `${number}`, generation: 1, floor }, bitcoinContext(store))
    }
    assert.equal(await unresolved(store), 1)
  })
  const unresolved = async (store: Store): Promise<number> => (await store.query(`SELECT countIf(prevout = 'unresolved') AS count FROM btc_inputs`, {}, z.object({ count: z.coerce.number() })))[0]?.count ?? -1
  const replayed = async (...args: string[]): Promise<{ code: number | null; text: string; unresolved: number }> => {
    const into = databaseName(), { code, text } = await runScript('scripts/replay.ts', ['--chain', 'BTC', '--into', into, ...args], environment)
    const store = openStore(await clickhouseUrl(), into)
    try { return { code, text, unresolved: await unresolved(store) } } finally { await store.close() }
  }

  it('gives the same state, what was not resolved then included', async () => {
    const { code, text, unresolved: left } = await replayed()
    assert.match(text, /\nequal\n$/)
    assert.deepEqual([code, left], [0, 1])
  })

  it('--whole resolves what the backfill brought', async () => {
    const { code, text, unresolved: left } = await replayed('--whole')
    assert.match(text, /\ndifferent: .*btc_inputs/)
    assert.deepEqual([code, left], [1, 0])
  })
})
