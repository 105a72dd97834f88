import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { chainField, chainOf, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { readRecord, unread } from '../../readings.js'

/** sanctioned null: not every register was there to be asked. */
const RiskyWallet = z.object({
  chain: z.string(), address: z.string(), risk_score: z.number().int().min(0).max(100), risk_level: z.enum(['severe', 'high', 'medium', 'low']), classification: z.string(), label: z.string(), entity: z.string(),
  sanctioned: z.boolean().nullable(), reasons: z.array(z.string()), volume_usd: z.number().nullable(), last_seen: Instant.nullable(), scored_at: Instant,
})

export default operation({
  name: 'list_risky_wallets', aliases: ['risky_wallets', 'get_risky_wallets'], route: 'GET /v1/wallets/risky/{chain}', auth: 'key', lane: 'compliance', tool: true, cacheSeconds: 30, record: 'risky_wallets',
  summary: 'Addresses of one chain by risk, the riskiest first. Use get_wallet_compliance for one of them.',
  input: z.object({ chain: chainField, min_risk: z.number().int().min(0).max(100).default(50).describe('Leave out what scores less, of 100'), limit: limitField(100, 20) }),
  output: z.array(RiskyWallet),
  empty: () => unread('risky_wallets'),
  run: (input, ask) => readRecord('risky_wallets', { ...input, chain: chainOf(input.chain).id }, RiskyWallet, ask),
})
