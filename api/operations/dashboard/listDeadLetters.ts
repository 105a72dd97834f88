import { z } from 'zod'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'

const Letter = z.object({
  id: z.string(), chain: z.string(), stage: z.string(), from_block: z.number().int(), to_block: z.number().int(), code: z.string(),
  cause: z.string().nullable().describe('null unless an operator asks'), endpoint: z.string().nullable().describe('null unless an operator asks'), attempts: z.number().int(),
  first_at: z.string().describe('When it gave up for the first time'), at: z.string().describe('When it did so last: later where it was redriven in vain'),
})

/** Sort position: when it gave up, id. */
const Position = z.tuple([z.string(), z.string()])

export default operation({
  name: 'list_dead_letters', aliases: ['dead_letters', 'get_dlq'], route: 'GET /v1/dashboard/dlq', auth: 'key', lane: 'system', tool: true, sources: ['dead_letters'], rows: 'items',
  summary: 'Batches that gave up, newest first. An operator puts them back with POST /v1/pipeline/redrive.',
  input: z.object({ limit: limitField(200, 50), cursor: cursorField }),
  output: z.object({ count: z.number().int().describe('Of all, not of this page'), oldest_age_seconds: z.number().nullable(), items: z.array(Letter), ...pageFields, coverage_status: CoverageStatus }),
  empty: () => emptyBecause('no_signal'),
  run: async ({ limit, cursor }, { services: { cursors, coverage, pipeline }, principal }) => {
    const after = cursor === undefined ? undefined : cursors.read('list_dead_letters', {}, cursor, Position)
    const [status, dead] = await Promise.all([coverage.status('ALL'), pipeline.deadLetters(limit + 1, after)])
    const inside = principal.role === 'admin' || principal.role === 'operator'
    const { page, more } = pageOf(dead.letters, limit, (last) => cursors.write('list_dead_letters', {}, [last.at, last.id]))
    return {
      count: dead.count, oldest_age_seconds: dead.oldestAgeSeconds,
      ...more,
      items: page.map((letter) => ({
        id: letter.id, chain: letter.chain, stage: letter.stage, from_block: letter.from, to_block: letter.to, code: letter.code, cause: inside ? letter.cause : null, endpoint: inside ? letter.endpoint : null,
        attempts: letter.attempts, first_at: letter.firstAt, at: letter.at,
      })), coverage_status: status,
    }
  },
})
