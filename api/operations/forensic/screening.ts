/** Addresses against the sanctions registers. One that is not found is clear only when every register that names addresses was there to be asked, and was current. */
import { z } from 'zod'
import { normalAddress } from '../../../schemas/addresses/normalAddress.js'
import { Instant } from '../../../schemas/primitives.js'
import type { EmptyReason } from '../../empty.js'
import type { Ask } from '../../operation.js'
import { listViews, registers, withoutAddresses, type Listing, type ListView } from './sanctionsLists.js'

export { registers } from './sanctionsLists.js'

const Status = z.enum(['MATCH', 'NO_MATCH', 'UNKNOWN'])
const Day = z.string().nullable()

/** ends_on: until when the order is in force, where the register says so. note: what was mended in the listed address, or why it is in no form of an address; and that the order had ended at the moment asked about, where it had. */
export const Match = z.object({
  source: z.enum(registers), list_id: z.string(), entity_name: z.string(), confidence: z.number().min(0).max(1), last_verified_at: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/),
  metadata: z.object({
    aggregator: z.string(), designating_authority: z.string(), programme: z.string(), listed_on: Day, ends_on: Day, listed_address: z.string(), ticker: z.string(), note: z.string().nullable(),
  }),
})
/** list_version: the day the list says it is of, or the first letters of its hash. checked_at: when it was last known to be the newest. problem: why the newest attempt to load it was not taken (the list before stays), or what of it cannot be read. */
export const Asked = z.object({
  source: z.enum(registers), status: z.enum(['screened', 'stale', 'incomplete', 'not_applicable', 'not_loaded']).describe('incomplete: parts of it cannot be read; not_applicable: it lists no addresses'),
  list_version: z.string().nullable(), list_sha256: z.string().nullable(), checked_at: Instant.nullable(), loaded_at: Instant.nullable(), addresses: z.number().int().nullable(), problem: z.string().nullable(),
})

/** sanctions_status UNKNOWN is no clearance: reason says why. */
const Found = z.object({ sanctions_status: Status, screening_status: Status, reason: z.string().nullable(), match_count: z.number().int(), matches: z.array(Match) })
export const Screening = Found.extend({ registers: z.array(Asked), disclaimer: z.string() })
export type Screening = z.infer<typeof Screening>
export type Found = z.infer<typeof Found>
export { Found as FoundShape }

export const disclaimer = 'Information only, not legal advice. Registers change and attribution of addresses can be wrong: check the issuing authority before acting.'

const askedOf = ({ source, state, missing }: ListView, at: number, staleSeconds: number): z.infer<typeof Asked> => {
  const empty = { source, list_version: null, list_sha256: null, checked_at: null, loaded_at: null, addresses: null, problem: null }
  if (withoutAddresses.has(source)) return { ...empty, status: 'not_applicable' }
  if (state === null) return { ...empty, status: 'not_loaded' }
  if (missing > 0) return { ...empty, status: 'not_loaded', problem: `The store does not have the ${state.addresses} addresses that were loaded: ${missing} differ` }
  // What was the same before and after a moment was current at it.
  const current = state.next_content === state.content || at - Date.parse(state.checked) <= staleSeconds * 1_000
  return {
    source, status: !current ? 'stale' : state.notes === '' ? 'screened' : 'incomplete', list_version: state.list_version, list_sha256: state.list_sha256, checked_at: state.checked, loaded_at: state.loaded, addresses: state.addresses,
    problem: state.last_status === 'refused' || state.last_status === 'failed' ? `${state.last_status} at ${state.last_at}: ${state.last_reason}` : state.notes === '' ? null : state.notes,
  }
}

/** Instants with microseconds and their offset, as the specification has them. */
const precise = (instant: string): string => new Date(instant).toISOString().replace('Z', '000+00:00')

/** The day (UTC) of a moment. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const matchOf = (listings: readonly Listing[], view: ListView, at: number): z.infer<typeof Match> | null => {
  const [first] = listings
  if (first === undefined || view.state === null) return null
  const { source, list_id, entity_name, aggregator, designating_authority, programme, listed_on, ends_on, listed_address, repaired, unreadable } = first
  return {
    source, list_id, entity_name, confidence: Math.max(...listings.map(({ confidence }) => confidence)), last_verified_at: precise(view.state.checked),
    metadata: {
      aggregator, designating_authority, programme, listed_on, ends_on, listed_address, ticker: [...new Set(listings.map(({ ticker }) => ticker))].filter((ticker) => ticker !== '').join(', '),
      note: [unreadable !== '' ? `Not normalisable: ${unreadable}` : repaired !== '' ? `Mended: ${repaired}` : '', ends_on !== null && ends_on < dayOf(at) ? `The order ended on ${ends_on}` : ''].filter((part) => part !== '').join('. ') || null,
    },
  }
}

/** So far a caller's clock may be ahead. */
const aheadMs = 60_000

/** What the registers can say at a moment. gap: why what is not found is not clear; null: it is clear. */
export interface Desk { /** The moment, Unix milliseconds. */ readonly at: number; readonly views: readonly ListView[]; readonly asked: readonly z.infer<typeof Asked>[]; readonly gap: string | null }

/** Opens the registers as they are, or as they were at `at` (unix milliseconds). One desk answers from one version of each list. */
export const openDesk = async ({ store, config }: Ask, at?: number): Promise<Desk> => {
  const views = await listViews(store, at)
  const asked = views.map((view) => askedOf(view, at ?? Date.now(), config.SANCTIONS_STALE_SECONDS))
  const named = (status: string): string => asked.filter((one) => one.status === status).map(({ source, checked_at: checked }) => (checked === null ? source : `${source} (last known to be current ${checked})`)).join(', ')
  const [absent, stale] = [named('not_loaded'), named('stale')]
  const unread = asked.flatMap(({ source, status }, at) => (status === 'incomplete' ? [`${source} (${views[at]?.state?.notes ?? ''})`] : [])).join(', ')
  const gap = asked.every(({ status }) => status === 'not_loaded' || status === 'not_applicable') ? 'No sanctions register is loaded'
    : [at !== undefined && at > Date.now() + aheadMs ? 'That time is to come' : '', absent === '' ? '' : `Not loaded: ${absent}`, stale === '' ? '' : `Stale: ${stale}`, unread === '' ? '' : `Incomplete: ${unread}`].filter((part) => part !== '').join('. ')
  return { at: at ?? Date.now(), views, asked, gap: gap === '' ? null : at === undefined ? gap : `${gap}. As of ${new Date(at).toISOString()}` }
}

/** One address at a desk. */
export const screenAt = ({ at, views, gap }: Desk, address: string): Found => {
  const read = normalAddress(address)
  const matches = views.flatMap((view) => {
    const found = [...new Set([read.key, ...read.also].flatMap((key) => view.listings.get(key) ?? []))]
    if (found.length === 0) return []
    return [...new Set(found.map(({ list_id: id }) => id))].flatMap((id) => matchOf(found.filter((one) => one.list_id === id), view, at) ?? [])
  })
  const why = [gap, read.reason === null ? null : `Not an address that can be looked up for certain: ${read.reason}`].filter((part) => part !== null).join('. ')
  const status = matches.length > 0 ? 'MATCH' : why === '' ? 'NO_MATCH' : 'UNKNOWN'
  const reason = [why, read.repaired === null ? '' : `Looked up with this mended: ${read.repaired}`].filter((part) => part !== '').join('. ')
  return { sanctions_status: status, screening_status: status, reason: reason === '' ? null : reason, match_count: matches.length, matches }
}

/** Why a silence of registers that were asked means nothing; null: all of them are there and current. */
export const silenceOfRegisters = (asked: Desk['asked']): EmptyReason | null =>
  (asked.some(({ status }) => status === 'not_loaded' || status === 'incomplete') ? 'data_gap' : asked.some(({ status }) => status === 'stale') ? 'stale_pipeline' : null)

/** Whether an address that no register lists is clear: every register that publishes addresses is there and current. */
export const everyRegister = async (ask: Ask): Promise<boolean> => (await openDesk(ask)).gap === null

/** Screens `address`, in any letter case, on all registers whatever its chain. */
export const screen = async (address: string, ask: Ask, at?: number): Promise<Screening> => {
  const desk = await openDesk(ask, at)
  return { ...screenAt(desk, address), registers: [...desk.asked], disclaimer }
}
