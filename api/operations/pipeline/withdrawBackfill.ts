import { z } from 'zod'
import { operation } from '../../operation.js'
import { backfillState, BackfillState } from './backfills.js'

export default operation({
  name: 'withdraw_backfill', route: 'POST /v1/pipeline/backfill/{target}/withdraw', auth: 'key', role: 'admin', lane: 'system', tool: false, writes: true,
  summary: 'Withdraws a backfill: what is indexed stays, what is planned goes through, the rest is not fetched.',
  input: z.object({ target: z.string().min(1).max(100).describe('As list_backfills names it') }),
  output: BackfillState,
  run: async ({ target }, { services, principal }) => backfillState(await services.pipeline.withdraw(target, principal.keyId ?? principal.name)),
})
