/** Questions in turn to the API, one caller; and which addresses they are about. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { quantile } from '../figures.js'
import type { Question } from './questions.js'

/** How many different questions of a kind are asked, after as many others that do not count. */
export const asks = 50
/** Milliseconds of questions that were asked before, and of the same when they were asked for the first time, by which bars are judged. */
export interface Asked { readonly p50: number; readonly p95: number; readonly first95: number }

/** Addresses of the history, the same each time: any that occur are as likely; and the busiest, which are services. */
export const pickAddresses = async (store: Store): Promise<{ readonly any: string[]; readonly busiest: string[] }> => {
  const Row = z.object({ address: z.string() })
  const any = await store.query(`SELECT concat('0x', lower(hex(address))) AS address FROM address_segments WHERE chain = 'ETH' AND cityHash64(address) % 9973 = 7 GROUP BY address ORDER BY cityHash64(address, 1) LIMIT {count:UInt32}`, { count: 2 * asks }, Row)
  const busiest = await store.query(`SELECT concat('0x', lower(hex(address))) AS address FROM address_segments WHERE chain = 'ETH' GROUP BY address ORDER BY sum(transfers_in + transfers_out) DESC LIMIT 10`, {}, Row)
  return { any: any.map(({ address }) => address), busiest: busiest.map(({ address }) => address) }
}

export const addressesFor = (addresses: readonly string[], n: number): string => addresses[n % addresses.length] ?? ''

/** Each question twice in turn, one caller: the first time its rows are read from where they lie, the second they are in memory. Rejects when an answer is not 200 or is empty for want of data. */
export const ask = async (url: string, key: string, question: Question, addresses: readonly string[], count = asks): Promise<Asked> => {
  /** From the request to the last byte. */
  const timed = async (n: number): Promise<number> => {
    const path = question.path(n, addressesFor(addresses, n))
    const started = performance.now()
    const answer = await fetch(url + path, { headers: { 'X-API-Key': key } })
    const text = await answer.text()
    if (answer.status !== 200 || text === '[]') throw new Error(`bench: ${path} answered ${answer.status} ${text.slice(0, 300)}`)
    return performance.now() - started
  }
  const all = async (from: number): Promise<number[]> => {
    const taken: number[] = []
    for (let n = from; n < from + count; n += 1) taken.push(await timed(n))
    return taken
  }
  await all(0)
  const [first, warm] = [await all(count), await all(count)]
  return { p50: quantile(warm, 0.5), p95: quantile(warm, 0.95), first95: quantile(first, 0.95) }
}
