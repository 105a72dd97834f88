import { z } from 'zod'
import { operation } from '../../operation.js'
import { webhookIdField, webhookOf, writeWebhook } from './webhooks.js'

export default operation({
  name: 'delete_webhook', route: 'DELETE /v1/monitoring/webhooks/{webhook_id}', auth: 'key', lane: 'compliance', tool: false, writes: true, status: 204,
  summary: 'Takes a webhook of yours away: nothing more is sent to it.',
  input: z.object({ webhook_id: webhookIdField }), output: z.null(),
  run: async ({ webhook_id: id }, ask) => {
    await writeWebhook(ask, await webhookOf(ask, id), true)
    return null
  },
})
