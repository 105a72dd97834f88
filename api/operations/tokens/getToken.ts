import { z } from 'zod'
import { lookAlikeLetters } from '../../../schemas/addresses/lookAlikes.js'
import { Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { accountsField, chainOf } from '../../fields.js'
import { operation } from '../../operation.js'
import { isIndexed } from '../../reach.js'
import { emptyUnlessAccounts, accountSpanOf, Window, windowOf } from '../../span.js'
import { untrusted } from '../../untrusted.js'
import { flagsOf, Flag } from './tokenFlags.js'

const [getToken, listTokenPools, getHolders] = [loadSql(import.meta.url, 'getToken.sql'), loadSql(import.meta.url, 'listTokenPools.sql'), loadSql(import.meta.url, 'getHolders.sql')]
/** Balances are summed over a month at most: beyond that the answer would have to wait for them. */
const mostDays = 30

const text = z.string().transform((value) => untrusted(value))
const Pool = z.object({
  pool: Hash, protocol: z.string(), trusted: z.boolean().describe('From a known factory'), others: z.array(EvmAddress), other_symbol: z.string(), depth: Amount.nullable().describe('Of this token, after the last swap; virtual (L and price) where liquidity is concentrated, which may be far more than the pool holds; null: not told'),
  depth_usd: z.number().nullable().describe('Of depth, virtual where it is'), swaps: z.number().int(), last_swap: Instant,
})
const Holders = z.object({
  supply: Amount, holders: z.number().int(), set_aside: z.number().int().describe('Pools, burns, exchanges, bridges: not weighed'), top10_share: z.number().nullable(), hhi: z.number().nullable().describe('Sum of squared shares'),
})
const Token = z.object({
  metadata: z.object({ symbol: z.string(), name: z.string(), decimals: z.number().int().nullable(), stable: z.boolean(), source: z.string().describe('node: text of the contract itself, untrusted') }).nullable(),
  first_seen: z.object({ hour: Instant, created_in_sight: z.boolean() }).nullable().describe('First movement in the store'),
  price: z.object({ usd: z.number(), method: z.string(), block_number: z.number().int(), at: Instant, age_seconds: z.number().int().describe('Before the newest block'), trades: z.number().int(), depth_usd: z.number().describe('Behind the price; virtual where liquidity is concentrated') }).nullable(),
  trading_24h: z.object({ volume_usd: z.number().nullable(), swaps: z.number().int(), buys: z.number().int(), sells: z.number().int(), traders: z.number().int(), unpriced: z.number().int(), complete: z.boolean().describe('All 24 hours are indexed and worked out') }),
  pools: z.array(Pool).describe('The 10 deepest at most, those of known factories first'), holding: Holders.nullable(), holding_unknown: z.enum(['history_not_whole', 'too_much_history', 'balances_not_transfers', 'absurd_amount']).nullable().describe('Why holding is null'),
  flags: z.array(Flag),
})
const Row = z.object({
  is_described: z.coerce.boolean(), symbol: text, name: text, decimals: z.number().nullable(), stable: z.coerce.boolean(), source: z.string(), imitates: EvmAddress.nullable(),
  is_seen: z.coerce.boolean(), first_hour: Instant, first_from: z.number(), first_to: z.number(), is_priced: z.coerce.boolean(), usd: z.number(), method: z.string(), priced_block: z.number(), priced_at: Instant,
  price_trades: z.number(), price_depth: z.number(), buys_compared: z.number(), buys_lessened: z.number(), rebases: z.number(), rebases_as: z.string(),
  swaps: z.number(), volume_usd: z.number().nullable(), traders: z.number(), unpriced: z.number(), buys: z.number(), sells: z.number(),
})
const HoldersRow = z.object({ made: z.coerce.boolean(), whole: z.coerce.boolean(), broken: z.number(), oversized: z.number(), supply: z.string(), holders: z.number(), set_aside: z.number(), top10_share: z.number().nullable(), hhi: z.number().nullable() })

export default operation({
  name: 'get_token', aliases: ['token_detail', 'get_token_detail'], route: 'GET /v1/tokens/{token}', auth: 'key', lane: 'market', tool: true, cacheSeconds: 30, sources: ['tokens', 'transfers', 'swaps', 'prices', 'logs', 'labels'], rows: 'detail',
  hours: Infinity, summary: 'One token: metadata, price, 24 h trading, 10 deepest pools, holders where known, flags. Use list_candles for its history.',
  input: z.object({ token: z.string().regex(/^0x[0-9a-fA-F]{40}$/).describe('Address of the token'), chain: accountsField.default('ETH') }),
  output: z.object({ chain: z.string(), token: EvmAddress, window: Window, detail: Token.nullable(), coverage_status: CoverageStatus }),
  empty: emptyUnlessAccounts,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const digits = input.token.slice(2).toLowerCase()
    const [status, span] = await Promise.all([ask.services.coverage.status(chain.id), accountSpanOf(chain, 24, ask)])
    const nothing = { chain: chain.id, token: `0x${digits}`, window: windowOf(span), detail: null, coverage_status: status }
    if (span === null) return nothing
    const params = { chain: span.chain, token: digits, first: span.first, newest: span.newest }
    // Before the rows: what is enriched while they are read was not told.
    const complete = await isIndexed(span.chain, span.from, span.to, ask, 'enrich')
    const [row] = await ask.store.query(getToken, { ...params, segmentBlocks: chainOf(span.chain).segmentBlocks, ...lookAlikeLetters }, Row)
    if (row === undefined || !(row.is_described || row.is_seen || row.swaps > 0)) return nothing
    const since = Date.parse(row.first_hour)
    const recent = row.is_seen && span.to - since < mostDays * 86_400_000
    const [pools, [held]] = await Promise.all([
      ask.store.query(listTokenPools, { ...params, usd: row.is_priced ? row.usd : null }, Pool.extend({ pool_id: Hash, other_symbol: text }).omit({ pool: true })),
      recent ? ask.store.query(getHolders, { ...params, first_from: row.first_from, first_to: row.first_to }, HoldersRow) : [],
    ])
    const flags = flagsOf({ listed: row.is_described && row.source !== 'node', ...row, broken: held === undefined || held.oversized > 0 ? 0 : held.broken, made: held?.made ?? false })
    const unknown = flags.some(({ flag }) => flag === 'rebasing') ? 'balances_not_transfers' as const : row.is_seen && !recent ? 'too_much_history' as const : held?.made !== true || !held.whole ? 'history_not_whole' as const
      : held.oversized > 0 ? 'absurd_amount' as const : null
    return {
      ...nothing, detail: {
        metadata: row.is_described ? { symbol: row.symbol, name: row.name, decimals: row.decimals, stable: row.stable, source: row.source } : null,
        first_seen: row.is_seen ? { hour: row.first_hour, created_in_sight: held?.made ?? false } : null,
        price: row.is_priced ? { usd: row.usd, method: row.method, block_number: row.priced_block, at: row.priced_at, age_seconds: Math.max(0, Math.round((span.to - Date.parse(row.priced_at)) / 1_000)), trades: row.price_trades, depth_usd: row.price_depth } : null,
        trading_24h: { volume_usd: row.volume_usd, swaps: row.swaps, buys: row.buys, sells: row.sells, traders: row.traders, unpriced: row.unpriced, complete },
        pools: pools.map(({ pool_id: pool, ...rest }) => ({ pool, ...rest })),
        holding: unknown === null && held !== undefined ? { supply: held.supply, holders: held.holders, set_aside: held.set_aside, top10_share: held.top10_share, hhi: held.hhi } : null, holding_unknown: unknown, flags,
      },
    }
  },
})
