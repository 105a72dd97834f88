import { z } from 'zod'
import { EvmAddress, Hash } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { unfit } from '../../faults.js'
import { accountsField, chainOf, cursorField, limitField, millis, untilField } from '../../fields.js'
import { openHeightsOf, touches } from '../../openHeights.js'
import { operation } from '../../operation.js'
import { emptyUnlessAccounts, accountSpanOf, Window } from '../../span.js'
import { untrusted } from '../../untrusted.js'
import { Candle, candlesOf, gapOf, Held, intervals, Traded } from './candle.js'

const listHeldBuckets = loadSql(import.meta.url, 'listHeldBuckets.sql')
const listTokenCandles = loadSql(import.meta.url, 'listTokenCandles.sql')
const listPoolCandles = loadSql(import.meta.url, 'listPoolCandles.sql')
const isKnown = loadSql(import.meta.url, 'isKnown.sql')

const symbol = z.string().transform((text) => untrusted(text))
const decimals = z.number().int().nullable()
const Pool = z.object({ pool: Hash, protocol: z.string(), trusted: z.boolean().describe('From a known factory'), base_token: EvmAddress, base_symbol: z.string(), base_decimals: decimals, quote_token: EvmAddress, quote_symbol: z.string(), quote_decimals: decimals })
const PoolRow = Traded.extend({ ...Pool.omit({ pool: true }).shape, base_symbol: symbol, quote_symbol: symbol })

/** Where a page begins: below which bucket, and of which pair of a pool (both tokens without 0x; '': of a token, or no swap has told it yet). */
const Position = z.object({ below: z.number().int().min(1), pair: z.string().regex(/^([0-9a-f]{80})?$/) })

export default operation({
  name: 'list_candles', aliases: ['price_candles', 'get_candles', 'get_price_candles'], route: 'GET /v1/candles/{address}', auth: 'key', lane: 'market', tool: true, cacheSeconds: 10, sources: ['swaps', 'tokens', 'blocks'], rows: 'candles',
  // It has no candle only where nobody has seen it yet, at any time.
  hours: Infinity,
  summary: 'Price candles of a token (USD) or of one pool (quote per base), newest first, made from single swaps; gaps are marked.',
  input: z.object({
    address: z.string().regex(/^0x[0-9a-fA-F]{40}([0-9a-fA-F]{24})?$/).describe('Token or pool: 40 hex digits, or the 64 of a pool id'), of: z.enum(['token', 'pool']).default('token').describe('What the address is'),
    chain: accountsField.default('ETH'), interval: z.enum(['1m', '5m', '15m', '1h', '4h', '1d']).default('1h').describe('Width of a candle'), limit: limitField(500, 100), until: untilField.describe('Newest candle: the one this time falls in'), cursor: cursorField,
  }),
  output: z.object({
    chain: z.string(), address: z.string(), of: z.enum(['token', 'pool']), interval: z.string(), unit: z.enum(['usd', 'quote_per_base']),
    method: z.enum(['trusted_pool_swaps', 'pool_swaps']).describe('trusted_pool_swaps: swaps in pools of known factories, the other side at its value then'),
    pool: Pool.nullable().describe('The pair it traded most in the time of the first page that has a swap; later pages keep it. null: of a token, or no swap of the pair'), window: Window, count: z.number().int(), candles: z.array(Candle), next_cursor: z.string().nullable(), has_more: z.boolean(), coverage_status: CoverageStatus,
  }),
  empty: emptyUnlessAccounts,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors, coverage } = ask.services
    const digits = input.address.slice(2).toLowerCase()
    if (input.of === 'token' && digits.length !== 40) throw unfit('address', 'A token has 40 hex digits; say of=pool for a pool id')
    const width = intervals[input.interval]
    const inputs = { address: digits, of: input.of, chain: chain.id, interval: input.interval, until: input.until }
    const { below, pair: kept } = input.cursor === undefined ? { below: undefined, pair: '' } : cursors.read('list_candles', inputs, input.cursor, Position)
    const asked = millis(input.until)
    // Candles are whole: the one in which the time falls is given to its end.
    const until = below !== undefined ? below * width * 1_000 - 1 : asked === null ? undefined : (Math.floor(asked / 1_000 / width) + 1) * width * 1_000 - 1
    const [status, view, span] = await Promise.all([coverage.status(chain.id), coverage.view(), accountSpanOf(chain, (input.limit + 1) * width / 3_600, ask, false, until)])
    const common = { chain: chain.id, address: `0x${digits}`, of: input.of, interval: input.interval, unit: input.of === 'token' ? 'usd' as const : 'quote_per_base' as const, method: input.of === 'token' ? 'trusted_pool_swaps' as const : 'pool_swaps' as const }
    const bounds = span === null ? undefined : view.bounds.get(span.chain)
    if (span === null || bounds === undefined) return { ...common, pool: null, window: null, count: 0, candles: [], next_cursor: null, has_more: false, coverage_status: status }
    const last = Math.floor(span.to / 1_000 / width)
    const newest = Math.floor(Date.parse(bounds.newest_time) / 1_000 / width)
    // A page begins where the one before ended, or where it was asked for, also in a gap; a stretch as long as a page of which nothing is indexed is one candle, and stepped over.
    const top = below !== undefined ? below - 1 : asked === null ? last : Math.max(last, Math.min(Math.floor(asked / 1_000 / width), newest))
    const skipped = top - last < input.limit ? 0 : top - last
    const to = skipped > 0 ? last : top
    const open = (await openHeightsOf('enrich', span.chain, span.first, ask)).filter((one) => touches([one], span.first, span.newest))
    const heights = { chain: span.chain, first: span.first, width }
    const [held, traded, pairs] = await Promise.all([
      ask.store.query(listHeldBuckets, { ...heights, newest: span.newest + 1, open_from: open.map((one) => one.from), open_to: open.map((one) => one.to) }, Held),
      input.of === 'token' ? ask.store.query(listTokenCandles, { ...heights, newest: span.newest, token: digits }, Traded) : [],
      input.of === 'pool' ? ask.store.query(listPoolCandles, { ...heights, newest: span.newest, pool: digits.padStart(64, '0'), pair: kept }, PoolRow) : [],
    ])
    const oldest = held.find(({ low }) => low === bounds.oldest)?.bucket ?? 0
    const from = Math.max(to - input.limit + (skipped > 0 ? 2 : 1), oldest)
    const rows = [...traded, ...pairs.map(({ bucket, open, high, low, close, volume, volume_usd, trades, traders, outliers }) => ({ bucket, open, high, low, close, volume, volume_usd, trades, traders, outliers }))].filter(({ bucket }) => bucket >= from)
    const asset = input.of === 'token' ? { token: digits, pool: '' } : { token: '', pool: digits.padStart(64, '0') }
    // A page without a trade is told like any other, unless there is nobody whose quiet it would be; a cursor was given for somebody.
    const known = input.cursor !== undefined || rows.length > 0 || (await ask.store.query(isKnown, { chain: span.chain, ...asset }, z.object({ known: z.coerce.boolean() })))[0]?.known === true
    const more = known && from > oldest
    const candles = !known ? [] : [...(skipped > 0 ? [gapOf(last + 1, skipped, width)] : []), ...candlesOf(from, to, newest, width, held, rows)]
    const [pair] = pairs
    return {
      ...common, pool: pair === undefined ? null : {
        pool: `0x${digits.padStart(64, '0')}`, protocol: pair.protocol, trusted: pair.trusted, base_token: pair.base_token, base_symbol: pair.base_symbol, base_decimals: pair.base_decimals,
        quote_token: pair.quote_token, quote_symbol: pair.quote_symbol, quote_decimals: pair.quote_decimals,
      },
      window: { from: new Date(from * width * 1_000).toISOString(), to: new Date(Math.min(Date.parse(bounds.newest_time), (top + 1) * width * 1_000 - 1)).toISOString() }, count: candles.length, candles,
      next_cursor: more ? cursors.write('list_candles', inputs, { below: from, pair: kept !== '' || pair === undefined ? kept : `${pair.base_token.slice(2)}${pair.quote_token.slice(2)}` }) : null, has_more: more, coverage_status: status,
    }
  },
})
