/** Chains of which no register or import was loaded that says what addresses are: that nothing is said of one means nothing there. */
import { z } from 'zod'
import { loadSql } from '../schemas/sql.js'
import type { CoverageStatus } from './coverage.js'
import { emptyBecause, type Empty } from './empty.js'
import type { Ask } from './operation.js'
import { registers } from './operations/forensic/sanctionsLists.js'
import { storedChains } from './span.js'

const unlabelled = loadSql(import.meta.url, 'unlabelled.sql')
/** Registers that come with the service and say what addresses are. */
export const bundled = { ETH: ['hydrophone', 'metamask-contract-metadata', 'ethereum-lists', 'graphsense-tagpacks'], BTC: ['graphsense-tagpacks'] } as const
type Stored = keyof typeof bundled
const said = 'no register of labels is loaded'

/** Chains of which it was seen that somebody does, by the service that saw it: once a register was loaded, one was. Asked beside every answer it takes as long as a small statement (some 5 ms). */
const seen = new WeakMap<object, Set<string>>()
/** Whether of a stored chain somebody says what addresses are. */
export const isLabelled = async (chain: string, ask: Ask): Promise<boolean> => {
  const { coverage } = ask.services, known = seen.get(coverage) ?? new Set<string>()
  if (known.has(chain)) return true
  const labelled = (await ask.store.query(unlabelled, { chain, sanctions: registers }, z.object({ labelled: z.coerce.boolean() }), {}, ask.signal))[0]?.labelled === true
  if (labelled) seen.set(coverage, known.add(chain))
  return labelled
}

/** What coverage says of those of `chains` (ids that are stored) without any label. */
export const unlabelledWarnings = async (chains: readonly Stored[], ask: Ask): Promise<string[]> => (await Promise.all(chains.map(async (chain) => (await isLabelled(chain, ask) ? [] : [`Of ${chain} ${said} (${bundled[chain].join(', ')}): who addresses are is not known`])))).flat()

/** `status` of an answer about a chain, or about stored ones, that stands on labels; it says of which there are none. */
export const withUnlabelled = async (status: CoverageStatus, about: string | readonly Stored[], ask: Ask): Promise<CoverageStatus> => {
  const warnings = await unlabelledWarnings(typeof about === 'string' ? storedChains({ id: about }) : about, ask)
  return warnings.length === 0 ? status : { ...status, warnings: [...status.warnings, ...warnings] }
}

/** For `empty`: a gap where coverage says that there are no labels. */
export const emptyIfUnlabelled = ({ coverage_status: { warnings } }: { readonly coverage_status: CoverageStatus }): Empty | null => (warnings.some((one) => one.includes(said)) ? emptyBecause('data_gap') : null)
