/** One swap of each protocol the recorded blocks lack, encoded by viem: who sold what for what, and how far it is believed. */
import assert from 'node:assert/strict'
import { encodeAbiParameters, keccak256, type Hex } from 'viem'
import { insertAnswers } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { address, emitted, madeUpBlock, type MadeLog } from './madeUp.js'
import { normalize, rowsOf } from './normalized.js'

const [a, b, trader, receiver, pool, zero] = ['aa', 'bb', '51', '52', 'dd', '00'].map(address) as [Hex, Hex, Hex, Hex, Hex, Hex]
const coin = address('ee')
const zeroEx = '0xdef1c0ded9bec7f1a1670819833240f027b25eff'
const manager = '0x000000000004444c5dc75cb358380d2e3de08a90'
const hash: Hex = `0x${'12'.repeat(32)}`
const moved = (token: Hex, from: Hex, to: Hex, value: bigint): MadeLog => emitted(token, 'event Transfer(address indexed from, address indexed to, uint256 value)', { from, to, value })
/** Transfers of 10 a into the pool and 7 b out of it. */
const beside = (holder: Hex): MadeLog[] => [moved(a, trader, holder, 10n), moved(b, holder, receiver, 7n)]

const v2 = 'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)'
const v4 = 'event Swap(bytes32 indexed id, address indexed sender, int128 amount0, int128 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick, uint24 fee)'
const balancer2 = 'event Swap(bytes32 indexed poolId, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut)'
const vault = '0xba12222222228d8ba445958a75a0704d566bf2c8'
const key = (currency0: Hex, currency1: Hex): Hex =>
  keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'uint24' }, { type: 'int24' }, { type: 'address' }], [currency0, currency1, 3000, 60, zero]))
const balancer1 = emitted(pool, 'event LOG_SWAP(address indexed caller, address indexed tokenIn, address indexed tokenOut, uint256 tokenAmountIn, uint256 tokenAmountOut)', { caller: trader, tokenIn: a, tokenOut: b, tokenAmountIn: 10n, tokenAmountOut: 7n })
const dodo = emitted(pool, 'event DODOSwap(address fromToken, address toToken, uint256 fromAmount, uint256 toAmount, address trader, address receiver)', { fromToken: a, toToken: b, fromAmount: 10n, toAmount: 7n, trader, receiver })

const rfqOf = (contract: Hex): MadeLog => emitted(contract, 'event RfqOrderFilled(bytes32 orderHash, address maker, address taker, address makerToken, address takerToken, uint128 takerTokenFilledAmount, uint128 makerTokenFilledAmount, bytes32 pool)',
  { orderHash: hash, maker: receiver, taker: trader, makerToken: b, takerToken: a, takerTokenFilledAmount: 10n, makerTokenFilledAmount: 7n, pool: hash })

/** A trade between coins of a base pool: its metapool hands it on to the base pool, and both tell it. */
const metapool = address('ed')
const exchanged = (event: string, contract: Hex, buyer: Hex, bought: bigint): MadeLog => emitted(contract, `event ${event}(address indexed buyer, int128 sold_id, uint256 tokens_sold, int128 bought_id, uint256 tokens_bought)`, { buyer, sold_id: 1n, tokens_sold: 10n, bought_id: 2n, tokens_bought: bought })
const handedOn = [moved(a, trader, metapool, 10n), moved(a, metapool, pool, 10n), moved(b, pool, metapool, 7n), moved(b, metapool, receiver, 7n)]

const sale = ['aa', '10', 'bb', '7']
const unknown = ['00?', '10', '00?', '7']
/** Name, logs, the leg of the last of them, and a leg before it. */
const cases: readonly [string, readonly MadeLog[], readonly string[] | undefined, (readonly string[])?][] = [
  ['Balancer V1', [...beside(pool), balancer1], ['balancer_v1', 'false', 'false', ...sale]],
  ['Balancer V1, of which nothing moved', [balancer1], ['balancer_v1', 'false', 'false', ...unknown]],
  ['Balancer V1, of which other amounts moved', [moved(a, trader, pool, 10n), moved(b, pool, receiver, 6n), balancer1], ['balancer_v1', 'false', 'false', 'aa', '10', '00?', '7']],
  ['Balancer V2', [emitted(vault, balancer2, { poolId: hash, tokenIn: a, tokenOut: b, amountIn: 10n, amountOut: 7n })], ['balancer_v2', 'false', 'true', ...sale]],
  ['Balancer V2 in the words of another contract', [...beside(pool), emitted(pool, balancer2, { poolId: hash, tokenIn: a, tokenOut: b, amountIn: 10n, amountOut: 7n })], undefined],
  ['a join of a Balancer V2 pool', [emitted(vault, balancer2, { poolId: `0x${'bb'.repeat(20)}${'00'.repeat(12)}`, tokenIn: a, tokenOut: b, amountIn: 10n, amountOut: 7n })], undefined],
  ['Balancer V3', [emitted('0xba1333333333a1ba1108e8412f11850a5c319ba9',
    'event Swap(address indexed pool, address indexed tokenIn, address indexed tokenOut, uint256 amountIn, uint256 amountOut, uint256 swapFeePercentage, uint256 swapFeeAmount)',
    { pool, tokenIn: a, tokenOut: b, amountIn: 10n, amountOut: 7n, swapFeePercentage: 0n, swapFeeAmount: 0n })], ['balancer_v3', 'false', 'true', ...sale]],
  ['Maverick V1', [...beside(pool), emitted(pool, 'event Swap(address sender, address recipient, bool tokenAIn, bool exactOutput, uint256 amountIn, uint256 amountOut, int32 activeTick)',
    { sender: trader, recipient: receiver, tokenAIn: true, exactOutput: false, amountIn: 10n, amountOut: 7n, activeTick: 0 })], ['maverick_v1', 'false', 'false', ...sale]],
  ['Maverick V2', [...beside(pool), emitted(pool, 'event PoolSwap(address sender, address recipient, (uint256 amount, bool tokenAIn, bool exactOutput, int32 tickLimit) params, uint256 amountIn, uint256 amountOut)',
    { sender: trader, recipient: receiver, params: { amount: 10n, tokenAIn: true, exactOutput: false, tickLimit: 0 }, amountIn: 10n, amountOut: 7n })], ['maverick_v2', 'false', 'false', ...sale]],
  ['DODO', [...beside(pool), dodo], ['dodo', 'false', 'false', ...sale]],
  ['DODO, of which nothing moved', [dodo], ['dodo', 'false', 'false', ...unknown]],
  ['Curve NG', [...beside(pool), emitted(pool, 'event TokenExchange(address indexed buyer, uint256 sold_id, uint256 tokens_sold, uint256 bought_id, uint256 tokens_bought, uint256 fee, uint256 packed_price_scale)',
    { buyer: trader, sold_id: 0n, tokens_sold: 10n, bought_id: 1n, tokens_bought: 7n, fee: 0n, packed_price_scale: 0n })], ['curve', 'false', 'false', ...sale]],
  ['Curve, underlying coins', [...beside(pool), exchanged('TokenExchangeUnderlying', pool, trader, 7n)], ['curve', 'false', 'false', ...sale]],
  ['Curve, underlying coins that the base pool traded', [...handedOn, exchanged('TokenExchangeUnderlying', metapool, trader, 7n), exchanged('TokenExchange', pool, metapool, 7n)], ['curve', 'false', 'false', ...sale]],
  ['Curve, underlying coins that somebody else tells of as if he had traded them', [moved(a, trader, metapool, 10n), moved(b, metapool, receiver, 7n), exchanged('TokenExchange', pool, metapool, 7n), exchanged('TokenExchangeUnderlying', metapool, trader, 7n)],
    ['curve', 'false', 'false', ...sale], ['curve', 'false', 'false', ...unknown]],
  ['Curve, underlying coins of which somebody else tells of a movement too, of his own token', [moved(a, trader, metapool, 10n), moved(coin, metapool, pool, 10n), moved(b, metapool, receiver, 7n), exchanged('TokenExchange', pool, metapool, 7n), exchanged('TokenExchangeUnderlying', metapool, trader, 7n)],
    ['curve', 'false', 'false', ...sale], ['curve', 'false', 'false', 'ee', '10', '00?', '7']],
  ['0x RFQ in the words of another contract that moved it', [...beside(pool), rfqOf(pool)], ['zero_ex', 'true', 'false', ...sale]],
  ['0x RFQ in the words of another contract, of which nothing moved', [rfqOf(pool)], ['zero_ex', 'true', 'false', ...unknown]],
  ['0x RFQ', [rfqOf(zeroEx)], ['zero_ex', 'true', 'true', ...sale]],
  ['0x OTC', [emitted(zeroEx, 'event OtcOrderFilled(bytes32 orderHash, address maker, address taker, address makerToken, address takerToken, uint128 makerTokenFilledAmount, uint128 takerTokenFilledAmount)',
    { orderHash: hash, maker: receiver, taker: trader, makerToken: b, takerToken: a, makerTokenFilledAmount: 7n, takerTokenFilledAmount: 10n })], ['zero_ex', 'true', 'true', ...sale]],
  ['0x limit order', [emitted(zeroEx,
    'event LimitOrderFilled(bytes32 orderHash, address maker, address taker, address feeRecipient, address makerToken, address takerToken, uint128 takerTokenFilledAmount, uint128 makerTokenFilledAmount, uint128 takerTokenFeeFilledAmount, uint256 protocolFeePaid, bytes32 pool)',
    { orderHash: hash, maker: receiver, taker: trader, feeRecipient: zero, makerToken: b, takerToken: a, takerTokenFilledAmount: 10n, makerTokenFilledAmount: 7n, takerTokenFeeFilledAmount: 0n, protocolFeePaid: 0n, pool: hash })],
  ['zero_ex', 'true', 'true', ...sale]],
  ['0x transformation into ether', [emitted(zeroEx, 'event TransformedERC20(address indexed taker, address inputToken, address outputToken, uint256 inputTokenAmount, uint256 outputTokenAmount)',
    { taker: trader, inputToken: a, outputToken: coin, inputTokenAmount: 10n, outputTokenAmount: 7n })], ['zero_ex', 'true', 'true', 'aa', '10', '00', '7']],
  ['V4 by its id', [...beside(manager), emitted(manager, v4, { id: key(a, b), sender: trader, amount0: -10n, amount1: 7n, sqrtPriceX96: 1n << 96n, liquidity: 5n, tick: 0, fee: 3000 })], ['uniswap_v4', 'false', 'true', ...sale]],
  ['V4 by amounts alone', [...beside(manager), emitted(manager, v4, { id: hash, sender: trader, amount0: -10n, amount1: 7n, sqrtPriceX96: 1n << 96n, liquidity: 5n, tick: 0, fee: 3000 })], ['uniswap_v4', 'false', 'false', ...sale]],
  ['V2 without transfers', [emitted(pool, v2, { sender: trader, amount0In: 10n, amount1In: 0n, amount0Out: 0n, amount1Out: 7n, to: receiver })], ['v2_fork', 'false', 'false', ...unknown]],
  ['V2 whose transfers contradict the order of the tokens', [...beside(pool), emitted(pool, v2, { sender: trader, amount0In: 0n, amount1In: 10n, amount0Out: 7n, amount1Out: 0n, to: receiver })], ['v2_fork', 'false', 'false', ...unknown]],
  ['two tokens of one amount', [moved(b, trader, pool, 10n), ...beside(pool), emitted(pool, v2, { sender: trader, amount0In: 10n, amount1In: 0n, amount0Out: 0n, amount1Out: 7n, to: receiver })],
    ['v2_fork', 'false', 'false', '00?', '10', 'bb', '7']],
  ['a flash swap in part', [emitted(pool, v2, { sender: trader, amount0In: 15n, amount1In: 0n, amount0Out: 5n, amount1Out: 7n, to: receiver })], ['v2_fork', 'false', 'false', ...unknown]],
  ['a flash loan', [emitted(pool, v2, { sender: trader, amount0In: 15n, amount1In: 0n, amount0Out: 14n, amount1Out: 0n, to: receiver })], undefined],
]

describe('a swap on every protocol', function () {
  this.timeout(60_000)
  const first = 45_000_000
  let store: Store
  before(async () => {
    store = (await freshStore()).store
    for (const [index, [, logs]] of cases.entries()) await insertAnswers(store, madeUpBlock(first + index, logs))
    await normalize(store, first, first + cases.length)
  })

  for (const [index, [name, logs, expected, before]] of cases.entries()) {
    it(name, async () => {
      const rows = await rowsOf(store, 'swap_legs', first + index)
      const said = (token: string | undefined, known: string | undefined) => `${token?.slice(0, 2)}${known === 'true' ? '' : '?'}`
      assert.deepEqual(rows.map((row) => [row['protocol'], row['aggregator'], row['trusted'], said(row['token_sold'], row['token_sold_known']), row['amount_sold'],
        said(row['token_bought'], row['token_bought_known']), row['amount_bought']]), expected === undefined ? [] : before === undefined ? [expected] : [before, expected])
      if (expected !== undefined) assert.equal(rows.at(-1)?.['log_index'], String(logs.length - 1))
    })
  }
})
