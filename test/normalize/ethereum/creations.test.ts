/** Pools seen at their creation: tokens, fee and trust, from events encoded by viem. */
import assert from 'node:assert/strict'
import type { Hex } from 'viem'
import { z } from 'zod'
import { insertAnswers } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import { address, emitted, madeUpBlock, type MadeLog } from './madeUp.js'
import { normalize, rowsOf } from './normalized.js'

const [a, b, c, pool] = ['aa', 'bb', 'cc', 'ee'].map(address) as [Hex, Hex, Hex, Hex]
const id: Hex = `0x${'ee'.repeat(20)}${'00'.repeat(12)}`
const zero = address('00')

const v2 = 'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 count)'
const twocrypto = 'event TwocryptoPoolDeployed(address pool, string name, string symbol, address[2] coins, address math, bytes32 salt, uint256[2] precisions, uint256 g, uint256 f, uint256 r, uint256 prices, address deployer)'
const vault = '0xba12222222228d8ba445958a75a0704d566bf2c8'
const registered = emitted(vault, 'event PoolRegistered(bytes32 indexed poolId, address indexed poolAddress, uint8 specialization)', { poolId: id, poolAddress: pool, specialization: 0 })
const cases: readonly [string, MadeLog, readonly string[]][] = [
  ['Uniswap V2', emitted('0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', v2, { token0: a, token1: b, pair: pool, count: 1n }), ['uniswap_v2', 'true', 'aa,bb', '3000']],
  ['a fork of V2', emitted(address('dd'), v2, { token0: a, token1: b, pair: pool, count: 1n }), ['v2_fork', 'false', 'aa,bb', '0']],
  ['Uniswap V3', emitted('0x1f98431c8ad98523631ae4a59f267346ea31f984', 'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
    { token0: a, token1: b, fee: 500, tickSpacing: 10, pool }), ['uniswap_v3', 'true', 'aa,bb', '500']],
  ['Uniswap V4', emitted('0x000000000004444c5dc75cb358380d2e3de08a90', 'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
    { id, currency0: zero, currency1: b, fee: 3000, tickSpacing: 60, hooks: zero, sqrtPriceX96: 1n, tick: 0 }), ['uniswap_v4', 'true', '00,bb', '3000']],
  ['Uniswap V4, whose hook sets the fee', emitted('0x000000000004444c5dc75cb358380d2e3de08a90', 'event Initialize(bytes32 indexed id, address indexed currency0, address indexed currency1, uint24 fee, int24 tickSpacing, address hooks, uint160 sqrtPriceX96, int24 tick)',
    { id, currency0: zero, currency1: b, fee: 0x800000, tickSpacing: 60, hooks: zero, sqrtPriceX96: 1n, tick: 0 }), ['uniswap_v4', 'true', '00,bb', '0']],
  ['Maverick V1', emitted(address('dd'), 'event PoolCreated(address poolAddress, uint256 fee, uint256 tickSpacing, int32 activeTick, int256 lookback, uint64 protocolFeeRatio, address tokenA, address tokenB)',
    { poolAddress: pool, fee: 1n, tickSpacing: 1n, activeTick: 0, lookback: 0n, protocolFeeRatio: 0n, tokenA: a, tokenB: b }), ['maverick_v1', 'false', 'aa,bb', '0']],
  ['Balancer V2', emitted(vault, 'event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers)',
    { poolId: id, tokens: [a, b, c], assetManagers: [zero, zero, zero] }), ['balancer_v2', 'true', 'aa,bb,cc', '0']],
  ['Balancer V3', emitted('0xba1333333333a1ba1108e8412f11850a5c319ba9',
    'event PoolRegistered(address indexed pool, address indexed factory, (address token, uint8 tokenType, address rateProvider, bool paysYieldFees)[] tokenConfig, uint256 swapFeePercentage, uint32 pauseWindowEndTime, (address pauseManager, address swapFeeManager, address poolCreator) roleAccounts, (bool a, bool b, bool c, bool d, bool e, bool f, bool g, bool h, bool i, bool j, address hooks) hooksConfig, (bool a, bool b, bool c, bool d) liquidityManagement)',
    { pool, factory: zero, tokenConfig: [a, b].map((token) => ({ token, tokenType: 0, rateProvider: zero, paysYieldFees: false })), swapFeePercentage: 1n, pauseWindowEndTime: 0,
      roleAccounts: { pauseManager: zero, swapFeeManager: zero, poolCreator: zero }, hooksConfig: { a: false, b: false, c: false, d: false, e: false, f: false, g: false, h: false, i: false, j: false, hooks: zero },
      liquidityManagement: { a: false, b: false, c: false, d: false } }), ['balancer_v3', 'true', 'aa,bb', '0']],
  ['Curve Tricrypto', emitted('0x0c0e5f2ff0ff18a3be9b835635039256dc4b4963',
    'event TricryptoPoolDeployed(address pool, string name, string symbol, address weth, address[3] coins, address math, bytes32 salt, uint256 p, uint256 g, uint256 f, uint256 r, uint256 prices, address deployer)',
    { pool, name: 'n', symbol: 's', weth: c, coins: [a, b, c], math: zero, salt: id, p: 0n, g: 0n, f: 0n, r: 0n, prices: 0n, deployer: zero }), ['curve', 'true', 'aa,bb,cc', '0']],
  ['Curve Twocrypto', emitted('0x98ee851a00abee0d95d08cf4ca2bdce32aeaaf7f', twocrypto, { pool, name: 'n', symbol: 's', coins: [a, b], math: zero, salt: id, precisions: [0n, 0n], g: 0n, f: 0n, r: 0n, prices: 0n, deployer: zero }), ['curve', 'true', 'aa,bb', '0']],
  // Curve's factory of older pools of two tokens tells them by another event.
  ['Curve Twocrypto of another factory', emitted('0xf18056bbd320e96a48e3fbf8bc061322531aac99', twocrypto, { pool, name: 'n', symbol: 's', coins: [a, b], math: zero, salt: id, precisions: [0n, 0n], g: 0n, f: 0n, r: 0n, prices: 0n, deployer: zero }), ['curve', 'false', 'aa,bb', '0']],
  ['Curve Twocrypto of a stranger', emitted(address('dd'),
    twocrypto,
    { pool, name: 'n', symbol: 's', coins: [a, b], math: zero, salt: id, precisions: [0n, 0n], g: 0n, f: 0n, r: 0n, prices: 0n, deployer: zero }), ['curve', 'false', 'aa,bb', '0']],
]

describe('pools at their creation', function () {
  this.timeout(60_000)
  const height = 40_000_000
  it('are trusted only when a known factory speaks', async () => {
    const { store } = await freshStore()
    await insertAnswers(store, madeUpBlock(height, [...cases.map(([, log]) => log), registered]))
    await normalize(store, height, height)
    const rows = (await rowsOf(store, 'pool_sightings', height)).sort((x, y) => Number(x['log_index']) - Number(y['log_index']))
    assert.deepEqual(rows.map((row) => [row['protocol'], row['trusted'], row['tokens']?.split(',').map((token) => token.slice(0, 2)).join(), row['fee']]), cases.map(([, , expected]) => expected))
    assert.deepEqual(rows.map((row) => row['pool']), cases.map(([name]) => (/V4|Balancer V2/.test(name) ? id.slice(2) : `${'00'.repeat(12)}${'ee'.repeat(20)}`)))
    assert.ok(rows.every((row) => row['source'] === 'created'))
  })

  it('are told of all tokens of a Balancer pool, which may have fifty', async () => {
    const { store } = await freshStore()
    const tokens = Array.from({ length: 50 }, (_, at) => address((at + 16).toString(16)))
    await insertAnswers(store, madeUpBlock(height + 4, [registered, emitted(vault, 'event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers)', { poolId: id, tokens, assetManagers: tokens.map(() => zero) })]))
    await normalize(store, height + 4, height + 4)
    assert.deepEqual((await rowsOf(store, 'pool_sightings', height + 4)).map((row) => row['tokens']), [tokens.map((token) => token.slice(2)).join()])
  })

  it('are not told of tokens that are added to a Balancer pool later', async () => {
    const { store } = await freshStore()
    const told = emitted(vault, 'event TokensRegistered(bytes32 indexed poolId, address[] tokens, address[] assetManagers)', { poolId: id, tokens: [c], assetManagers: [zero] })
    // 1: another pool is made beside it. 2: a stranger says that this one is. 3: it is.
    const others = [{ ...registered, topics: [registered.topics[0] ?? '', `0x${'ef'.repeat(32)}`, registered.topics[2] ?? ''] }, { ...registered, address: address('dd') }, registered]
    for (const [index, other] of others.entries()) await insertAnswers(store, madeUpBlock(height + 1 + index, [other, told]))
    await normalize(store, height + 1, height + 3)
    assert.deepEqual((await rowsOf(store, 'pool_sightings', height + 1, height + 3)).map((row) => row['block_number']), [String(height + 3)])
  })

  it('by a stranger give no pool of a known factory other tokens', async () => {
    const { store } = await freshStore()
    const see = (block: number, source: string, trusted: boolean, protocol: string, tokens: readonly string[]): Promise<number> => store.execute(`INSERT INTO pool_sightings (chain, pool, block_number, tx_hash, protocol, source, factory, trusted, tokens)
      SELECT 'ETH', toFixedString('pool', 32), {block:UInt64}, SHA256(toString({block:UInt64})), {protocol:String}, {source:String}, toFixedString({protocol:String}, 20), {trusted:Bool}, arrayMap(t -> toFixedString(t, 20), {tokens:Array(String)})`, { block, source, trusted, protocol, tokens })
    await see(1, 'inferred', true, 'uniswap_v2', ['a', 'b'])
    await see(2, 'created', false, 'v2_fork', ['b', 'evil'])
    const [row] = await store.query("SELECT protocol, arrayMap(t -> trimRight(toString(t), '\\0'), tokens) AS tokens, trimRight(toString(factory), '\\0') AS factory, trusted FROM pools", {}, z.object({}).loose())
    assert.deepEqual(row, { protocol: 'uniswap_v2', tokens: ['a', 'b'], factory: 'uniswap_v2', trusted: true })
  })
})
