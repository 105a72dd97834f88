import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { operation } from '../../operation.js'
import { readWebhooks, Webhook, webhookView } from './webhooks.js'

export default operation({
  name: 'list_webhooks', route: 'GET /v1/monitoring/webhooks', auth: 'key', lane: 'compliance', tool: false, sources: ['webhooks'], rows: 'webhooks',
  summary: 'Your webhooks, the oldest first, without their secrets.',
  input: z.object({}), output: z.object({ count: z.number().int(), webhooks: z.array(Webhook) }),
  empty: () => emptyBecause('no_signal'),
  run: async (_, ask) => {
    const webhooks = (await readWebhooks(ask)).map(webhookView)
    return { count: webhooks.length, webhooks }
  },
})
