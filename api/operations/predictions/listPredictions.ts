import { z } from 'zod'
import { EvmAddress, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { accountsField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { emptyUnlessAccounts, accountChain } from '../../span.js'
import { untrusted } from '../../untrusted.js'

const [listPredictions, lastTraining] = [loadSql(import.meta.url, 'listPredictions.sql'), loadSql(import.meta.url, 'lastTraining.sql')]
const share = z.number().min(0).max(1)
const Prediction = z.object({
  token: EvmAddress, symbol: z.string().describe('Untrusted text'), target_hour: Instant.describe('Whether the price at the end of this hour is above price_then'), horizon_hours: z.number().int(), made_at: Instant,
  probability_up: share, price_then: z.number(), features: z.record(z.string(), z.number()).describe('In deviations from the week before'), model_version: Instant.describe('The hour as of which it was trained'),
  tested: z.number().int().describe('Hours of the walk-forward test'), hit_rate: share, base_rate: share.describe('Of always naming the more frequent direction'),
  price_later: z.number().nullable(), hit: z.boolean().nullable().describe('null: not over, or without a price'),
  realised: z.number().int().describe('Predictions of this token that were judged'), realised_hit_rate: share.nullable(), realised_base_rate: share.nullable(),
})
const Row = Prediction.extend({ at: z.number(), symbol: z.string().transform((text) => untrusted(text)) })
const Training = z.object({ model_version: Instant, trained_at: Instant, from_hour: Instant.nullable().describe('null: there was no hour to learn from'), to_hour: Instant, rows: z.number().int(), tokens_tested: z.number().int(), tokens_speaking: z.number().int().describe('Whose test beat the base rate by three deviations; the others are silent') })
const Position = z.tuple([z.number().int().min(0), z.string().regex(/^[0-9a-f]{40}$/)])
const never = 4_102_444_800

export default operation({
  name: 'list_predictions', aliases: ['ml_predictions', 'get_predictions', 'predictions'], route: 'GET /v1/predictions', auth: 'key', lane: 'signals', tool: true, cacheSeconds: 60, sources: ['predictions', 'prices', 'swaps', 'transfers', 'labels'], rows: 'predictions',
  summary: 'Whether a token\'s price will be higher an hour on, by models tested walk-forward; silent where the test did not beat the base rate.',
  input: z.object({ chain: accountsField.default('ETH'), token: z.string().regex(/^0x[0-9a-fA-F]{40}$/).optional().describe('Only this token'), limit: limitField(100, 20), cursor: cursorField }),
  output: z.object({ chain: z.string(), training: Training.nullable().describe('The newest; null: nothing was trained'), count: z.number().int(), predictions: z.array(Prediction), next_cursor: z.string().nullable(), has_more: z.boolean(), coverage_status: CoverageStatus }),
  // A training that found nothing worth saying is an answer; none at all, or one that had too few hours to test any token, is not.
  empty: (output) => emptyUnlessAccounts(output) ?? (output.training === null || output.training.tokens_tested === 0 ? emptyBecause('data_gap') : null),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const stored = accountChain(chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, token: input.token?.toLowerCase() }
    const [hour, below] = input.cursor === undefined ? [never, ''] : cursors.read('list_predictions', inputs, input.cursor, Position)
    const [status, rows, [training]] = await Promise.all([
      coverage.status(chain.id), stored === null ? [] : ask.store.query(listPredictions, { chain: stored, token: input.token?.slice(2).toLowerCase() ?? '', hour, below, limit: input.limit + 1 }, Row),
      stored === null ? [] : ask.store.query(lastTraining, { chain: stored }, Training),
    ])
    const shown = rows.slice(0, input.limit)
    const last = shown.at(-1)
    const more = rows.length > input.limit && last !== undefined
    return {
      chain: chain.id, training: training ?? null, count: shown.length, predictions: shown.map(({ at: _, ...row }) => row),
      next_cursor: more ? cursors.write('list_predictions', inputs, [last.at, last.token.slice(2)]) : null, has_more: more, coverage_status: status,
    }
  },
})
