/** From the venue's socket to /v1/feed/hl/recent: a message every two milliseconds, and how long until the answer shows its trade. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import { marketAnswers } from '../../market/answers.js'
import type { Market } from '../../market/market.js'
import { startVenue } from '../../replay-node/hyperliquid/server.js'
import { quantile } from '../figures.js'
import { startService } from '../service.js'
import type { Stack } from '../stack.js'

const messages = loadSql(import.meta.url, 'messages.sql')
export interface LiveVenueResult { readonly rate: number; readonly seconds: number; readonly seen: number; readonly lost: number; readonly p50: number; readonly p95: number; readonly segments: number }

const perSecond = 500

/** Says `seconds` of messages; rejects when a trade is lost. What is asked is the same question again and again, remembered answers included. */
export const benchVenue = async (stack: Stack, made: Store, market: Market, seconds: number, say: (text: string) => void): Promise<LiveVenueResult> => {
  const { answer, coins } = await marketAnswers(made, market)
  const venue = await startVenue({ answer, everyMs: 1_000 })
  const service = await startService(stack, { HL_API_URL: venue.url, HL_COINS: coins.join(','), HL_BOOK_COINS: coins.join(','), PUBLIC_RATE: '1000000' }, '')
  const stored = async (count: number): Promise<number> => (await service.store.query('SELECT count() AS count FROM hl_trades WHERE tid >= 900000000000000 AND tid < 900000000000000 + {count:UInt64} AND time > now() - 3600', { count }, z.object({ count: z.coerce.number() })))[0]?.count ?? 0
  try {
    const said = await made.query(messages, { count: perSecond * seconds }, z.object({ message: z.string(), trade: z.string() }))
    for (const deadline = Date.now() + 60_000; venue.counters.subscriptions < 2 * coins.length; ) {
      if (Date.now() > deadline) throw new Error('bench: the worker did not subscribe within a minute')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    say(`hyperliquid: ${perSecond} messages a second for ${seconds} s …`)
    const at = new Map<string, number>(), waits: number[] = []
    const started = performance.now()
    let next = 0
    const speak = setInterval(() => {
      for (const due = Math.min(said.length, Math.floor((performance.now() - started) / 1_000 * perSecond)); next < due; next += 1) {
        const one = said[next]
        if (one === undefined) break
        at.set(one.trade, performance.now())
        venue.say(one.message.replace('@', String(Date.now())))
      }
    }, 4)
    const Events = z.object({ events: z.array(z.object({ trade_id: z.string() })) })
    // A page holds half a second of trades: one that has left it before anybody saw it counts as later than all that were seen.
    for (const deadline = Date.now() + seconds * 1_000 + 20_000; (next < said.length || at.size > 0) && Date.now() < deadline;) {
      const text = await (await fetch(`${service.url}/v1/feed/hl/recent?limit=250&hours=1`)).text(), now = performance.now()
      const { events } = Events.parse(JSON.parse(text))
      for (const { trade_id: trade } of events) {
        const since = at.get(trade)
        if (since === undefined) continue
        at.delete(trade)
        waits.push(now - since)
      }
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    clearInterval(speak)
    // What came later than anybody looked is late, not lost.
    for (const deadline = Date.now() + 600_000; await stored(said.length) < said.length;) {
      if (Date.now() > deadline) throw new Error(`bench: ${said.length} trades were said and ${await stored(said.length)} are stored`)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
    const [{ segments = 0 } = {}] = await service.store.query("SELECT uniqExact(number) AS segments FROM raw_payloads WHERE chain = 'HL' AND kind = 'ws' AND fetched_at > now() - {seconds:UInt32}", { seconds: seconds + 900 }, z.object({ segments: z.coerce.number() }))
    const slowest = performance.now() - started, all = [...waits, ...Array<number>(at.size).fill(slowest)]
    const result = { rate: perSecond, seconds, seen: waits.length, lost: at.size, p50: quantile(all, 0.5), p95: quantile(all, 0.95), segments }
    say(`hyperliquid: socket to answer p50 ${result.p50.toFixed(0)}, p95 ${result.p95.toFixed(0)} ms (bar 300)`)
    return result
  } finally { await service.stop(); await venue.close() }
}
