import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { checkUrl } from '../../../schemas/outbound.js'
import { masterSecret, webhookSecret } from '../../../schemas/webhookSecrets.js'
import { invalid, notFound } from '../../faults.js'
import { operation } from '../../operation.js'
import { readAlerts } from '../../../workers/monitoring/alerts.js'
import { most, ownerOf, readLists } from './lists.js'
import { readWebhooks, webhookView, WithSecret, writeWebhook, type WebhookRow } from './webhooks.js'

export default operation({
  name: 'create_webhook', route: 'POST /v1/monitoring/webhooks', auth: 'key', tier: 'compliance', lane: 'compliance', tool: false, writes: true, status: 201,
  summary: `Sends alerts of your watch lists to a URL as they come, signed after Standard Webhooks. What is not taken is sent again for a day. The secret is shown once; at most ${most.webhooks} webhooks.`,
  input: z.object({
    url: z.string().min(1).max(2_048).describe('https, a public host, the usual port'), list_ids: z.array(z.string().regex(/^wl_[0-9a-f]{16}$/)).max(most.lists).default([]).describe('Only of these watch lists; left out: of all'),
  }),
  output: WithSecret,
  run: async (input, ask) => {
    const { href } = checkUrl(input.url, ask.config.WEBHOOKS_TO_LOOPBACK)
    const owner = ownerOf(ask)
    const [lists, there, [last]] = await Promise.all([readLists(ask), readWebhooks(ask), readAlerts(ask.store, { owner, newestFirst: true, limit: 1 })])
    if (input.list_ids.some((id) => !lists.some(({ list_id: own }) => own === id))) throw notFound('Watch list')
    if (there.length >= most.webhooks) throw invalid([{ type: 'too_many', loc: ['body'], msg: `A key has at most ${most.webhooks} webhooks: delete one first` }])
    const row: WebhookRow = {
      webhook_id: `wh_${randomBytes(8).toString('hex')}`, url: href, list_ids: [...new Set(input.list_ids)], state: 'active', reason: '', secret_no: 1, previous_until: new Date(0).toISOString(), earlier_until: [],
      from_seq: last?.position ?? 0, version: 0, created_at: new Date().toISOString(), last_outcome: null, last_attempt_at: null,
    }
    const secret = webhookSecret(await masterSecret(ask.writer), row.webhook_id, 1)
    await writeWebhook(ask, row)
    return { ...webhookView(row), secret }
  },
})
