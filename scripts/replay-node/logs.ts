/** eth_getLogs: which logs of a recorded block a filter takes is found out once; its copies are then cut at the same places. */
import type { ReplayChain } from './chain.js'
import type { Body } from './template.js'

/** As JSON-RPC words it: an address or several; for each place a topic, several, or null for any. */
export interface LogFilter { readonly address?: unknown; readonly topics?: unknown }

/** A filter no node would take. */
export class InvalidFilter extends Error {}

const comma = Buffer.from(',')
type Accepts = (value: string | undefined) => boolean

const accepts = (wanted: unknown, digits: number, what: string): Accepts => {
  if (wanted === undefined || wanted === null || (Array.isArray(wanted) && wanted.length === 0)) return () => true
  const values = (Array.isArray(wanted) ? wanted as unknown[] : [wanted]).map((value) => {
    if (typeof value !== 'string' || value.length !== digits + 2 || !/^0x[0-9a-f]*$/i.test(value)) throw new InvalidFilter(`invalid argument 0: ${what} must be 0x and ${digits} hex digits`)
    return value.toLowerCase()
  })
  const set = new Set(values)
  return (value) => value !== undefined && set.has(value)
}

const found = new WeakMap<Body, Map<string, Body['elements']>>()
const kept = 64

/** Places of the logs of `mould` that pass; remembered for the last few filters. */
const places = (mould: Body, filter: LogFilter): Body['elements'] => {
  const known = found.get(mould) ?? new Map<string, Body['elements']>()
  found.set(mould, known)
  const key = JSON.stringify([filter.address, filter.topics])
  const present = known.get(key)
  if (present !== undefined) return present
  if (filter.topics !== undefined && filter.topics !== null && !Array.isArray(filter.topics)) throw new InvalidFilter('invalid argument 0: topics must be a list')
  const address = accepts(filter.address, 40, 'an address')
  // A filter of n topics takes no log of fewer, whatever stands at their places.
  const topics = ((filter.topics ?? []) as unknown[]).map((topic) => accepts(topic, 64, 'a topic'))
  const logs = JSON.parse(mould.bytes.toString('utf8')) as { address: string; topics: string[] }[]
  const taken = mould.elements.filter((_, index) => {
    const log = logs[index]
    return log !== undefined && address(log.address) && log.topics.length >= topics.length && topics.every((passes, at) => passes(log.topics[at]))
  })
  if (known.size >= kept) known.clear()
  known.set(key, taken)
  return taken
}

/** Logs of the blocks at `from`…`to` that `filter` takes, as a JSON list, lowest first. Rejects a filter that cannot be. */
export const logsOf = (chain: ReplayChain, filter: LogFilter, from: number, to: number): Buffer => {
  const heights: number[] = []
  for (let height = chain.at(to); height !== undefined && height >= from; height = chain.at(height - 1)) heights.push(height)
  const pieces: Buffer[] = []
  for (const height of heights.reverse()) {
    const mould = chain.mould(height, 'logs')
    const body = mould === undefined || places(mould, filter).length === 0 ? undefined : chain.body(height, 'logs')
    if (mould === undefined || body === undefined) continue
    for (const [start, end] of places(mould, filter)) pieces.push(comma, body.subarray(start, end))
  }
  return Buffer.concat([Buffer.from('['), ...pieces.slice(1), Buffer.from(']')])
}
