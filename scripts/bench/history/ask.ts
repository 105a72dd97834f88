/** Questions in turn to the API, one caller; and which addresses they are about. */
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { quantile } from '../figures.js'
import type { Question } from './questions.js'

/** How often each question is asked, after as many askings that do not count. */
export const asks = 50
export interface Asked { readonly p50: number; readonly p95: number }

/** Addresses of the history, the same each time: any that occur are as likely; and the busiest, which are services. */
export const pickAddresses = async (store: Store): Promise<{ readonly any: string[]; readonly busiest: string[] }> => {
  const Row = z.object({ address: z.string() })
  const any = await store.query(`SELECT concat('0x', lower(hex(address))) AS address FROM address_segments WHERE chain = 'ETH' AND cityHash64(address) % 9973 = 7 GROUP BY address ORDER BY cityHash64(address, 1) LIMIT {count:UInt32}`, { count: 2 * asks }, Row)
  const busiest = await store.query(`SELECT concat('0x', lower(hex(address))) AS address FROM address_segments WHERE chain = 'ETH' GROUP BY address ORDER BY sum(transfers_in + transfers_out) DESC LIMIT 10`, {}, Row)
  return { any: any.map(({ address }) => address), busiest: busiest.map(({ address }) => address) }
}

export const addressesFor = (addresses: readonly string[], n: number): string => addresses[n % addresses.length] ?? ''

/** Milliseconds from the request to the last byte; rejects when an answer is not 200 or is empty for want of data. */
export const ask = async (url: string, key: string, question: Question, addresses: readonly string[], count = asks): Promise<Asked> => {
  const taken: number[] = []
  for (let n = 0; n < 2 * count; n += 1) {
    const path = question.path(n, addressesFor(addresses, n))
    const started = performance.now()
    const answer = await fetch(url + path, { headers: { 'X-API-Key': key } })
    const text = await answer.text()
    if (answer.status !== 200 || text === '[]') throw new Error(`bench: ${path} answered ${answer.status} ${text.slice(0, 300)}`)
    if (n >= count) taken.push(performance.now() - started)
  }
  return { p50: quantile(taken, 0.5), p95: quantile(taken, 0.95) }
}
