/** Chains with tokens of which no list names any: their tokens then weigh nothing, and what stands on them stands on the coin alone. */
import { z } from 'zod'
import { loadSql } from '../schemas/sql.js'
import type { CoverageStatus } from './coverage.js'
import { emptyBecause, type Empty } from './empty.js'
import type { Ask } from './operation.js'
import { accountChain, storedChains } from './span.js'

const unlisted = loadSql(import.meta.url, 'unlisted.sql')
/** Registers that come with the service and name tokens. */
export const tokenLists = ['hydrophone', 'metamask-contract-metadata', 'ethereum-lists'] as const
const said = 'no list of tokens is loaded'

/** Whether a list names the token of a row. */
export const listedField = z.boolean().describe('false: no list names it: unless an oracle or its peg priced it, its own pools did')

/** Chains of which it was seen that a list does, by the service that saw it: once one was loaded, one was. */
const seen = new WeakMap<object, Set<string>>()
/** Whether a list names tokens of a stored chain. */
export const isListed = async (chain: string, ask: Ask): Promise<boolean> => {
  const { coverage } = ask.services, known = seen.get(coverage) ?? new Set<string>()
  if (known.has(chain)) return true
  const listed = (await ask.store.query(unlisted, { chain }, z.object({ listed: z.coerce.boolean() }), {}, ask.signal))[0]?.listed === true
  if (listed) seen.set(coverage, known.add(chain))
  return listed
}

/** What an answer about a chain, or about all, that stands on listed tokens has to say where there are none. */
export const unlistedWarnings = async (about: string, ask: Ask): Promise<string[]> => {
  const [chain = null] = storedChains({ id: about }).map((id) => accountChain({ id })).filter((id) => id !== null)
  return chain === null || await isListed(chain, ask) ? [] : [`Of ${chain} ${said} (${tokenLists.join(', ')}): no token is known to be listed, and what moved in one weighs nothing`]
}

/** `status` of such an answer. */
export const withUnlisted = async (status: CoverageStatus, about: string, ask: Ask): Promise<CoverageStatus> => {
  const warnings = await unlistedWarnings(about, ask)
  return warnings.length === 0 ? status : { ...status, warnings: [...status.warnings, ...warnings] }
}

/** The same of one about an address, where any token moved that a list would have to name (`listed`: none did, or there is a list). */
export const unlessListed = async ({ listed }: { readonly listed: boolean }, status: CoverageStatus, about: string, ask: Ask): Promise<CoverageStatus> => (listed ? status : withUnlisted(status, about, ask))

/** For `empty`: a gap where coverage says that there is no list. */
export const emptyIfUnlisted = ({ coverage_status: { warnings } }: { readonly coverage_status: { readonly warnings: readonly string[] } }): Empty | null => (warnings.some((one) => one.includes(said)) ? emptyBecause('data_gap') : null)
