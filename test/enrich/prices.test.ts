import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { freshStore } from '../support/servers.js'
import { at, coin, majors, putBlocks, putLogs, putSwaps, putTokens, run, units, usdc, usdt, weth, word } from './handmade.js'

const Price = z.object({ token: z.string(), block: z.coerce.number(), usd: z.number(), method: z.string(), trades: z.number(), depth: z.number() })
type Price = z.infer<typeof Price>
const prices = (store: Store): Promise<Price[]> => store.query(
  `SELECT concat('0x', lower(hex(token))) AS token, block_number AS block, round(usd, 6) AS usd, method, trades, depth_usd AS depth FROM prices ORDER BY token, block`, {}, Price)
const of = async (store: Store, token: string): Promise<Price[]> => (await prices(store)).filter((price) => price.token === token)

const token = at('a1')
const other = at('a2')
/** One WETH bought for `usd`, in a deep pool. */
const ethFor = (n: number, log: number, usd: number) => ({ n, log, sold: usdc, amountSold: units(usd, 6), depthSold: units(1_000_000, 6), bought: weth, amountBought: units(1, 18), depthBought: units(500, 18) })
/** `amount` of a token of 18 decimals bought for `eth` WETH. */
const tokenFor = (n: number, log: number, amount: number, eth: number, bought = token) =>
  ({ n, log, sold: weth, amountSold: units(eth, 18), depthSold: units(100, 18), bought, amountBought: units(amount, 18), depthBought: units(1_000_000, 18) })

/** An aggregator's answer, in hundred-millionths of a dollar. */
const answer = (n: number, address: string, value: bigint, log = 9) =>
  ({ n, log, address, topics: ['0x0559884fd3a460db3073b7fc896cc77986f16e378210ded43186175bf646fc5f', word(value), word(7n)] })
const usdcFeed = '0x789190466e21a8b78b8027866cbbdc151542a26c'

describe('prices', () => {
  const fresh = async (): Promise<Store> => {
    const { store } = await freshStore()
    await putTokens(store, [...majors, { address: token, symbol: 'TKN', decimals: 18 }, { address: other, symbol: 'OTH', decimals: 18 }, { address: at('a3'), symbol: 'ODD', decimals: null }])
    await putBlocks(store, 1, 40)
    return store
  }

  it('pegs stablecoins that were traded at $1', async () => {
    const store = await fresh()
    await putSwaps(store, [ethFor(3, 0, 2000)])
    await run(store, enrichStatements, [[1, 4]])
    assert.deepEqual(await of(store, usdc), [{ token: usdc, block: 3, usd: 1, method: 'peg', trades: 0, depth: 0 }])
  })

  it('takes a stablecoin for what its oracle says while that is off by more than half a percent, and all that is priced through it', async () => {
    const store = await fresh()
    const dollars = (n: number, log: number, paid: string) => ({ ...ethFor(n, log, 2000), sold: paid })
    await putLogs(store, [answer(2, usdcFeed, 99_500_000n), answer(4, usdcFeed, 90_000_000n, 8), answer(4, usdcFeed, 88_000_000n), answer(8, usdcFeed, 99_900_000n), answer(9, usdcFeed, 0n)])
    await putSwaps(store, [dollars(3, 0, usdc), dollars(5, 0, usdc), { ...tokenFor(5, 1, 100, 5), sold: usdc, amountSold: units(1000, 6), depthSold: units(100_000, 6) },
      { ...tokenFor(5, 2, 100, 5), sold: usdc, amountSold: units(9000, 6), depthSold: units(55_000, 6) }, { n: 5, log: 3, sold: usdc, amountSold: units(40, 6), bought: usdt, amountBought: units(35, 6) },
      dollars(9, 0, usdc)])
    await run(store, enrichStatements, [[1, 4], [5, 7], [8, 20]])
    assert.deepEqual((await of(store, usdc)).map((price) => [price.block, price.usd, price.method, price.trades, price.depth]),
      [[2, 1, 'peg', 1, 0], [3, 1, 'peg', 0, 0], [4, 0.88, 'chainlink', 2, 0], [5, 0.88, 'chainlink', 0, 0], [8, 1, 'peg', 1, 0], [9, 1, 'peg', 0, 0]])
    assert.deepEqual((await of(store, usdt)).map((price) => [price.block, price.usd, price.method]), [[5, 1, 'peg']])
    // $2,000 at block 3, $1,760 at block 5 and $2,000 at block 9, over a minute; the shallow pool holds less than $50,000 at that price.
    assert.deepEqual((await of(store, coin)).map((price) => [price.block, price.usd, price.depth]), [[3, 2000, 1_000_000], [5, 1880, 1_000_000], [9, 1880, 1_000_000]])
    assert.deepEqual((await of(store, token)).map((price) => [price.block, price.usd, price.method, price.depth]), [[5, 8.8, 'vwap', 88_000]])
    const valued = await store.query('SELECT log_index AS log, round(value_usd, 6) AS usd, price_method AS method FROM swaps WHERE block_number = 5 AND log_index IN (1, 3) ORDER BY log', {}, z.unknown())
    assert.deepEqual(valued, [{ log: 1, usd: 880, method: 'chainlink' }, { log: 3, usd: 35, method: 'peg' }])
  })

  it('holds a stablecoin at its peg again when its oracle has said nothing for an hour', async () => {
    const store = await fresh()
    await putBlocks(store, 41, 320)
    await putLogs(store, [answer(1, usdcFeed, 95_000_000n)])
    await putSwaps(store, [ethFor(301, 0, 2000), ethFor(302, 0, 2000)])
    await run(store, enrichStatements, [[1, 200], [201, 320]])
    assert.deepEqual((await of(store, usdc)).map((price) => [price.block, price.usd, price.method]), [[1, 0.95, 'chainlink'], [301, 0.95, 'chainlink'], [302, 1, 'peg']])
  })

  it('prices staked ether by its oracle, and by the market where that did not answer', async () => {
    const store = await fresh(), steth = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84'
    await putTokens(store, [{ address: steth, symbol: 'stETH', decimals: 18 }])
    await putLogs(store, [answer(4, '0xda31bc2b08f22ae24aed5f6eb1e71e96867ba196', 195_000_000_000n)])
    await putSwaps(store, [ethFor(3, 0, 2000), tokenFor(4, 0, 5, 5, steth), tokenFor(5, 0, 5, 5, steth)])
    await run(store, enrichStatements, [[1, 6]])
    assert.deepEqual((await of(store, steth)).map((price) => [price.block, price.usd, price.method]), [[4, 1950, 'chainlink'], [5, 2000, 'vwap']])
  })

  it('weighs the coin over a minute by volume, for itself and its wrapped token', async () => {
    const store = await fresh()
    await putSwaps(store, [ethFor(3, 0, 2000), ethFor(3, 1, 2200), ethFor(5, 0, 2100), ethFor(20, 0, 2050)])
    await run(store, enrichStatements, [[1, 20]])
    const expected = [[3, 2100, 2], [5, 2100, 3], [20, 2050, 1]] as const
    for (const address of [coin, weth]) {
      assert.deepEqual(await of(store, address), expected.map(([block, usd, trades]) => ({ token: address, block, usd, method: 'vwap', trades, depth: 1_000_000 })))
    }
  })

  it('prefers an oracle within the hour to the market', async () => {
    const store = await fresh()
    await putLogs(store, [answer(4, '0xe62b71cf983019bff55bc83b48601ce8419650cc', 199_000_000_000n), answer(6, at('66'), 199_000_000_000n)])
    await putSwaps(store, [ethFor(3, 0, 2000), ethFor(5, 0, 2100)])
    await run(store, enrichStatements, [[1, 20]])
    assert.deepEqual((await of(store, weth)).map((price) => [price.block, price.usd, price.method]), [[3, 2000, 'vwap'], [4, 1990, 'chainlink']])
  })

  it('goes by no answer of an oracle that a late writer left of the block that stood there before', async () => {
    const { store } = await freshStore()
    await putTokens(store, majors)
    await putBlocks(store, 10, 10, 1)
    await putSwaps(store, [{ ...ethFor(10, 1, 2_000), generation: 1 }])
    await store.execute(`INSERT INTO prices SELECT 'ETH', toFixedString('', 20), 10, toDateTime64(1700000120, 3, 'UTC'), toFixedString('x', 32), 1500, 'chainlink', 1, 0, 0`)
    await run(store, enrichStatements, [[10, 10]], 1)
    assert.deepEqual((await of(store, coin)).filter(({ method }) => method !== 'chainlink').map(({ usd, method }) => [usd, method]), [[2_000, 'vwap']])
  })

  it('prices a token through the coin, and another through that token', async () => {
    const store = await fresh()
    await putSwaps(store, [ethFor(2, 0, 2000), tokenFor(3, 0, 100, 5),
      { n: 3, log: 1, sold: token, amountSold: units(10, 18), depthSold: units(600, 18), bought: other, amountBought: units(40, 18), depthBought: '1' }])
    await run(store, enrichStatements, [[1, 4]])
    assert.deepEqual(await of(store, token), [{ token, block: 3, usd: 100, method: 'vwap', trades: 1, depth: 200_000 }])
    assert.deepEqual(await of(store, other), [{ token: other, block: 3, usd: 25, method: 'two_hop', trades: 1, depth: 60_000 }])
  })

  it('takes no price from untrusted pools, aggregators, shallow pools, dust or unknown decimals', async () => {
    const store = await fresh()
    const odd = at('a3')
    await putSwaps(store, [ethFor(2, 0, 2000), { ...tokenFor(3, 0, 100, 5), trusted: false }, { ...tokenFor(3, 1, 100, 5), aggregator: true },
      { ...tokenFor(3, 2, 100, 5), depthSold: units(19, 18) }, tokenFor(3, 3, 1, 0.0001), tokenFor(3, 4, 100, 5, odd),
      { ...ethFor(3, 5, 9000), depthSold: units(49_999, 6) }])
    await run(store, enrichStatements, [[1, 4]])
    assert.deepEqual((await prices(store)).map((price) => `${price.token} ${price.block}`), [`${coin} 2`, `${usdc} 2`, `${usdc} 3`, `${weth} 2`].sort())
  })

  it('drops trades beyond a factor of three of the hour before', async () => {
    const store = await fresh()
    await putSwaps(store, [ethFor(2, 0, 2000), tokenFor(3, 0, 100, 5), tokenFor(4, 0, 100, 5.1), tokenFor(5, 0, 100, 16), tokenFor(6, 0, 100, 5), tokenFor(6, 1, 100, 1.6), tokenFor(30, 0, 100, 14)])
    await run(store, enrichStatements, [[1, 40]])
    assert.deepEqual((await of(store, token)).map((price) => [price.block, price.usd, price.trades]), [[3, 100, 1], [4, 101, 2], [6, 302 / 3, 3], [30, 280, 1]].map(([b, u, t]) => [b, Math.round((u ?? 0) * 1e6) / 1e6, t]))
  })

  it('takes no price from absurd amounts, whose sums would wrap', async () => {
    const store = await fresh()
    const half = (2n ** 255n).toString(), dollars = (2n ** 199n).toString(), cheap = at('a4')
    await putTokens(store, [{ address: cheap, symbol: 'CHP', decimals: 255 }])
    const absurd = (n: number, log: number, sold: string, bought: string) => ({ n, log, sold, amountSold: half, depthSold: half, bought, amountBought: half, depthBought: half })
    await putSwaps(store, [ethFor(2, 0, 2000), tokenFor(3, 0, 100, 5), { ...tokenFor(3, 1, 1, 5), amountBought: half }, { ...tokenFor(3, 2, 1, 5), amountBought: half },
      absurd(3, 3, usdc, weth), absurd(3, 4, usdt, weth), absurd(3, 5, usdc, token), absurd(3, 6, token, other), absurd(3, 7, weth, cheap),
      { ...ethFor(3, 8, 2000), amountSold: dollars }, { ...tokenFor(3, 9, 100, 5), sold: usdc, amountSold: dollars, depthSold: dollars },
      { n: 3, log: 10, sold: token, amountSold: dollars, depthSold: dollars, bought: other, amountBought: '1', depthBought: '1' }])
    await run(store, enrichStatements, [[1, 4]])
    assert.deepEqual((await prices(store)).filter(({ method }) => method !== 'peg').map(({ token: of, block, usd, trades }) => [of, block, usd, trades]).sort(),
      [[coin, 2, 2000, 1], [weth, 2, 2000, 1], [token, 3, 100, 1]].sort())
  })

  it('looks no further back than the floor', async () => {
    for (const [floor, found] of [[5, 0], [0, 1]] as const) {
      const store = await fresh()
      await putSwaps(store, [ethFor(2, 0, 2000), tokenFor(5, 0, 100, 5)])
      await run(store, enrichStatements, [[1, 4]])
      await run(store, enrichStatements, [[5, 6]], 0, floor)
      assert.equal((await of(store, token)).length, found)
    }
  })

  it('does not depend on how blocks are cut into batches', async function () {
    this.timeout(120_000)
    const swaps = Array.from({ length: 20 }, (_, i) => i + 1).flatMap((n) => [ethFor(n, 0, 2000 + (n * 37) % 91), tokenFor(n, 1, 100 + n % 7, 5 + (n % 5) / 3), tokenFor(n, 2, 100, n % 9 === 0 ? 30 : 5),
      { n, log: 3, sold: usdt, amountSold: units(333 + n, 6), depthSold: units(80_000, 6), bought: token, amountBought: units(3.1, 18), depthBought: '1' },
      { n, log: 4, sold: token, amountSold: units(10 + n, 18), depthSold: units(9_000, 18), bought: other, amountBought: units(40, 18), depthBought: '1' }])
    const digests = await Promise.all([[[1, 20]], Array.from({ length: 20 }, (_, i) => [i + 1, i + 1]), [[1, 7], [8, 19], [20, 20]]].map(async (ranges) => {
      const store = await fresh()
      await putSwaps(store, swaps)
      await putLogs(store, [answer(3, usdcFeed, 97_000_000n), answer(8, usdcFeed, 93_000_000n), answer(14, usdcFeed, 100_000_000n)])
      await run(store, enrichStatements, ranges as [number, number][])
      return store.query('SELECT *, toString(hex(reinterpretAsUInt64(usd))) AS bits FROM prices ORDER BY token, block_number', {}, z.unknown())
    }))
    assert.ok((digests[0]?.length ?? 0) > 80)
    assert.deepEqual(digests[1], digests[0])
    assert.deepEqual(digests[2], digests[0])
  })

  for (const [when, ranges] of [['in a backfill', [[1, 20]]], ['in two batches', [[1, 9], [10, 20]]], ['at the tip', Array.from({ length: 20 }, (_, i): [number, number] => [i + 1, i + 1])]] as readonly [string, [number, number][]][]) {
    it(`measures a token against all of the hour before, whatever it was traded for then, ${when}`, async () => {
      const [first, second] = [token, at('a4')]
      const store = await fresh()
      await putTokens(store, [{ address: second, symbol: 'SEC', decimals: 18 }])
      const through = (n: number, log: number, quote: string, amount: number) => ({ n, log, sold: quote, amountSold: units(10, 18), depthSold: units(600, 18), bought: other, amountBought: units(amount, 18), depthBought: '1' })
      await putSwaps(store, [ethFor(2, 0, 2000), tokenFor(3, 0, 100, 5, first), through(3, 1, first, 40), ethFor(10, 0, 2000), tokenFor(10, 1, 100, 5, second), through(10, 2, second, 5)])
      await run(store, enrichStatements, ranges)
      // Through the second it would be $200, eight times what it was an hour's part before.
      assert.deepEqual((await of(store, other)).map((price) => [price.block, price.usd, price.method]), [[3, 25, 'two_hop']])
    })
  }
})
