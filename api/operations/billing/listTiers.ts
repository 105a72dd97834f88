import { z } from 'zod'
import { operation } from '../../operation.js'
import { tiers } from '../../tiers.js'

const Tier = z.object({
  id: z.string(), name: z.string(), price: z.number().nullable().describe('USD a month; null: by agreement'), price_text: z.string(),
  rate_limit: z.number().int().describe('Requests per minute'), daily_cap: z.number().int().nullable().describe('Requests per day; null: no cap'), adds: z.array(z.string()), scopes: z.array(z.string()),
})

export default operation({
  name: 'list_tiers', aliases: ['get_tiers', 'pricing'], route: 'GET /v1/billing/tiers', auth: 'public', lane: 'system', tool: true, cacheSeconds: 60,
  summary: 'The tiers of keys: price, requests per minute and per day, what each adds.',
  input: z.object({}), output: z.object({ tiers: z.array(Tier) }),
  run: (_input, { config }) => Promise.resolve({
    tiers: tiers(config).map((tier) => ({ id: tier.id, name: tier.name, price: tier.price, price_text: tier.priceText, rate_limit: tier.perMinute, daily_cap: tier.daily, adds: [...tier.adds], scopes: [...tier.scopes] })),
  }),
})
