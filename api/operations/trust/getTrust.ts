import { z } from 'zod'
import { chains, type Chain } from '../../../schemas/chains.js'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { chainField, chainOf } from '../../fields.js'
import { operation } from '../../operation.js'
import { remainderBy } from '../../remainder.js'
import { openDesk, registers as allRegisters } from '../forensic/screening.js'
import { sanctionsOf, Sanctions } from './sanctions.js'

const labelSources = loadSql(import.meta.url, 'labelSources.sql')
const labelledSanctioned = loadSql(import.meta.url, 'labelledSanctioned.sql')
const registerLoads = loadSql(import.meta.url, 'registerLoads.sql')

const Source = z.object({
  source: z.string(), licence: z.string(), labels: z.number().int(), addresses: z.number().int(), version: z.string().nullable(),
  sha256: z.string().nullable(), loaded_at: Instant.nullable().describe('null: made here, not loaded from a register'),
})
const SourceRow = Source.extend({ chain: z.string() })
const Labelled = z.object({ chain: z.string(), addresses: z.number().int() })
const Register = z.object({ register: z.string(), version: z.string(), sha256: z.string(), rows: z.number().int(), loaded_at: Instant })
const Trust = z.object({
  chain: z.string(), name: z.string(), pipeline_tier: z.string().describe('live, perps-only, pending or unbacked: what is built for the chain'),
  freshness: z.object({ newest_block: z.number().int().nullable(), newest_time: Instant.nullable(), age_seconds: z.number().int().nullable(), head_block: z.number().int().nullable(), lag_blocks: z.number().int().nullable() }),
  coverage: z.object({ oldest_block: z.number().int().nullable(), blocks: z.number().int(), missing_blocks: z.number().int().describe('Wanted, and not indexed yet'), untraced_blocks: z.number().int() }),
  sanctions: Sanctions, labels: z.array(Source), coverage_status: CoverageStatus,
})

export default operation({
  name: 'get_trust', aliases: ['sanctions_coverage'], route: 'GET /v1/trust', auth: 'public', lane: 'system', tool: true, cacheSeconds: 30,
  summary: 'What the answers rest on, by chain: coverage, freshness, sanctions registers, sources of labels.',
  input: z.object({ chain: chainField.default('ALL') }),
  output: z.object({ as_of: Instant, count: z.number().int(), chains: z.array(Trust), registers: z.array(Register).describe('The newest load of each register') }),
  remainder: (_args, { chains: told }, given) => remainderBy('chain', told.map(({ chain }) => chain), given),
  run: async (input, ask) => {
    const asked = chainOf(input.chain)
    const { store, services, signal } = ask
    const [view, desk, sources, labelled, registers] = await Promise.all([services.coverage.view(), openDesk(ask), store.query(labelSources, {}, SourceRow, {}, signal), store.query(labelledSanctioned, { registers: allRegisters }, Labelled, {}, signal), store.query(registerLoads, {}, Register, {}, signal)])
    const trust = async (chain: Chain): Promise<z.infer<typeof Trust>> => {
      const bounds = view.bounds.get(chain.id)
      const head = view.heads.get(chain.id)
      // The number of a venue's segment is ours and no height; its time is the venue's.
      const newest = chain.hasBlocks ? bounds?.newest_time ?? null : head?.time ?? null
      const mine = sources.filter((source) => source.chain === chain.id)
      return {
        chain: chain.id, name: chain.name, pipeline_tier: chain.status,
        freshness: {
          newest_block: bounds?.newest ?? null, newest_time: newest, age_seconds: newest === null ? null : Math.max(0, Math.round((Date.now() - Date.parse(newest)) / 1_000)),
          head_block: chain.hasBlocks ? head?.number ?? null : null, lag_blocks: head === undefined || bounds === undefined ? null : Math.max(0, head.number - bounds.newest),
        },
        coverage: { oldest_block: bounds?.oldest ?? null, blocks: bounds?.blocks ?? 0, missing_blocks: bounds?.missing ?? 0, untraced_blocks: bounds?.untraced ?? 0 },
        sanctions: sanctionsOf(desk, chain.id, labelled.find((one) => one.chain === chain.id)?.addresses ?? 0), labels: mine.map(({ chain: _, ...source }) => source), coverage_status: await services.coverage.status(chain.id),
      }
    }
    const told = await Promise.all(chains.filter(({ id, status }) => status !== 'aggregate' && (asked.status === 'aggregate' || id === asked.id)).map(trust))
    return { as_of: new Date().toISOString(), count: told.length, chains: told, registers }
  },
})
