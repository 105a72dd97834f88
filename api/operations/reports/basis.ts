/** What a report rests on, fixed when it is made: blocks by height and hash, counts of rows, the build, the rules. */
import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { canonicalOf, hashOf } from '../../../schemas/attest/canonical.js'
import { buildOf } from '../../build.js'
import type { Ask } from '../../operation.js'
import { exposureRule } from '../wallets/trail/exposures.js'
import { readRule } from '../wallets/trail/scores.js'

const readHeads = loadSql(import.meta.url, 'readHeads.sql')
const countRows = loadSql(import.meta.url, 'countRows.sql')
const Row = z.object({ height: z.number(), hash: z.string(), time: z.string() })

export interface Block { readonly height: number; readonly block_hash: string; readonly block_time: string }

/** Blocks of the stored chain at `heights`, as they are now. */
const blocksAt = async (chain: string, heights: readonly number[], ask: Ask): Promise<Block[]> =>
  (await ask.store.query(readHeads, { chain, heights }, Row)).map(({ height, hash, time }) => ({ height, block_hash: chain === 'BTC' ? hash : `0x${hash}`, block_time: time }))

/** The newest indexed block of a stored chain; null: nothing is indexed; 'gone': what was the newest is being taken away. */
export type Head = Block | 'gone' | null
export const headOf = async (chain: string | null, ask: Ask): Promise<Head> => {
  const bounds = chain === null ? undefined : (await ask.services.coverage.view()).bounds.get(chain)
  return chain === null || bounds === undefined ? null : (await blocksAt(chain, [bounds.newest], ask))[0] ?? 'gone'
}

/** Whether `head` is still the chain's; one that is gone is not. */
export const stands = async (chain: string | null, head: Head, ask: Ask): Promise<boolean> =>
  chain === null || head === null || (head !== 'gone' && (await blocksAt(chain, [head.height], ask))[0]?.block_hash === head.block_hash)

/** What of the chain is indexed; null: nothing. */
export const indexedOf = async (chain: string | null, ask: Ask) => {
  const bounds = chain === null ? undefined : (await ask.services.coverage.view()).bounds.get(chain)
  return bounds === undefined ? null : { oldest_block: bounds.oldest, newest_block: bounds.newest, blocks: bounds.blocks, missing_blocks: bounds.missing, untraced_blocks: bounds.untraced }
}

/** Rows by table, as stored. */
export const provenanceOf = async (ask: Ask): Promise<Record<string, number>> =>
  Object.fromEntries((await ask.store.query(countRows, {}, z.object({ table: z.string(), rows: z.number() }))).map(({ table, rows }) => [table, rows]))

/** Build and schema. */
export const buildBasis = (ask: Ask) => {
  const { git_commit: commit, schema_head: head, versions } = buildOf(ask.config)
  return { git_commit: commit, alembic_head: head, versions }
}

/** The rules that scores and exposures were found by, with every number they take, and the hash of that. */
export const evalBaseline = async (ask: Ask) => {
  const { weights, ...rule } = await readRule(ask)
  const rules = { score: { ...rule, weights: Object.fromEntries(weights) }, exposure: exposureRule }
  return { rules, sha256: hashOf(canonicalOf(rules)) }
}
