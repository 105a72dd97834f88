/** The state digest leaves nothing out: what blocks lead to is in it, or is made of what is. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { stateDigest } from '../../stages/digest/digest.js'
import { chainLists } from '../../stages/lists.js'
import { freshStore } from '../support/servers.js'

describe('the state digest', function () {
  this.timeout(60_000)

  it('covers every table whose rows are of a block and a batch, and every aggregate', async () => {
    const { store } = await freshStore()
    const covered = new Set<string>()
    for (const [chain, { steps }] of Object.entries(chainLists)) {
      for (const { table } of (await stateDigest(store, chain, 1)).parts) covered.add(table)
      for (const table of steps) covered.add(table)
    }
    const named = async (having: string): Promise<string[]> => (await store.query(
      `SELECT table FROM system.columns WHERE database = currentDatabase() AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree') GROUP BY table HAVING ${having} ORDER BY table`,
      {}, z.object({ table: z.string() }))).map(({ table }) => table)
    assert.deepEqual((await named(`has(groupArray(name), 'block_number') AND has(groupArray(name), 'generation')`)).filter((table) => !covered.has(table)), [])
    const segments = await named(`has(groupArray(name), 'segment') AND has(groupArray(name), 'version')`)
    assert.ok(segments.length >= 6)
    assert.deepEqual(segments.map((table) => table.replace(/(_token)?_segments/, '')).filter((name) => !covered.has(`${name}_hours`) && !covered.has(`${name}_lists`)), [])
  })

  it('does not count what versions before left in tables that a chain no longer fills', async () => {
    const { store } = await freshStore(), digest = async (chain: string): Promise<string> => (await stateDigest(store, chain, 9)).digest, chains = Object.keys(chainLists)
    const before = await Promise.all(chains.map(digest))
    for (const chain of chains) await store.execute(`INSERT INTO movements (chain, block_number, kind, position, sub, block_time, amount, token_id, generation) SELECT {chain:String}, 1, 'native', 0, 0, now64(3), 1, 0, 1`, { chain })
    const changed = (await Promise.all(chains.map(digest))).map((one, index) => (one === before[index] ? '' : chains[index])).filter((chain) => chain !== '')
    assert.ok(changed.includes('ETH') && !changed.includes('BTC'), changed.join())
  })
})
