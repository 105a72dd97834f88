/** What of a ledger stands: the same as if no rollback, and nothing that one ended, had ever been written; and each row is compared with one place, however many rollbacks there were. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { stageNames } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import { ledgerOf, type Landing, type Row } from '../support/randomLedgers.js'
import { freshStore } from '../support/servers.js'

const sql = (file: string) => loadSql(new URL('../../x', import.meta.url).href, file)
const statements = [
  ['api/chainCoverage.sql', { venues: ['HL'] }], ['api/chainHoles.sql', { venues: ['HL'], chains: ['C1'], tolerated: [3] }], 
  ['workers/control_pending.sql', { chain: 'C1', after: 0, upto: 100_000, open: [], most: 1_000, stages: stageNames }],
] as const
const any = z.record(z.string(), z.unknown())

const put = async (store: Store, chains: readonly string[], plan: readonly Row[], landings: readonly Landing[]): Promise<void> => {
  await store.insert('plans', plan.map(({ from, to, ...row }) => ({ ...row, from_block: from, to_block: to, hash: 'x', parent_hash: '', target: 't', floor: 0, writer: 'w', at: new Date(Date.now() - 7_200_000 + 60_000 * row.seq).toISOString() })))
  await store.insert('batches', landings.map(({ chain, stage, from, to, generation, finished }) => ({ chain, stage, from_block: from, to_block: to, hash: 'x', generation, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: new Date(finished).toISOString() })))
  await store.insert('targets', chains.map((chain) => ({ chain, id: 't', kind: 'backfill', from_block: 0, to_block: 70, requested_by: 'test', requested_at: '2026-01-01T00:00:00Z' })))
  await store.execute("INSERT INTO blocks (chain, block_number, block_time) SELECT arrayJoin({chains:Array(String)}), number, toDateTime64(1700000000 + number, 3) FROM numbers(80)", { chains: [...chains] })
}

describe('what stands of a ledger', function () {
  this.timeout(60_000)

  it('is what is left when all that a rollback ended is taken away, with it', async () => {
    const chains = Array.from({ length: 24 }, (_, index) => `C${index}`), ledgers = chains.map((chain, index) => ledgerOf(chain, index + 1, [0, 5, 15, 30][index % 4] ?? 0))
    const plan = ledgers.flatMap((ledger) => ledger.plan), landings = ledgers.flatMap((ledger) => ledger.landings), ends = plan.filter(({ kind }) => kind === 'rollback')
    const planned = plan.filter((one) => one.kind === 'plan' && !ends.some((end) => end.chain === one.chain && end.seq > one.seq && one.to >= end.from))
    const landed = landings.filter((one) => !ends.some((end) => end.chain === one.chain && end.generation > one.generation && one.to >= end.from))
    assert.ok(ends.length > 100 && planned.length > 300 && landed.length < landings.length - 300, `${ends.length} rollbacks, ${planned.length} batches are live of ${plan.length - ends.length}, ${landed.length} landings stand of ${landings.length}`)
    const [whole, left] = [(await freshStore()).store, (await freshStore()).store]
    await put(whole, chains, plan, landings)
    await put(left, chains, planned, landed)
    const live = (store: Store) => store.query('SELECT chain, seq, from_block, to_block, generation FROM live_batches ORDER BY chain, seq, from_block', {}, any)
    const expected = await live(left)
    assert.equal(expected.length, planned.length)
    assert.deepEqual(await live(whole), expected)
    for (const [file, params] of statements) {
      const [told, all] = await Promise.all([whole, left].map((store) => store.query(`SELECT * FROM (${sql(file).text.replace(/^--.*$/gm, '').replace(/SETTINGS .*/, '')}) ORDER BY ALL`, params, any)))
      assert.deepEqual(told, all, file)
      assert.ok((all ?? []).length > 0, file)
    }
  })

  it('is found with one comparison for each row: memory for all rollbacks beside each is not needed', async () => {
    const { store } = await freshStore(), room = { max_memory_usage: String(64 << 20), max_threads: 1 } as const
    // A rollback of its own behind every tenth block.
    await store.execute(`INSERT INTO plans (chain, seq, kind, from_block, to_block, generation)
      SELECT 'C1', number + 1, if(number % 11 = 10, 'rollback', 'plan') AS kind, intDiv(number, 11) * 10 + least(number % 11, 9) AS height, if(kind = 'rollback', 0, height), intDiv(number + 1, 11) FROM numbers(33000)`)
    await store.execute("INSERT INTO batches (chain, stage, from_block, to_block, generation) SELECT chain, arrayJoin(['normalize', 'enrich', 'index']), from_block, to_block, generation FROM plans WHERE kind = 'plan'")
    await store.execute("INSERT INTO blocks (chain, block_number) SELECT 'C1', number FROM numbers(30000)")
    assert.deepEqual(await store.query('SELECT toUInt32(count()) AS live FROM live_batches', {}, any, room), [{ live: 27_000 }])
    for (const [file, params] of statements) await store.query(sql(file), params, any, room)
  })

  it('of letters, is the same as by the whole ledger, and only the batches of letters are read for it', async () => {
    const chains = ['C1', 'C2', 'C3'], ledgers = chains.map((chain, index) => ledgerOf(chain, index + 1, index * 15)), { store } = await freshStore()
    await put(store, chains, ledgers.flatMap(({ plan }) => plan), ledgers.flatMap(({ landings }) => landings))
    // One of each batch there ever was at each stage, every seventh redriven, and two of stretches that no node has: of blocks that are wanted, and of others.
    await store.execute(`INSERT INTO dead_letters (id, chain, stage, from_block, to_block, hash, generation, state)
      SELECT concat(p.chain, ' ', stage, ' ', toString(p.seq), ' ', toString(p.from_block)) AS id, p.chain, arrayJoin({stages:Array(String)}) AS stage, p.from_block, p.to_block, p.hash, p.generation, if(cityHash64(id) % 7 = 0, 'redriven', 'dead') FROM plans AS p WHERE p.kind = 'plan'
      UNION ALL SELECT concat('lacking ', toString(at)), 'C1', 'ingest', arrayJoin([60, 71]) AS at, at + 5, '', 0, 'dead'`, { stages: stageNames })
    const told = await store.query('SELECT s.id AS id FROM standing_letters AS s ORDER BY s.id', {}, any)
    const whole = await store.query(`SELECT d.id AS id FROM dead_letters AS d FINAL WHERE d.state = 'dead' AND (d.id = 'lacking 60' OR (d.hash != '' AND (d.chain, d.from_block, d.to_block, d.generation) IN (SELECT l.chain, l.from_block, l.to_block, l.generation FROM live_batches AS l)
      AND (d.chain, d.stage, d.from_block, d.generation) NOT IN (SELECT b.chain, b.stage, b.from_block, b.generation FROM batches AS b))) ORDER BY d.id`, {}, any)
    assert.deepEqual(told, whole)
    assert.ok(told.length > 20 && told.some(({ id }) => id === 'lacking 60'), `${told.length} letters`)

    const { store: long } = await freshStore()
    await long.execute("INSERT INTO plans (chain, seq, kind, from_block, to_block, hash, generation, floor) SELECT 'C1', number + 1, 'plan', number, number, 'x', 0, 7 FROM numbers(300000)")
    await long.execute("INSERT INTO batches (chain, stage, from_block, to_block, hash, generation) SELECT 'C1', arrayJoin({stages:Array(String)}) AS name, number, number, 'x', 0 FROM numbers(300000) WHERE number != 700 OR name = 'ingest'", { stages: stageNames })
    await long.insert('dead_letters', ['ingest', 'normalize'].map((stage) => ({ id: stage, chain: 'C1', stage, from_block: 700, to_block: 700, hash: 'x', generation: 0, state: 'dead' })))
    assert.deepEqual(await long.query('SELECT s.id AS id, toFloat64(s.floor) AS floor FROM standing_letters AS s', {}, any, { max_rows_to_read: '100000' }), [{ id: 'normalize', floor: 7 }])
  })
})
