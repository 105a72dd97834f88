/** How far sanctions screening reaches on a chain: what is not loaded or not current is said, never taken for clear. */
import { z } from 'zod'
import type { Listing, ListView } from '../forensic/sanctionsLists.js'
import { Asked, type Desk } from '../forensic/screening.js'

const Register = Asked.omit({ source: true, status: true, list_version: true, list_sha256: true }).extend({
  register: Asked.shape.source, status: z.enum(['loaded', 'stale', 'incomplete', 'not_loaded', 'not_applicable']).describe('not_applicable: the register names no addresses'),
  version: z.string().nullable(), addresses: z.number().int().nullable().describe('Addresses of this chain it lists; null: not known'),
})
export const Sanctions = z.object({
  screened: z.boolean().describe('true: every register that names addresses is loaded and current; false: no match is not evidence'), note: z.string(), registers: z.array(Register),
  labelled: z.number().int().describe('Addresses that a source of labels calls sanctioned: copies, not a register'),
})

/** An address of the EVM is one on every such chain. */
const evm: ReadonlySet<string> = new Set(['ETH', 'MATIC', 'ARB', 'AVAX', 'BASE', 'OP', 'HL'])
const isOf = (chain: string) => ({ chain: own, key }: Listing): boolean => (evm.has(chain) ? key.startsWith('0x') : own === chain)
const addressesOf = ({ listings }: ListView, chain: string): number => [...listings].filter(([key, found]) => found.some((listing) => listing.key === key && isOf(chain)(listing))).length

/** From the registers as they stand, and how many addresses of one chain others call sanctioned. */
export const sanctionsOf = ({ asked, views, gap }: Desk, chain: string, labelled: number): z.infer<typeof Sanctions> => ({
  screened: gap === null, note: gap === null ? 'Every register that names addresses is loaded and current.' : `${gap}. An address without a match is unknown, not clear.`,
  registers: asked.map(({ source, status, list_version: version, list_sha256: _, addresses: __, ...rest }, at) => {
    const view = views[at]
    return { ...rest, register: source, status: status === 'screened' ? 'loaded' : status, version, addresses: view === undefined || view.state === null ? null : addressesOf(view, chain) }
  }),
  labelled,
})
