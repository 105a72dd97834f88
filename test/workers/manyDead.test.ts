/** A node that was broken for long: more batches gave up than are looked at in one go. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { BlockHead } from '../../stages/stage.js'
import { openPlanner } from '../support/planner.js'
import { freshStore } from '../support/servers.js'

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
const headOf = (number: number): BlockHead => ({ number, hash: hashOf(number), parentHash: hashOf(number - 1), time: 1_700_000_000 + number })

describe('a backfill above thousands of batches that gave up', function () {
  this.timeout(60_000)

  const openAbove = async (stage: 'ingest' | 'normalize') => {
    const { store } = await freshStore()
    const dead = 2_100, top = dead * 8 + 40
    await store.execute(`INSERT INTO plans (chain, seq, kind, from_block, to_block, hash, parent_hash, generation, target, floor, writer, at)
      SELECT 'ETH', 1, 'plan', number * 8 + 1, number * 8 + 8, concat('0x', leftPad(lower(hex(number * 8 + 8)), 64, '0')), '', 0, 'follow', 1, 'test', now64(3) FROM numbers({dead:UInt32})`, { dead })
    await store.execute(`INSERT INTO dead_letters (id, chain, stage, from_block, to_block, hash, generation, code, cause, endpoint, attempts, state, first_at, at)
      SELECT concat({stage:String}, '|ETH-', toString(from_block), '-', toString(to_block), '-', substring(hash, 3, 20), '-g0'), chain, {stage:String}, from_block, to_block, hash, 0, 'RPC_ERROR', 'broken', 'node', 8, 'dead', now64(3), now64(6) FROM plans`, { stage })
    if (stage === 'normalize') await store.execute("INSERT INTO batches (chain, stage, from_block, to_block, hash, generation) SELECT chain, 'ingest', from_block, to_block, hash, generation FROM plans")
    const planner = await openPlanner(store, { head: async () => ({ ...headOf(top), finalized: 0, endpoint: 'made' }), header: async (number) => (number > top ? null : headOf(number)) })
    for (let turn = 0; turn < 3; turn += 1) await planner.tick()
    const [row] = await store.query('SELECT count() AS planned FROM plans WHERE from_block > {last:UInt64} AND to_block <= {top:UInt64}', { last: dead * 8, top: top - 16 }, z.object({ planned: z.coerce.number() }))
    await planner.stop()
    return row?.planned
  }

  it('goes on: they wait for the operator, nothing waits for them', async () => {
    assert.equal(await openAbove('ingest'), 3)
  })

  it('stands still where they were fetched and a stage gave up on them, as behind any that is stuck', async () => {
    assert.equal(await openAbove('normalize'), 0)
  })
})
