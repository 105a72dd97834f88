import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { freshStore } from '../support/servers.js'
import { at, coin, majors, putBlocks, putMoves, putSwaps, putTokens, run, units, usdc, weth } from './handmade.js'

const fake = at('fe')
const odd = at('0d')
const token = at('a1')
const Transfer = z.object({ position: z.number(), symbol: z.string(), usd: z.number().nullable(), method: z.string(), sender: z.string(), receiver: z.string() })
const Swap = z.object({ log: z.number(), usd: z.number().nullable(), method: z.string(), side: z.string(), trader: z.string(), sold: z.string() })

const fresh = async (): Promise<Store> => {
  const { store } = await freshStore()
  await putTokens(store, [...majors, { address: fake, symbol: 'WETH', decimals: 18, source: 'node' }, { address: odd, symbol: 'ODD', decimals: null, source: 'node' }, { address: token, symbol: 'TKN', decimals: 18 }])
  await store.insert('labels', [{ chain: 'ETH', address: at('be'), label: 'Some Exchange', entity: 'some', category: 'exchange', source: 'test', rule: '', confidence: 90, licence: '',
    valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 }])
  await store.execute('SYSTEM RELOAD DICTIONARY label_of')
  await putBlocks(store, 1, 3)
  await putBlocks(store, 400, 400)
  await putSwaps(store, [{ n: 1, log: 0, sold: usdc, amountSold: units(2000, 6), depthSold: units(1e6, 6), bought: weth, amountBought: units(1, 18) }])
  return store
}
const transfers = (store: Store, block: number) => store.query(`SELECT position, token_symbol AS symbol, value_usd AS usd, price_method AS method,
  toString((from_label, from_entity, from_class)) AS sender, toString((to_label, to_entity, to_class)) AS receiver FROM transfers WHERE block_number = {block:UInt64} ORDER BY kind, position`, { block }, Transfer)

describe('transfers and swaps', () => {
  it('have a value where decimals and a price are known, and only there', async () => {
    const store = await fresh()
    const move = { n: 2, from: at('01'), to: at('be') }
    const some = '(\'Some Exchange\',\'some\',\'exchange\')'
    const nobody = '(\'\',\'\',\'unknown\')'
    await putMoves(store, [{ ...move, position: 0, kind: 'native', token: coin, amount: units(2, 18) }, { ...move, position: 1, token: weth, amount: units(0.5, 18) },
      { ...move, position: 2, token: usdc, amount: units(12.5, 6) }, { ...move, position: 3, token: fake, amount: units(1000, 18) }, { ...move, position: 4, token: odd, amount: '1000' },
      { ...move, position: 5, token: at('77'), amount: '5', from: at('be'), to: at('02') }, { ...move, position: 6, kind: 'erc721', token: weth, amount: '1' }])
    await run(store, enrichStatements, [[1, 3]])
    assert.deepEqual((await transfers(store, 2)).map(({ position, symbol, usd, method, sender, receiver }) => [position, symbol, usd, method, sender, receiver]), [
      [0, 'ETH', 4000, 'vwap', nobody, some], [1, 'WETH', 1000, 'vwap', nobody, some], [2, 'USDC', 12.5, 'peg', nobody, some], [3, 'WETH', null, '', nobody, some],
      [4, 'ODD', null, '', nobody, some], [5, '', null, '', some, nobody], [6, 'WETH', null, '', nobody, some]])
  })

  it('take no price older than an hour', async () => {
    const store = await fresh()
    await putMoves(store, [3, 400].map((n) => ({ n, position: 0, kind: 'native', token: coin, from: at('01'), to: at('02'), amount: units(1, 18) })))
    await run(store, enrichStatements, [[1, 3], [400, 400]])
    assert.deepEqual([(await transfers(store, 3))[0]?.usd, (await transfers(store, 400))[0]?.usd], [2000, null])
  })

  it('value a swap by the side whose token an oracle prices, also where trades have priced it since', async () => {
    const store = await fresh()
    const fed = ['0x2260fac5e5542a773aa44fbcfedf7c193bc2c599', '0xae7ab96520de3a18e5e111b5eaab095312d7fe84']
    await putTokens(store, fed.map((address) => ({ address, symbol: 'FED', decimals: 18 })))
    for (const [address, usd] of [[token, 7], ...fed.map((one) => [one, 100])] as const) await store.execute("INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'ETH', unhex({address:String}), block_number, block_time, {usd:Float64}, 'vwap' FROM blocks WHERE block_number = 1", { address: String(address).slice(2), usd })
    await putSwaps(store, fed.map((address, log) => ({ n: 2, log, sold: address, amountSold: units(1, 18), bought: token, amountBought: units(1, 18) })))
    await run(store, enrichStatements.map((group) => group.filter(({ writes }) => writes === 'swaps')).filter((group) => group.length > 0), [[2, 2]])
    const swaps = await store.query('SELECT value_usd AS usd, price_side AS side FROM swaps WHERE block_number = 2 ORDER BY log_index', {}, z.object({ usd: z.number(), side: z.string() }))
    assert.deepEqual(swaps, fed.map(() => ({ usd: 100, side: 'sold' })))
  })

  it('value a swap by its trusted side, bought before sold, and name the sender of its transaction', async () => {
    const store = await fresh()
    const leg = (log: number, sold: string, amountSold: string, bought: string, amountBought: string) => ({ n: 2, log, sold, amountSold, depthSold: units(1000, 18), bought, amountBought, depthBought: units(1000, 18) })
    await putSwaps(store, [leg(0, token, units(100, 18), weth, units(1, 18)), leg(1, weth, units(2, 18), token, units(190, 18)), { ...leg(2, usdc, units(500, 6), weth, units(0.3, 18)), trusted: false },
      leg(3, token, units(10, 18), fake, units(1, 18)), leg(4, fake, units(10, 18), odd, units(1, 18)), { ...leg(5, weth, units(2, 18), usdc, units(190, 6)), known: false }])
    await run(store, enrichStatements, [[1, 3]])
    const swaps = await store.query(`SELECT log_index AS log, round(value_usd, 2) AS usd, price_method AS method, price_side AS side, concat('0x', lower(hex(trader))) AS trader, token_sold_symbol AS sold
      FROM swaps WHERE block_number = 2 ORDER BY log`, {}, Swap)
    assert.deepEqual(swaps.map(({ log, usd, method, side, sold }) => [log, usd, method, side, sold]), [
      [0, 2000, 'vwap', 'bought', 'TKN'], [1, 4000, 'vwap', 'sold', 'WETH'], [2, 600, 'vwap', 'bought', 'USDC'],
      [3, 206.9, 'vwap', 'sold', 'TKN'], [4, null, '', '', 'WETH'], [5, null, '', '', '']])
    for (const { trader } of swaps) assert.equal(trader, at('ee'))
  })
})
