/** Pools that one account trades in hundreds of times in a block, as anybody can in pools of his own. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import { freshStore } from '../support/servers.js'

const sql = (name: string) => loadSql(new URL('../../stages/index/mev/x', import.meta.url).href, `${name}.sql`)
const batch = { chain: 'ETH', from: 5, to: 5, floor: 0, generation: 0 }, little = { max_memory_usage: 1_000_000_000 }

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
    await store.execute(sql('sandwiches'), batch, little)
    const legs = await store.query("SELECT trimRight(toString(pool), '\\0') AS pool, toString(role) AS role, tx_index AS tx FROM mev_legs ORDER BY position", {}, z.object({ pool: z.string(), role: z.string(), tx: z.number() }))
    assert.deepEqual(legs.map(({ pool, role, tx }) => [pool, role, tx]), [['calm', 'front', 0], ['calm', 'victim', half], ['calm', 'back', many - 1]])
  })
})

describe('a transaction that goes round through thousands of tokens', function () {
  this.timeout(240_000)
  it('is one arbitrage, found and valued within memory that does not grow with their square', async () => {
    const { store } = await freshStore()
    const many = 3_000
    const token = (number: string): string => `toFixedString(substring(SHA256(toString(${number})), 1, 20), 20)`
    await store.execute("INSERT INTO blocks (chain, block_number, internal_complete) SELECT 'ETH', 5, true")
    await store.execute("INSERT INTO transactions (chain, block_number, tx_index, from_address, to_address) SELECT 'ETH', 5, 0, toFixedString('trader', 20), toFixedString('hub', 20)")
    // The last trade brings half again of what the first gave.
    await store.execute(`INSERT INTO swap_legs (chain, block_number, log_index, tx_index, protocol, pool, token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought)
      SELECT 'ETH', 5, number, 0, 'v2_fork', toFixedString(if(number % 2 = 0, 'even', 'odd'), 32), ${token('number')}, true, 100, ${token('(number + 1) % {many:UInt32}')}, true, if(number + 1 = {many:UInt32}, 150, 100) FROM numbers({many:UInt32})`, { many })
    await store.execute(`INSERT INTO movements (chain, block_number, kind, position, tx_index, token, from_address, to_address, amount)
      SELECT 'ETH', 5, 'erc20', number * 2 + way, 0, if(way = 0, ${token('number')}, ${token('(number + 1) % {many:UInt32}')}), toFixedString(if(way = 0, 'hub', 'even'), 20), toFixedString(if(way = 0, 'even', 'hub'), 20), if(way = 1 AND number + 1 = {many:UInt32}, 150, 100)
      FROM numbers({many:UInt32}) ARRAY JOIN [0, 1] AS way`, { many })
    for (const name of ['arbitrages', 'mev']) await store.execute(sql(name), batch, little)
    const rows = await store.query(`SELECT toString(kind) AS kind, toString(grade) AS grade, legs, length(nets) AS nets, profit_token = ${token('0')} AS first, toString(profit_amount) AS profit FROM mev`, {},
      z.object({ kind: z.string(), grade: z.string(), legs: z.number(), nets: z.coerce.number(), first: z.coerce.boolean(), profit: z.string() }))
    assert.deepEqual(rows, [{ kind: 'arbitrage', grade: 'high', legs: many, nets: 1, first: true, profit: '50' }])
  })
})

describe('positions that are made and taken down thousands of times in a block', function () {
  this.timeout(240_000)
  it('are left out where as many trade beside them, and hide none in another pool', async () => {
    const { store } = await freshStore()
    for (const [index, from] of ['maker', 'stranger', 'maker'].entries()) await store.execute("INSERT INTO transactions (chain, block_number, tx_index, from_address, to_address) SELECT 'ETH', 5, {index:UInt32}, toFixedString({from:String}, 20), toFixedString('hub', 20)", { index, from })
    const word = (number: string): string => `unhex(leftPad(hex(toUInt64(${number})), 64, '0'))`
    const events = [['7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde', 0, `concat(${word('0')}, ${word('9')}, ${word('5')}, ${word('6')})`], ['0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c', 2, `concat(${word('9')}, ${word('5')}, ${word('6')})`]] as const
    // Of each pool: positions, how often each is made and taken down, trades between.
    const pools = [['crowded', 1_500, 1, 1_500], ['calm', 1, 1, 1], ['long', 1, 2_000, 1]] as const
    for (const [place, [pool, positions, times, trades]] of pools.entries()) {
      for (const [topic, tx, data] of events) {
        await store.execute(`INSERT INTO logs (chain, block_number, log_index, tx_index, address, topic_count, topic0, topic1, topic2, topic3, data)
          SELECT 'ETH', 5, {tx:UInt32} * 100000 + {place:UInt32} * 10000 + number, {tx:UInt32}, toFixedString({pool:String}, 20), 4, unhex({topic:String}), ${word('1')}, ${word('number % {positions:UInt32}')}, ${word('7')}, ${data} FROM numbers({many:UInt32})`,
        { tx, place, pool, topic, positions, many: positions * times })
      }
      await store.execute(`INSERT INTO swap_legs (chain, block_number, log_index, tx_index, protocol, trusted, pool, token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought)
        SELECT 'ETH', 5, 100000 + {place:UInt32} * 10000 + number, 1, 'uniswap_v3', true, toFixedString(concat(toFixedString('', 12), toFixedString({pool:String}, 20)), 32), toFixedString('a', 20), true, 100, toFixedString('b', 20), true, 100 FROM numbers({trades:UInt32})`, { place, pool, trades })
    }
    await store.execute(sql('jits'), batch, little)
    const rows = await store.query("SELECT trimBoth(toString(substring(pool, 13)), '\\0') AS pool, toString(role) AS role, toString(grade) AS grade, count() AS legs FROM mev_legs GROUP BY pool, role, grade ORDER BY pool, role", {}, z.object({ pool: z.string(), role: z.string(), grade: z.string(), legs: z.coerce.number() }))
    const of = (pool: string, times: number) => ['burn', 'mint', 'swap'].map((role) => ({ pool, role, grade: 'high', legs: role === 'swap' ? 1 : 2 * times }))
    assert.deepEqual(rows, [...of('calm', 1), ...of('long', 2_000)])
  })
})
