/** What a block of Bitcoin is worth: wrapped bitcoin on Ethereum, then the oracle of the perps venue, each as it was known within the hour before the block. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { listsOf } from '../../stages/lists.js'
import { countsOf, runStatements } from '../../stages/stage.js'
import { priceWbtc } from '../api/support/bitcoin.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { insertBlocks } from '../support/btcLedger.js'
import { freshStore } from '../support/servers.js'

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
  const price = (from: number, to: number): Promise<unknown> => runStatements(listsOf('BTC').enrich.map((group) => group.filter(({ writes }) => writes === 'prices')), { ...bitcoinBatch(from, to, 0), hash: `x${from} ${to}` }, bitcoinContext(store))
  const prices = async (): Promise<unknown[]> => (await store.query("SELECT toFloat64(block_number) AS block, usd, toString(method) AS method, trades, depth_usd FROM prices WHERE chain = 'BTC' ORDER BY block",
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
})
