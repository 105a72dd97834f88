/** Which blocks have a price of their coin: of Bitcoin by themselves, of Ethereum by the newest price of the hour before them. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { freshStore } from '../support/servers.js'

const statement = (without: string) => loadSql(new URL('../../api/x', import.meta.url).href, 'unpricedBlocks.sql', without)
const Row = z.object({ blocks: z.number(), unpriced: z.number(), first: z.number(), last: z.number() })
/** Not at a full hour. */
const start = Date.UTC(2024, 0, 1, 10, 20)

describe('blocks without a price', function () {
  this.timeout(60_000)
  let store: Store
  /** Blocks by seconds after the start, the first of them block 100. */
  const put = (table: string, chain: string, seconds: readonly number[]): Promise<number> => store.execute(`INSERT INTO {table:Identifier} (chain, block_number, block_time)
    SELECT {chain:String}, 99 + at.2, fromUnixTimestamp64Milli({start:Int64} + 1000 * at.1) FROM (SELECT arrayJoin(arrayZip({seconds:Array(Int64)}, arrayEnumerate({seconds:Array(Int64)}))) AS at)`, { table, chain, seconds, start })
  const price = (chain: string, block: number, second: number): Promise<number> => store.execute(`INSERT INTO prices (chain, token, block_number, block_time, usd, method)
    SELECT {chain:String}, toFixedString('', 20), {block:UInt64}, fromUnixTimestamp64Milli({start:Int64} + 1000 * {second:Int64}), 2000, 'vwap'`, { chain, block, second, start })
  const ask = async (chain: string, more: object = {}): Promise<unknown[]> => {
    const [row] = await store.query(statement(chain === 'BTC' ? 'Ethereum' : 'Bitcoin'), { chain, low: 0, newest: 1_000, since: 0, until: Date.UTC(2200, 0), ...more }, Row)
    return [row?.blocks, row?.unpriced, row?.first, row?.last]
  }
  before(async () => { ({ store } = await freshStore()) })

  it('of Ethereum are those that no price of the hour before reaches', async () => {
    assert.deepEqual(await ask('ETH'), [0, 0, 0, 0])
    // 100 is before any price; 102 in the next full hour, 103 an hour after the price to the second, 104 a second later, 105 two hours later; 106 has one of its own.
    await put('blocks', 'ETH', [-12, 0, 3_000, 3_600, 3_601, 7_300, 20_000])
    assert.deepEqual(await ask('ETH'), [7, 7, 100, 106])
    await price('ETH', 101, 0)
    await price('ETH', 106, 20_000)
    assert.deepEqual(await ask('ETH'), [7, 3, 100, 105])
    assert.deepEqual(await ask('ETH', { low: 102, newest: 104 }), [3, 1, 104, 104])
    assert.deepEqual(await ask('ETH', { since: start + 3_000_000, until: start + 3_600_000 }), [2, 0, 0, 0])
    assert.deepEqual(await ask('ETH', { since: start + 3_600_001 }), [3, 2, 104, 105])
  })

  it('of Bitcoin are those without one of their own', async () => {
    await put('btc_blocks', 'BTC', [0, 600, 1_200])
    await price('BTC', 101, 600)
    assert.deepEqual([await ask('BTC'), await ask('BTC', { newest: 101 }), await ask('BTC', { since: start + 600_000, until: start + 600_000 })], [[3, 2, 100, 102], [2, 1, 100, 100], [1, 0, 0, 0]])
  })
})
