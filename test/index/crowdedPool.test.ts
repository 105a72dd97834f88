/** A pool that one account trades in hundreds of times in a block, as anybody can in a pool of his own. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { freshStore } from '../support/servers.js'

const sandwiches = loadSql(new URL('../../stages/index/mev/x', import.meta.url).href, 'sandwiches.sql')

describe('a pool crowded with trades', function () {
  this.timeout(120_000)
  it('is left out, and hides no sandwich in another one', async () => {
    const { store } = await freshStore()
    const many = 600, half = many / 2
    await store.execute(`INSERT INTO transactions (chain, block_number, tx_index, tx_hash, from_address, to_address)
      SELECT 'ETH', 5, number, SHA256(toString(number)), toFixedString(if(number = {half:UInt32}, 'victim', 'trader'), 20), toFixedString(if(number = {half:UInt32}, 'other', 'hub'), 20) FROM numbers({many:UInt32})`, { many, half })
    for (const [pool, log, trades] of [['crowded', 0, `number FROM numbers(${many})`], ['calm', many, `arrayJoin([0, ${half}, ${many - 1}]) AS number`]] as const) {
      await store.execute(`INSERT INTO swap_legs (chain, block_number, log_index, tx_index, tx_hash, protocol, pool, sender, recipient, token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought, depth_sold, depth_bought)
        SELECT 'ETH', 5, {log:UInt32} + n, n, SHA256(toString(n)), 'v2_fork', toFixedString({pool:String}, 32), toFixedString('hub', 20), toFixedString('hub', 20), toFixedString(if(n <= {half:UInt32}, 'a', 'b'), 20), true, 100, toFixedString(if(n <= {half:UInt32}, 'b', 'a'), 20), true, 100, 1000000, 1000000
        FROM (SELECT toUInt32(number) AS n FROM (SELECT ${trades}))`, { pool, log, half })
    }
    await store.execute(sandwiches, { chain: 'ETH', from: 5, to: 5, generation: 0 }, { max_memory_usage: 1_000_000_000 })
    const legs = await store.query("SELECT trimRight(toString(pool), '\\0') AS pool, toString(role) AS role, tx_index AS tx FROM mev_legs ORDER BY position", {}, z.object({ pool: z.string(), role: z.string(), tx: z.number() }))
    assert.deepEqual(legs.map(({ pool, role, tx }) => [pool, role, tx]), [['calm', 'front', 0], ['calm', 'victim', half], ['calm', 'back', many - 1]])
  })
})
