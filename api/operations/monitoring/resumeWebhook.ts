import { z } from 'zod'
import { closeIncident } from '../../../workers/incidents.js'
import { operation } from '../../operation.js'
import { Webhook, webhookIdField, webhookOf, webhookView, writeWebhook } from './webhooks.js'

export default operation({
  name: 'resume_webhook', route: 'POST /v1/monitoring/webhooks/{webhook_id}/resume', auth: 'key', tier: 'compliance', lane: 'compliance', tool: false, writes: true,
  summary: 'Switches a webhook on again. It goes on behind the message that was given up, whose alerts are in the feed.',
  input: z.object({ webhook_id: webhookIdField }), output: Webhook,
  run: async ({ webhook_id: id }, ask) => {
    const before = await webhookOf(ask, id)
    const row = { ...before, state: 'active' as const, reason: '' }
    if (before.state !== 'active') {
      await writeWebhook(ask, row)
      await closeIncident(ask.writer, `webhook-${id}`)
    }
    return webhookView(row)
  },
})
