/** One address against the sanctions registers. An address that is not found is clear only when every register was there to be asked. */
import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { untrusted } from '../../untrusted.js'

const listDesignations = loadSql(import.meta.url, 'listDesignations.sql')
const listRegisterLoads = loadSql(import.meta.url, 'listRegisterLoads.sql')

export const registers = ['OFAC_SDN', 'UK_HMT', 'IL_NBCTF', 'JP_METI'] as const
/** Publishes organisations and persons, no addresses: without a load of addresses there is nothing to ask it. */
const withoutAddresses = 'JP_METI'
const Status = z.enum(['MATCH', 'NO_MATCH', 'UNKNOWN'])

const Match = z.object({
  source: z.enum(registers), list_id: z.string(), entity_name: z.string(), confidence: z.number().min(0).max(1), last_verified_at: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/),
  metadata: z.object({ aggregator: z.string(), designating_authority: z.string(), programme: z.string(), listed_on: z.string().nullable(), listed_address: z.string(), ticker: z.string() }),
})
const Asked = z.object({
  source: z.enum(registers), status: z.enum(['screened', 'not_applicable', 'not_loaded']).describe('not_applicable: the register lists no addresses'),
  list_version: z.string().nullable(), list_sha256: z.string().nullable(), addresses: z.number().int().nullable(), loaded_at: Instant.nullable(),
})

/** sanctions_status UNKNOWN is no clearance: reason says which registers were not there. */
export const Screening = z.object({
  sanctions_status: Status, screening_status: Status, reason: z.string().nullable(), match_count: z.number().int(), matches: z.array(Match), registers: z.array(Asked), disclaimer: z.string(),
})
export type Screening = z.infer<typeof Screening>

export const disclaimer = 'Information only, not legal advice. Registers change and attribution of addresses can be wrong: check the issuing authority before acting.'

const Listing = Match.omit({ metadata: true }).extend(Match.shape.metadata.shape).extend({ entity_name: z.string().transform((text) => untrusted(text, 200)) })
const Load = z.object({ source: z.enum(registers), list_version: z.string(), list_sha256: z.string(), addresses: z.number(), loaded: z.string() })

const readLoads = ({ store }: Ask) => store.query(listRegisterLoads, { registers }, Load)
/** Whether an address that no register lists is clear: every register that publishes addresses is loaded. */
export const everyRegister = async (ask: Ask): Promise<boolean> => {
  const loads = await readLoads(ask)
  return loads.some(({ addresses }) => addresses > 0) && registers.every((name) => name === withoutAddresses || loads.some(({ source }) => source === name))
}

/** Screens `address`, in any letter case, on all registers whatever its chain. */
export const screen = async (address: string, ask: Ask): Promise<Screening> => {
  const [listings, loads] = await Promise.all([ask.store.query(listDesignations, { key: address.toLowerCase() }, Listing), readLoads(ask)])
  const asked = registers.map((source): z.infer<typeof Asked> => {
    const load = loads.find((one) => one.source === source)
    if (load === undefined) return { source, status: source === withoutAddresses ? 'not_applicable' : 'not_loaded', list_version: null, list_sha256: null, addresses: null, loaded_at: null }
    return { source, status: load.addresses === 0 ? 'not_applicable' : 'screened', list_version: load.list_version, list_sha256: load.list_sha256, addresses: load.addresses, loaded_at: load.loaded }
  })
  const absent = asked.filter(({ status }) => status === 'not_loaded').map(({ source }) => source)
  const screened = asked.some(({ status }) => status === 'screened')
  const status = listings.length > 0 ? 'MATCH' : absent.length === 0 && screened ? 'NO_MATCH' : 'UNKNOWN'
  return {
    sanctions_status: status, screening_status: status,
    reason: loads.length === 0 ? 'No sanctions register is loaded' : absent.length > 0 ? `Not loaded: ${absent.join(', ')}` : screened ? null : 'No register that is loaded lists addresses',
    match_count: listings.length,
    matches: listings.map(({ source, list_id, entity_name, confidence, last_verified_at, ...metadata }) => ({ source, list_id, entity_name, confidence, last_verified_at, metadata })), registers: asked, disclaimer,
  }
}
