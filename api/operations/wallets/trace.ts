/** Source of funds, hop by hop: who funded an address, who funded those, until something ends the branch. Money must have come before it went. */
import { z } from 'zod'
import { Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'

const traceHop = loadSql(import.meta.url, 'traceHop.sql')
const countTransfers = loadSql(import.meta.url, 'countTransfers.sql')

/** service: a named one, whose funds are its customers'. busy: unnamed, with as many transfers as a service. seen: on the trail already. */
const ends = ['service', 'mixer', 'illicit', 'mint', 'busy', 'small', 'seen', 'depth'] as const
export const Step = z.object({
  hop: z.number().int(), from_address: EvmAddress, from_label: z.string(), from_entity: z.string(), from_class: z.string(), to_address: EvmAddress, transfers: z.number().int(), value_usd: z.number(),
  share: z.number().describe('Of the priced value the receiver got'), tx_hash: Hash.describe('The largest of them'), token: EvmAddress, amount: Amount, first_seen: Instant, last_seen: Instant,
  stopped_because: z.enum(ends).nullable().describe('null: followed to the next hop'),
})
export type Step = z.infer<typeof Step>
const Row = Step.omit({ hop: true, stopped_because: true }).extend({ last_block: z.number() })
type Row = z.infer<typeof Row>

/** From here on an unnamed address is taken for a service, and its funds for other people's. */
export const busyTransfers = 100_000
const smallUsd = 100
const illicit = new Set(['scam', 'hack', 'ransomware', 'extremism', 'blacklisted', 'sanctioned'])
const nobody = `0x${'00'.repeat(20)}`
const newest = Number.MAX_SAFE_INTEGER

const endOf = (row: Row, seen: ReadonlySet<string>, busy: ReadonlySet<string>, last: boolean): Step['stopped_because'] => {
  if (row.from_address === nobody) return 'mint'
  if (illicit.has(row.from_class)) return 'illicit'
  if (row.from_class === 'mixer') return 'mixer'
  if (row.from_class !== 'unknown') return 'service'
  if (seen.has(row.from_address)) return 'seen'
  if (busy.has(row.from_address)) return 'busy'
  if (row.value_usd < smallUsd) return 'small'
  return last ? 'depth' : null
}

const bare = (address: string): string => address.slice(2)

const busyOf = async (addresses: readonly string[], chain: string, ask: Ask): Promise<ReadonlySet<string>> => {
  if (addresses.length === 0) return new Set()
  const rows = await ask.store.query(countTransfers, { chain, addresses: addresses.map(bare) }, z.object({ address: z.string(), transfers: z.number() }))
  return new Set(rows.filter(({ transfers }) => transfers > busyTransfers).map(({ address }) => address))
}

/** Steps towards `address` (lower case) of a stored chain: at most `limit` senders a hop; null where the address itself is too busy to be looked through. */
export const trace = async (address: string, chain: string, hops: number, limit: number, ask: Ask): Promise<Step[] | null> => {
  if ((await busyOf([address], chain, ask)).has(address)) return null
  const steps: Step[] = []
  const seen = new Set([address])
  let frontier = new Map([[address, newest]])
  for (let hop = 1; hop <= hops && frontier.size > 0; hop++) {
    const rows = await ask.store.query(traceHop, { chain, addresses: [...frontier.keys()].map(bare), before: [...frontier.values()], limit }, Row)
    const busy = await busyOf([...new Set(rows.map((row) => row.from_address))], chain, ask)
    const next = new Map<string, number>()
    for (const { last_block: height, ...row } of rows) {
      const end = endOf({ ...row, last_block: height }, seen, busy, hop === hops)
      steps.push({ hop, ...row, stopped_because: end })
      if (end === null) next.set(row.from_address, Math.max(height, next.get(row.from_address) ?? 0))
    }
    for (const found of next.keys()) seen.add(found)
    frontier = next
  }
  return steps
}
