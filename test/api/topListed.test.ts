/** The top of a day put together from lists of segments is what adding up every movement gives, page by page, or it is not given at all. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { type Cut, readCut, readLikely, readTopListed } from '../../api/operations/wallets/readTopOf.js'
import { WalletRow } from '../../api/operations/wallets/wallet.js'
import { highestRank } from '../../api/pages.js'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { indexStatements } from '../../stages/index/statements.js'
import { givenBy } from '../../stages/stage.js'
import { freshStore } from '../support/servers.js'

const full = loadSql(new URL('../../api/operations/wallets/x', import.meta.url).href, 'topWallets.sql')
const statements = indexStatements.flat().filter(({ writes }) => ['address_transfers', 'top_segments'].includes(writes))
const segmentBlocks = 16, perBlock = 40
const Row = WalletRow.extend({ rank: z.string() })

/** Movements of blocks from..to: few addresses move much, sums tie, some are wraps, worthless, unpriced, beyond measure, to oneself or to nobody. */
const put = (store: Store, from: number, to: number): Promise<number> => store.execute(`
  INSERT INTO transfers (chain, block_number, kind, position, block_time, from_address, to_address, value_usd)
  SELECT 'ETH', intDiv(number, {perBlock:UInt64}), multiIf(number % 31 = 0, 'wrap', number % 37 = 0, 'unwrap', 'erc20'), number, fromUnixTimestamp64Milli(toInt64(1700000000000 + 12000 * intDiv(number, {perBlock:UInt64}))),
    toFixedString(unhex(leftPad(hex(if(number % 41 = 0, 0, a)), 40, '0')), 20), toFixedString(unhex(leftPad(hex(if(number % 43 = 0, a, b)), 40, '0')), 20),
    multiIf(number % 13 = 0, NULL, number % 17 = 0, 0, number = 4000, 1e30, number % 19 = 0, 0.0000001, pow(10, cityHash64(number, 3) % 6))
  FROM (SELECT number, toUInt32(exp(9 * (cityHash64(number, 1) % 100000) / 100000)) AS a, toUInt32(exp(9 * (cityHash64(number, 2) % 100000) / 100000)) AS b
    FROM numbers({from:UInt64} * {perBlock:UInt64}, ({to:UInt64} - {from:UInt64} + 1) * {perBlock:UInt64}))`, { from, to, perBlock })
const landed = (store: Store, stage: string, from: number, to: number, generation = 0): Promise<void> => store.insert('batches', [
  { chain: 'ETH', stage, from_block: from, to_block: to, hash: '', generation, rows: 0, bytes: 0, milliseconds: 0, endpoint: '', finished_at: '2026-01-01T00:00:00Z' }])
/** What the index stage does of a batch that enrich has landed. */
const index = async (store: Store, from: number, to: number, generation = 0): Promise<void> => {
  const params = { chain: 'ETH', from, to, generation, segmentBlocks }
  for (const sql of statements) await store.execute(sql, { ...params, ...(sql.given === undefined ? {} : await givenBy(sql.given, params, store)) })
  await landed(store, 'index', from, to, generation)
}
const pass = async (store: Store, from: number, to: number): Promise<void> => { await put(store, from, to); await landed(store, 'enrich', from, to); await index(store, from, to) }

/** A page of what may stand on one of `upTo`. */
const listedOf = async (store: Store, { first, newest }: { readonly first: number; readonly newest: number }, lists: Cut, rank: string, after: string, size: number, upTo = size) => {
  const span = { chain: 'ETH', first, newest } as const
  return readTopListed(store, span, segmentBlocks, lists, await readLikely(store, span, segmentBlocks, lists, rank, upTo), rank, after, size)
}

/** Compares every page of a span, of `size` rows; resolves to how many the lists gave and how many they left to the full statement. */
const compare = async (store: Store, first: number, newest: number, size: number): Promise<readonly [number, number]> => {
  let [given, left, rank, after] = [0, 0, highestRank, '']
  for (let page = 0; page < 5; page += 1) {
    const expected = await store.query(full, { chain: 'ETH', first, newest, rank, after, limit: size }, Row)
    const listed = await listedOf(store, { first, newest }, await readCut(store, { chain: 'ETH', first, newest }, segmentBlocks), rank, after, size, page === 0 ? 50 : size)
    if (listed === null) left += 1
    else { given += 1; assert.deepEqual(listed, expected, `page ${page} of ${first}…${newest}`) }
    const last = expected.at(-1)
    if (expected.length < size || last === undefined) break
    [rank, after] = [last.rank, last.address.slice(2)]
  }
  return [given, left]
}

describe('the top of a day from lists of segments', function () {
  this.timeout(120_000)
  const top = 12 * segmentBlocks - 1
  let whole: ReturnType<typeof freshStore>
  before(async () => {
    whole = freshStore()
    const { store } = await whole
    for (let from = 0; from <= top; from += 64) await pass(store, from, Math.min(from + 63, top))
  })

  it('gives the pages it can prove, with sums of the segments that left an address out', async () => {
    const { store } = await whole
    const [counted] = await store.query('SELECT count() AS segments, countIf(more) AS more, max(length(addresses)) AS longest FROM top_lists', {}, z.object({ segments: z.coerce.number(), more: z.coerce.number(), longest: z.coerce.number() }))
    assert.deepEqual(counted, { segments: 12, more: 12, longest: 400 })
    const [given] = await compare(store, 0, top, 40)
    assert.ok(given >= 3, `${given}`)
    const [counts] = await store.query(`SELECT count() AS sides FROM address_transfers WHERE kind NOT IN ('wrap', 'unwrap') AND value_usd > 0 AND (address, intDiv(block_number, 16)) NOT IN (SELECT arrayJoin(addresses), segment FROM top_segments)
      AND address IN (SELECT unhex(substring(address, 3)) FROM (${full.text.replace(/^--.*$/gm, '')}))`, { chain: 'ETH', first: 0, newest: top, rank: highestRank, after: '', limit: 100 }, z.object({ sides: z.coerce.number() }))
    assert.ok((counts?.sides ?? 0) > 0)
    const all = { chain: 'ETH', first: 0, newest: top } as const
    assert.equal(await listedOf(store, all, await readCut(store, all, segmentBlocks), '50000000', '', 20), null)
  })

  it('counts nothing of what an address pays itself, listed or not', async () => {
    const { store } = await freshStore()
    await store.execute(`INSERT INTO transfers (chain, block_number, kind, position, block_time, from_address, to_address, value_usd)
      SELECT 'ETH', number, 'erc20', 1, fromUnixTimestamp64Milli(toInt64(1700000000000)), char(1), if(number = 0, char(2), char(1)), if(number = 0, 5, 1000) FROM numbers(16)`)
    for (const list of [false, true]) {
      if (list) { await landed(store, 'enrich', 0, 15); await index(store, 0, 15) }
      assert.equal((await readCut(store, { chain: 'ETH', first: 0, newest: 15 }, segmentBlocks)).cut.length, list ? 0 : 1)
      await compare(store, 0, 15, 5)
    }
    // What a process of the version before writes over it is not read.
    await store.execute('INSERT INTO top_segments SELECT * REPLACE (1 AS counted_as, [1005]::Array(Int128) AS usd_outs) FROM top_segments')
    assert.deepEqual((await readCut(store, { chain: 'ETH', first: 0, newest: 15 }, segmentBlocks)).cut, [0])
    const page = await store.query(full, { chain: 'ETH', first: 0, newest: 15, rank: highestRank, after: '', limit: 5 }, Row)
    assert.deepEqual(page.map(({ transfers_in: ins, transfers_out: outs, volume_usd: volume }) => [ins, outs, volume]), [[0, 1, 5], [1, 0, 5]])
  })

  it('reads segments that the span cuts from the movements', async () => {
    const { store } = await whole
    for (const [first, newest] of [[5, top - 7], [16, top - 1], [1, 31], [3, 12], [17, 17]] as const) assert.ok((await compare(store, first, newest, 7))[0] >= 1, `${first}…${newest}`)
  })

  it('gives every page, ties and all, of segments that list everybody', async () => {
    const { store } = await whole
    const [given, left] = await compare(store, 33, 46, 50)
    assert.ok(given >= 4 && left === 0, `${given} ${left}`)
  })

  it('of batches smaller than a segment is the same', async () => {
    const [{ store }, { store: other }] = [await freshStore(), await whole]
    for (let from = 0; from <= 63; from += 5) await pass(store, from, Math.min(from + 4, 63))
    const lists = (of: Store) => of.query('SELECT toString(tuple(*)) AS row FROM top_lists WHERE segment < 4 ORDER BY segment', {}, z.object({ row: z.string() }))
    assert.deepEqual(await lists(store), await lists(other))
    assert.ok((await compare(store, 0, 63, 5))[0] >= 1)
    const all = { chain: 'ETH', first: 0, newest: 63 } as const, cut = await readCut(store, all, segmentBlocks)
    assert.equal((await listedOf(store, all, cut, highestRank, '', 5))?.length, 5)
    assert.equal(await listedOf(store, all, { ...cut, stamp: '1' }, highestRank, '', 5), null, 'lists that changed since prove nothing')
    const stood = await readLikely(store, all, segmentBlocks, cut, highestRank, 25)
    assert.equal((await readTopListed(store, all, segmentBlocks, cut, stood, highestRank, '', 5))?.length, 5)
    await store.execute('ALTER TABLE top_segments DELETE WHERE segment = 2 SETTINGS mutations_sync = 2')
    assert.equal(await listedOf(store, all, cut, highestRank, '', 5), null, 'a list that went since proves nothing')
    assert.equal(await readTopListed(store, all, segmentBlocks, cut, stood, highestRank, '', 5), null, 'nor does what was read of it before')
  })

  it('reads from the movements what was not indexed since it changed', async () => {
    const { store } = await freshStore()
    await pass(store, 0, 40)
    await put(store, 41, 63)
    await landed(store, 'enrich', 41, 63)
    const [given] = await compare(store, 0, 63, 5)
    assert.ok(given >= 1)
    await store.insert('rollbacks_applied', [{ chain: 'ETH', seq: 1, from_block: 0, generation: 1, step: 'deleted', epoch: 1, rows_deleted: 1, writer: 'w' }], 't')
    await store.execute('ALTER TABLE transfers DELETE WHERE position % 3 = 0 SETTINGS mutations_sync = 2')
    assert.ok((await compare(store, 0, 63, 5))[0] >= 1)
  })

  it('reads lists below a deletion on, and above it those written since; what was never indexed and is gone counts no more', async () => {
    const { store } = await freshStore()
    for (let from = 0; from < 64; from += 16) await pass(store, from, from + 15)
    const all = { chain: 'ETH', first: 0, newest: 63 } as const, cut = async (): Promise<readonly number[]> => (await readCut(store, all, segmentBlocks)).cut
    assert.deepEqual(await cut(), [])
    const rollBack = async (from: number, epoch: number): Promise<void> => {
      await store.execute('ALTER TABLE transfers DELETE WHERE block_number >= {from:UInt64} SETTINGS mutations_sync = 2', { from })
      await store.execute('ALTER TABLE address_transfers DELETE WHERE block_number >= {from:UInt64} SETTINGS mutations_sync = 2', { from })
      await store.insert('rollbacks_applied', ['begun', 'deleted', 'done'].map((step) => ({ chain: 'ETH', seq: epoch, from_block: from, generation: epoch, step, epoch: step === 'deleted' ? epoch : 0, rows_deleted: 1, writer: 'w' })), `t${epoch}`)
    }
    // One enriched batch of the highest segment is never indexed, and is deleted.
    await put(store, 60, 63)
    await landed(store, 'enrich', 60, 63)
    assert.deepEqual(await cut(), [3])
    await rollBack(60, 1)
    assert.deepEqual(await cut(), [3])
    const anew = async (from: number, to: number, generation: number): Promise<void> => {
      await put(store, from, to)
      await landed(store, 'enrich', from, to, generation)
      await index(store, from, to, generation)
    }
    await anew(60, 63, 1)
    assert.deepEqual(await cut(), [])
    await compare(store, 0, 63, 5)
    // Below a deletion, too, a list is none of what was enriched after it was written, whatever was deleted before.
    await put(store, 33, 33)
    await landed(store, 'enrich', 33, 33, 1)
    for (const block of [33, 34]) await index(store, block, block, 1)
    await put(store, 35, 35)
    await landed(store, 'enrich', 35, 35, 1)
    assert.deepEqual(await cut(), [2])
    await index(store, 35, 35, 1)
    assert.deepEqual(await cut(), [])
    await rollBack(16, 2)
    assert.deepEqual(await cut(), [1, 2, 3])
    await anew(16, 47, 2)
    assert.deepEqual(await cut(), [3])
  })
})
