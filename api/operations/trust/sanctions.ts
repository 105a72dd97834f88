/** How far sanctions screening reaches on a chain: what is not loaded is said, never taken for clear. */
import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'

const registers = ['OFAC_SDN', 'UK_HMT', 'IL_NBCTF', 'JP_METI'] as const
/** Publishes organisations and persons, no addresses of wallets. */
const withoutAddresses: ReadonlySet<string> = new Set(['JP_METI'])

const Register = z.object({
  register: z.enum(registers), status: z.enum(['loaded', 'not_loaded', 'not_applicable']).describe('not_applicable: the register names no addresses'),
  version: z.string().nullable(), loaded_at: Instant.nullable(), addresses: z.number().int().nullable().describe('Addresses of this chain it lists; null: not known'),
})
export const Sanctions = z.object({
  screened: z.boolean().describe('true: every register that names addresses is loaded; false: no match is not evidence'), note: z.string(), registers: z.array(Register),
  labelled: z.number().int().describe('Addresses that a source of labels calls sanctioned: copies, not a register'),
})

interface Load { readonly register: string; readonly version: string; readonly loaded_at: string }
interface Source { readonly source: string; readonly addresses: number; readonly sanctioned: number }

/** From the newest loads of all registers, and the labels of one chain by source. */
export const sanctionsOf = (loads: readonly Load[], sources: readonly Source[]): z.infer<typeof Sanctions> => {
  const listed = registers.map((register) => {
    const load = loads.find((one) => one.register === register)
    const addresses = load === undefined ? null : sources.find(({ source }) => source === register)?.addresses ?? 0
    const status = withoutAddresses.has(register) ? 'not_applicable' as const : load === undefined ? 'not_loaded' as const : 'loaded' as const
    return { register, status, version: load?.version ?? null, loaded_at: load?.loaded_at ?? null, addresses: status === 'not_applicable' ? null : addresses }
  })
  const missing = listed.filter(({ status }) => status === 'not_loaded').map(({ register }) => register)
  return {
    screened: missing.length === 0, registers: listed, labelled: sources.filter(({ source }) => !registers.some((register) => register === source)).reduce((sum, { sanctioned }) => sum + sanctioned, 0),
    note: missing.length === 0 ? 'Every register that names addresses is loaded.' : `Not loaded: ${missing.join(', ')}. An address without a match is unknown, not clear.`,
  }
}
