import { z } from 'zod'
import { closeIncident } from '../../../workers/incidents.js'
import { operation } from '../../operation.js'
import { webhookIdField, webhookOf, writeWebhook } from './webhooks.js'

export default operation({
  name: 'delete_webhook', route: 'DELETE /v1/monitoring/webhooks/{webhook_id}', auth: 'key', lane: 'compliance', tool: false, writes: true, status: 204,
  summary: 'Takes a webhook of yours away: nothing more is sent to it.',
  input: z.object({ webhook_id: webhookIdField }), output: z.null(),
  run: async ({ webhook_id: id }, ask) => {
    const webhook = await webhookOf(ask, id)
    // That it was given up needs nobody any more; first, as nobody finds it again once it is gone.
    await closeIncident(ask.writer, `webhook-${id}`)
    await writeWebhook(ask, webhook, true)
    return null
  },
})
