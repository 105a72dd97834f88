/** A perps market made by hand: what is heard of it, minute by minute, put through normalize and enrich. */
import { digest, insertHeard, message, type Heard } from '../support/hyperliquid.js'
import type { Store } from '../../schemas/clickhouse.js'

/** Midnight ten days ago: what is read is kept for a month after it was heard. */
export const start = Math.floor(Date.now() / 86_400_000) * 86_400_000 - 10 * 86_400_000
export const minute = 60_000, hour = 60 * minute
export const taker = `0x${'11'.repeat(20)}`, maker = `0x${'22'.repeat(20)}`
const hash = `0x${'ab'.repeat(32)}`
let ids = 0

/** A trade `at` (milliseconds after start), heard a second later unless told. */
export const trade = (at: number, px: number, usd: number, side: 'B' | 'A' = 'B', more: { coin?: string; heard?: number; users?: readonly string[] } = {}): Heard => message('trades', [{
  coin: more.coin ?? 'BTC', side, px: px.toFixed(4), sz: (usd / px).toFixed(8), time: start + at, hash, tid: ids += 1, users: more.users ?? (side === 'B' ? [taker, maker] : [maker, taker]),
}], {}, start + (more.heard ?? at + 1_000))

/** What the venue says of a coin at a moment. */
export const context = (at: number, px: number, openInterest: number, rate = '0.0000125', coin = 'BTC'): Heard => message('activeAssetCtx', { coin, ctx: {
  funding: rate, openInterest: openInterest.toFixed(4), prevDayPx: px.toFixed(4), dayNtlVlm: '1.0', premium: '0.0', oraclePx: px.toFixed(4), markPx: px.toFixed(4), midPx: null, impactPxs: null, dayBaseVlm: '1.0',
} }, {}, start + at)

/** A stretch of trades that nobody heard, told at its end unless told; coin '': of all. */
export const missed = (from: number, to: number, more: { coin?: string; channel?: string; state?: 'waits' | 'over'; heard?: number } = {}): Heard =>
  ({ kind: 'gap', payload: JSON.stringify({ channel: more.channel ?? 'trades', coin: more.coin ?? '', from: start + from, to: start + to, reason: 'the socket was closed', state: more.state }), at: start + (more.heard ?? to) })

/** Small trades at one price, once a minute, bought and sold by turns so that nothing leans. */
export const calm = (from: number, to: number, px: number, coin = 'BTC'): Heard[] => Array.from({ length: Math.max(0, Math.floor((to - from) / minute)) }, (_, index) => [trade(from + index * minute + 5_000, px, 100, 'B', { coin }), trade(from + index * minute + 6_000, px, 100, 'A', { coin })]).flat()

/** Puts what was heard into one segment and through the stages. */
export const hear = async (store: Store, segment: number, heard: readonly Heard[]): Promise<void> => {
  await insertHeard(store, segment, heard)
  await digest(store, segment, segment)
}
