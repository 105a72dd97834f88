import { z } from 'zod'
import { usedUp } from '../../faults.js'
import { operation } from '../../operation.js'
import { keysPerIpPerDay, tierOf } from '../../tiers.js'
import { AccessKey, accessKey } from './accessKey.js'

const refusal = `${keysPerIpPerDay} keys a day is the most for one address`

export default operation({
  name: 'create_key', route: 'POST /v1/keys', auth: 'public', lane: 'system', tool: false, writes: true, status: 200,
  summary: 'An access key at once: no sign-up, no body. 50 a day for each address; good for 90 days.',
  input: z.object({}), output: AccessKey.extend({ daily_cap: z.number().int().describe('Requests per day') }),
  run: async (_input, { config, principal, services, baseUrl }) => {
    const counted = await services.limits.take('new_key', principal.ip, keysPerIpPerDay, 86_400)
    if (!counted.allowed) throw usedUp(counted, refusal)
    // The store is asked too: a fresh Redis, or none, must not hand out another fifty.
    const issued = await services.keys.issueInstant({
      name: 'instant-agent', role: 'agent', tier: 'free', rate_limit: config.INSTANT_KEY_RATE, daily_cap: config.INSTANT_KEY_DAILY, scopes: [...tierOf(config, 'free').scopes], source_ip: principal.ip,
    }, keysPerIpPerDay)
    if (issued === null) throw usedUp({ ...counted, resetMs: await services.keys.untilInstant(principal.ip, keysPerIpPerDay) }, refusal)
    return { ...accessKey(issued, baseUrl), daily_cap: issued.record.daily_cap }
  },
})
