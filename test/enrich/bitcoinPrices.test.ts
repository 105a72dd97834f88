/** What a block of Bitcoin is worth: wrapped bitcoin on Ethereum, then the oracle of the perps venue, each as it was known within the hour before the block. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { listsOf } from '../../stages/lists.js'
import { countsOf, runStatements } from '../../stages/stage.js'
import { priceWbtc } from '../api/support/bitcoin.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { insertBlocks } from '../support/btcLedger.js'
import { freshStore } from '../support/servers.js'
import { at, majors, putBlocks, putSwaps, putTokens, run, units, usdc, weth } from './handmade.js'

/** Unix seconds of a made block: they are 600 s apart, those here more than an hour. */
const timeOf = (number: number): number => Date.UTC(2019, 0, 1) / 1_000 + number * 600
const heights = [10, 20, 30, 40, 50, 60]

describe('prices of Bitcoin', function () {
  this.timeout(60_000)
  let store: Store
  /** Says what the venue's oracle says, so many seconds before a block; heard just now, for what was heard long ago is not kept. */
  const hear = (block: number, before: number, px: string | null, [coin, dex, market]: readonly [string, string, string] = ['BTC', '', 'perp']): Promise<unknown> => store.insert('hl_contexts', [{
    chain: 'HL', block_number: 1, source: 'ws', heard_at: new Date().toISOString(), coin, market, dex, place: 0, time: new Date((timeOf(block) - before) * 1_000).toISOString(), mark_px: '1', oracle_px: px, prev_day_px: '1', day_notional: '1', generation: 0,
  }])
  const price = (from: number, to: number, of = store): Promise<unknown> => runStatements(listsOf('BTC').enrich.map((group) => group.filter(({ writes }) => writes === 'prices')), { ...bitcoinBatch(from, to, 0), hash: `x${from} ${to}` }, bitcoinContext(of))
  const prices = async (of = store): Promise<unknown[]> => (await of.query("SELECT toFloat64(block_number) AS block, usd, toString(method) AS method, trades, depth_usd FROM prices WHERE chain = 'BTC' ORDER BY block",
    {}, z.object({ block: z.number(), usd: z.number(), method: z.string(), trades: z.number(), depth_usd: z.number() }))).map((row) => Object.values(row))

  before(async () => {
    ({ store } = await freshStore())
    await insertBlocks(store, heights.map((number) => ({ number, txs: [{ coinbase: true, ins: [{ address: '', value: 0 }], outs: [{ address: 'm', value: 1 }] }] })))
    await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
    // Nothing names the coin of the venue's own list, or says a price.
    await hear(10, 1, '5', ['BTC', 'xyz', 'dex'])
    await hear(10, 2, '6', ['ETH', '', 'perp'])
    await hear(10, 3, null)
    await hear(10, 4, '0')
    // The newest before the block, of two at once the greater; none that came later.
    await hear(20, 3_000, '90000')
    await hear(20, 10, '97123.45')
    await hear(20, 10, '97123.4')
    await hear(20, -1, '99999')
    await hear(30, 3_601, '80000')
    // Wrapped bitcoin wins, however old within the hour.
    await hear(40, 1, '80000')
    await priceWbtc(store, timeOf(40) - 3_000, 70_000, 'vwap')
    await hear(50, 1, '80000')
    await priceWbtc(store, timeOf(50) - 3_601, 70_000)
    await hear(60, 3_600, '12345678.123456789')
  })

  it('are the oracle of the venue where wrapped bitcoin has none within the hour, exactly, however the blocks are cut into batches', async () => {
    const told = [[20, 97_123.45, 'hyperliquid_oracle', 1, 0], [40, 70_000, 'wbtc_vwap', 1, 0], [50, 80_000, 'hyperliquid_oracle', 1, 0], [60, 12_345_678.123456789, 'hyperliquid_oracle', 1, 0]]
    await price(10, 60)
    assert.deepEqual(await prices(), told)
    await store.execute("DELETE FROM prices WHERE chain = 'BTC'")
    for (const height of heights) await price(height, height)
    assert.deepEqual(await prices(), told)
  })
  it('are looked for as soon as anybody ever said one, and not before', async () => {
    const { store: other } = await freshStore()
    const told = async (of: Store): Promise<unknown> => (await countsOf(loadSql(import.meta.url, '../../stages/normalize/bitcoin/due.sql'), { chain: 'BTC', from: 10, to: 60, generation: 0 }, of))['told']
    assert.deepEqual([await told(store), await told(other)], [2, 0])
    await priceWbtc(other, timeOf(1), 70_000)
    assert.equal(await told(other), 1)
  })

  it('are those of wrapped bitcoin through another token, where nothing else says any: the trades of one moment on Ethereum, none that came later', async () => {
    const { store: other } = await freshStore()
    const wbtc = '0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', between = at('a1'), day = 256_166
    // Block 33 of Ethereum comes four seconds before the block of Bitcoin, block 34 eight after it.
    assert.equal(timeOf(day), 1_700_000_400)
    await putTokens(other, [...majors, { address: between, symbol: 'TKN', decimals: 18 }, { address: wbtc, symbol: 'WBTC', decimals: 8 }])
    await putBlocks(other, 1, 40)
    const forToken = (n: number, tokens: number) => ({ n, log: 2, sold: between, amountSold: units(tokens, 18), depthSold: units(600, 18), bought: wbtc, amountBought: units(1, 8), depthBought: '1' })
    await putSwaps(other, [33, 34].flatMap((n) => [
      { n, log: 0, sold: usdc, amountSold: units(2_000, 6), depthSold: units(1_000_000, 6), bought: weth, amountBought: units(1, 18), depthBought: units(500, 18) },
      { n, log: 1, sold: weth, amountSold: units(5, 18), depthSold: units(100, 18), bought: between, amountBought: units(100, 18), depthBought: units(1_000_000, 18) },
      forToken(n, n === 33 ? 400 : 420),
    ]))
    await run(other, enrichStatements, [[1, 40]])
    await insertBlocks(other, [day, day + 6, day + 7].map((number) => ({ number, txs: [{ coinbase: true, ins: [{ address: '', value: 0 }], outs: [{ address: 'm', value: 1 }] }] })))
    await other.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
    await price(day, day + 7, other)
    const hop = (block: number, usd: number) => [block, usd, 'wbtc_two_hop', 1, 60_000]
    assert.deepEqual(await prices(other), [hop(day, 40_000), hop(day + 6, 42_000)], 'and none that is more than an hour old')
    await other.execute("DELETE FROM prices WHERE chain = 'BTC'")
    await priceWbtc(other, timeOf(day) - 3_600, 41_000)
    await price(day, day, other)
    assert.deepEqual(await prices(other), [[day, 41_000, 'wbtc_chainlink', 1, 0]], 'an answer of Chainlink goes before')
  })
})
