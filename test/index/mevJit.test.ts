/** Just-in-time liquidity: what counts as taking a position down, and which part of it what was earned is counted of. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { indexStatements } from '../../stages/index/statements.js'
import { at, majors, putBlocks, putTokens, run, usdc, weth, word } from '../enrich/handmade.js'
import { freshStore } from '../support/servers.js'

const extracted = indexStatements.map((group) => group.filter(({ writes }) => writes === 'mev_legs' || writes === 'mev')).filter((group) => group.length > 0)
const [v3, v4, owner] = [at('90'), '0x000000000004444c5dc75cb358380d2e3de08a90', at('77')] as const
const topics = {
  mint: '7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde', burn: '0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c',
  collect: '70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0', modify: 'f208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec',
}
const hex = (...words: readonly bigint[]): string => words.map((one) => word(one < 0n ? one + (1n << 256n) : one).slice(2)).join('')
const [dollars, coins] = [(whole: number): bigint => BigInt(whole) * 10n ** 6n, (whole: number): bigint => BigInt(whole) * 10n ** 18n]
const id = 'ab'.repeat(32)

/** One event of the position in `block`. */
interface Told { readonly block: number; readonly tx: number; readonly n: number; readonly event: keyof typeof topics; readonly liquidity?: bigint; readonly usdc?: number; readonly weth?: number }
const tell = async (store: Store, events: readonly Told[]): Promise<void> => {
  for (const { block, tx, n, event, liquidity = 0n, usdc: left = 0, weth: right = 0 } of events) {
    const amounts = [dollars(left), coins(right)] as const
    const [shape, ticks] = [event === 'modify', [hex(100n), hex(200n)] as const]
    const data = { mint: hex(BigInt(owner), liquidity, ...amounts), burn: hex(liquidity, ...amounts), collect: hex(BigInt(owner), ...amounts), modify: ticks.join('') + hex(liquidity, 0n) }[event]
    await store.execute(`INSERT INTO logs (chain, block_number, log_index, block_hash, block_time, tx_index, tx_hash, address, topic_count, topic0, topic1, topic2, topic3, data)
      SELECT 'ETH', block_number, {n:UInt32}, block_hash, block_time, {tx:UInt32}, SHA256(toString({tx:UInt32})), unhex({address:String}), {count:UInt8}, unhex({t0:String}), unhex({t1:String}), unhex({t2:String}), unhex({t3:String}), unhex({data:String}) FROM blocks WHERE block_number = {block:UInt64}`,
    { block, tx, n, data, address: (shape ? v4 : v3).slice(2), count: shape ? 3 : 4, t0: topics[event], t1: shape ? id : owner.slice(2).padStart(64, '0'), t2: shape ? owner.slice(2).padStart(64, '0') : ticks[0], t3: shape ? '' : ticks[1] })
  }
}

const liquidity = 10n ** 15n
/** Of each block: transactions 0 and 2 of one sender, with a stranger's swap in transaction 1 and log 3 between them. */
const cases: readonly (readonly Told[])[] = [
  // 1: in, and only fees out. 2: the same in V4. 3: all of it taken down. 4: a quarter of it. 5: as much again that was there before is taken down with it.
  [{ block: 1, tx: 0, n: 1, event: 'mint', liquidity, usdc: 100_000, weth: 50 }, { block: 1, tx: 2, n: 5, event: 'burn' }, { block: 1, tx: 2, n: 6, event: 'collect', usdc: 3 }],
  [{ block: 2, tx: 0, n: 1, event: 'modify', liquidity }, { block: 2, tx: 2, n: 5, event: 'modify' }],
  [{ block: 3, tx: 0, n: 1, event: 'mint', liquidity, usdc: 100_000, weth: 50 }, { block: 3, tx: 2, n: 5, event: 'burn', liquidity, usdc: 100_000, weth: 50 }, { block: 3, tx: 2, n: 6, event: 'collect', usdc: 100_003, weth: 50 }],
  [{ block: 4, tx: 0, n: 1, event: 'mint', liquidity, usdc: 100_000, weth: 48 }, { block: 4, tx: 2, n: 5, event: 'burn', liquidity: liquidity / 4n, usdc: 25_000, weth: 12 }, { block: 4, tx: 2, n: 6, event: 'collect', usdc: 25_003, weth: 12 }],
  [{ block: 5, tx: 0, n: 1, event: 'mint', liquidity, usdc: 100_000, weth: 50 }, { block: 5, tx: 2, n: 5, event: 'burn', liquidity: 2n * liquidity, usdc: 200_000, weth: 100 }, { block: 5, tx: 2, n: 6, event: 'collect', usdc: 200_003, weth: 100 }],
  // 6: V4, taken down.
  [{ block: 6, tx: 0, n: 1, event: 'modify', liquidity }, { block: 6, tx: 2, n: 5, event: 'modify', liquidity: -liquidity }],
  // 7: half of amounts whose product with the liquidity is more than 256 bits hold.
  [{ block: 7, tx: 0, n: 1, event: 'mint', liquidity: 2n ** 120n, usdc: 2 ** 150, weth: 50 }, { block: 7, tx: 2, n: 5, event: 'burn', liquidity: 2n ** 119n, usdc: 2 ** 149, weth: 25 }, { block: 7, tx: 2, n: 6, event: 'collect', usdc: 2 ** 149, weth: 25 }],
]

describe('just-in-time liquidity', function () {
  this.timeout(60_000)
  it('is what was made and taken down again, and what stays in or was there before is neither loss nor gain', async () => {
    const { store } = await freshStore()
    await putTokens(store, majors)
    await putBlocks(store, 1, cases.length)
    await store.execute('TRUNCATE TABLE transactions')
    for (const [index, from] of [at('e1'), at('e2'), at('e1')].entries()) {
      await store.execute(`INSERT INTO transactions (chain, block_number, tx_index, block_hash, block_time, tx_hash, from_address, to_address, gas_used, gas_price, status)
        SELECT 'ETH', block_number, {index:UInt32}, block_hash, block_time, SHA256(toString({index:UInt32})), unhex({from:String}), unhex({to:String}), 0, 0, 1 FROM blocks`, { index, from: from.slice(2), to: owner.slice(2) })
    }
    for (const [token, usd] of [[at(''), 2_000], [weth, 2_000], [usdc, 1]] as const) await store.execute(`INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'ETH', unhex({token:String}), block_number, block_time, {usd:Float64}, 'made' FROM blocks`, { token: token.slice(2), usd })
    await tell(store, cases.flat())
    await store.execute(`INSERT INTO swap_legs (chain, block_number, log_index, block_hash, block_time, tx_index, tx_hash, protocol, trusted, pool, token_sold, token_sold_known, amount_sold, token_bought, token_bought_known, amount_bought)
      SELECT 'ETH', block_number, 3, block_hash, block_time, 1, SHA256('1'), if(block_number IN (2, 6), 'uniswap_v4', 'uniswap_v3'), true, unhex(if(block_number IN (2, 6), {id:String}, {pool:String})), unhex({usdc:String}), true, 1000000000, unhex({weth:String}), true, toUInt256('500000000000000000') FROM blocks`,
    { id, pool: v3.slice(2).padStart(64, '0'), usdc: usdc.slice(2), weth: weth.slice(2) })
    await run(store, extracted, [[1, cases.length]])
    const rows = await store.query('SELECT block_number AS block, toString(kind) AS kind, grade, rule_version AS version, round(gross_usd, 6) AS gross FROM mev ORDER BY block_number', {}, z.object({ block: z.coerce.number(), kind: z.string(), grade: z.string(), version: z.number(), gross: z.number().nullable() }))
    const found = (block: number, grade: string, gross: number | null) => ({ block, kind: 'jit', grade, version: 4, gross })
    assert.deepEqual(rows, [found(3, 'high', 3), found(4, 'medium', 3), found(5, 'medium', 3), found(6, 'high', null)])
    const given = await store.query('SELECT sub, toString(amount_in) AS amount FROM mev_legs WHERE block_number = 4 AND role = \'mint\' ORDER BY sub', {}, z.object({ sub: z.number(), amount: z.string() }))
    assert.deepEqual(given.map(({ amount }) => amount), [String(dollars(25_000)), String(coins(12))])
  })
})
