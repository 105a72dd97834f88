import { z } from 'zod'
import { masterSecret, webhookSecret } from '../../../schemas/webhookSecrets.js'
import { operation } from '../../operation.js'
import { webhookIdField, webhookOf, webhookView, WithSecret, writeWebhook } from './webhooks.js'

/** So long the secret before signs, too. */
const overlapMs = 86_400_000
/** Secrets beside the current and the one before it that can sign at once; of more rotations in a day the oldest go, so that a header stays short. */
const mostEarlier = 8

export default operation({
  name: 'rotate_webhook_secret', route: 'POST /v1/monitoring/webhooks/{webhook_id}/rotate', auth: 'key', tier: 'compliance', lane: 'compliance', tool: false, writes: true,
  summary: 'Gives a webhook a new secret, shown once. Each secret before it signs, too, for a day after it was followed.',
  input: z.object({ webhook_id: webhookIdField }), output: WithSecret,
  run: async ({ webhook_id: id }, ask) => {
    const before = await webhookOf(ask, id)
    const row = { ...before, secret_no: before.secret_no + 1, previous_until: new Date(Date.now() + overlapMs).toISOString(), earlier_until: [before.previous_until, ...before.earlier_until].slice(0, mostEarlier) }
    const secret = webhookSecret(await masterSecret(ask.writer), id, row.secret_no)
    await writeWebhook(ask, row)
    return { ...webhookView(row), secret }
  },
})
