/** A trader's ledger by hand: one transaction a block, sent by `me`, and what the store makes of it. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { enrichStatements } from '../../../stages/enrich/statements.js'
import { indexStatements } from '../../../stages/index/statements.js'
import { freshStore } from '../../support/servers.js'
import { at, majors, putBlocks, putMoves, putSwaps, putTokens, run, units, usdc, type Move, type Swap } from '../handmade.js'

/** pool: a vault, which is never a trader. */
export const me = at('ee'), pool = '0xba12222222228d8ba445958a75a0704d566bf2c8', token = at('a1'), other = at('a2')
export const last = 200

/** Buys (`whole` of a token for `dollars`) and sales of it, in a block of their own. */
export const buy = (n: number, whole: number, dollars: number, asset = token) => ({
  moves: [{ n, position: 1, token: usdc, from: me, to: pool, amount: units(dollars, 6) }, { n, position: 2, token: asset, from: pool, to: me, amount: units(whole, 18) }],
  swaps: [{ n, log: 3, sold: usdc, amountSold: units(dollars, 6), bought: asset, amountBought: units(whole, 18) }],
})
export const sell = (n: number, whole: number, dollars: number, asset = token) => ({
  moves: [{ n, position: 1, token: asset, from: me, to: pool, amount: units(whole, 18) }, { n, position: 2, token: usdc, from: pool, to: me, amount: units(dollars, 6) }],
  swaps: [{ n, log: 3, sold: asset, amountSold: units(whole, 18), bought: usdc, amountBought: units(dollars, 6) }],
})
/** A transfer without a trade. */
export const move = (n: number, whole: number, from: string, to: string, asset = token) => ({ moves: [{ n, position: 1, token: asset, from, to, amount: units(whole, 18) }], swaps: [] })

export interface Step { readonly moves: readonly Move[]; readonly swaps: readonly Swap[] }

/** The same steps from another block on, with a token of their own. */
export const shifted = (steps: readonly Step[], by: number, asset: string): Step[] => steps.map(({ moves, swaps }) => ({
  moves: moves.map((one) => ({ ...one, n: one.n + by, token: one.token === token ? asset : one.token })),
  swaps: swaps.map((one) => ({ ...one, n: one.n + by, sold: one.sold === token ? asset : one.sold, bought: one.bought === token ? asset : one.bought })),
}))

/** A store whose blocks 1…200 hold the steps, enriched and indexed. */
export const ledgerOf = async (steps: readonly Step[], before: (store: Store) => Promise<unknown> = () => Promise.resolve()): Promise<Store> => {
  const { store } = await freshStore()
  await putTokens(store, [...majors, { address: token, symbol: 'TKN', decimals: 18 }, { address: other, symbol: 'OTHER', decimals: 18 }])
  await putBlocks(store, 1, last)
  await before(store)
  await putMoves(store, steps.flatMap(({ moves }) => moves))
  await putSwaps(store, steps.flatMap(({ swaps }) => swaps))
  await run(store, [...enrichStatements, ...indexStatements], [[1, 2], [3, last]])
  return store
}

const Trade = z.object({ block: z.coerce.number(), account: z.string(), token: z.string(), side: z.string(), role: z.string(), basis: z.string(), amount: z.number(), pool: z.number(), usd: z.number().nullable(), gas: z.string(), gas_usd: z.number().nullable() })
/** Rows of wallet_trades; amounts in whole tokens of 18 decimals. */
export const tradesOf = (store: Store) => store.query(`SELECT block_number AS block, concat('0x', lower(hex(account))) AS account, concat('0x', lower(hex(token))) AS token, toString(side) AS side, toString(role) AS role, basis,
  toFloat64(amount) / 1e18 AS amount, toFloat64(pool_amount) / 1e18 AS pool, round(usd, 6) AS usd, toString(gas_wei) AS gas, round(gas_usd, 6) AS gas_usd FROM wallet_trades ORDER BY block, account, token`, {}, Trade)

const Result = z.object({ token: z.string(), held: z.number(), unpriced: z.number(), cost: z.number(), lots: z.number(), average: z.number(), fifo: z.number(), excess: z.number(), hours: z.number(), closings: z.number() })
/** What `account` made of each token: whole tokens, dollars; lots: dollars in the lots that are left; hours: held × amount. */
export const resultsOf = (store: Store, account = me, upto = last) => store.query(`SELECT concat('0x', lower(hex(w.token))) AS token, toFloat64(w.held) / 1e18 AS held, toFloat64(w.unpriced) / 1e18 AS unpriced, round(cost_usd, 6) AS cost,
    round(arraySum(l -> l.3 * toFloat64(l.2 - greatest(l.1, w.closed)) / toFloat64(l.2 - l.1), w.lots), 6) AS lots, round(arraySum(c -> c.6, w.closings), 6) AS average, round(arraySum(c -> c.7, w.closings), 6) AS fifo,
    toFloat64(arraySum(c -> c.3 - c.4, w.closings)) / 1e18 AS excess, round(arraySum(c -> c.8, w.closings) / 1e18, 6) AS hours, toFloat64(length(w.closings)) AS closings
  FROM wallet_ledgers(upto = {upto:UInt64}) AS w WHERE w.chain = 'ETH' AND w.account = toFixedString(unhex({account:String}), 20) ORDER BY token`, { upto, account: account.slice(2) }, Result)
