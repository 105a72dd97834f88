import { z } from 'zod'
import { conflict } from '../../faults.js'
import { operation } from '../../operation.js'
import { keysPerAccount, tierNamed, tierOf } from '../../tiers.js'
import { AccessKey, accessKey } from './accessKey.js'
import { callersKey } from './caller.js'

export default operation({
  name: 'create_named_key', route: 'POST /v1/keys/named', auth: 'public', tier: 'pro', lane: 'system', tool: false, writes: true, status: 200,
  summary: `Another key of your account, with a name and your tier, good for 90 days; it draws on the same quota. At most ${keysPerAccount} live keys. See GET /v1/keys/mine.`,
  input: z.object({ name: z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9 ._@-]{0,62}[A-Za-z0-9])?$/).describe('What the key is for: 1 to 64 letters, digits, spaces and . _ @ -') }),
  output: AccessKey.extend({ api_key_id: z.number().int(), public_id: z.string(), name: z.string() }),
  run: async ({ name }, ask) => {
    const { config, principal, services, baseUrl } = ask
    const owner = await callersKey(ask)
    if ((await services.keys.list(owner, { live: true, limit: keysPerAccount })).length >= keysPerAccount) throw conflict('KEY_LIMIT', `An account has at most ${keysPerAccount} live keys: revoke some first`)
    // An agent whoever makes it: names are given to programs, and a program needs no more than its tier.
    const issued = await services.keys.issue({
      name, role: 'agent', tier: owner.tier, rate_limit: owner.rate_limit, daily_cap: owner.daily_cap, scopes: [...tierOf(config, tierNamed(owner.tier) ?? 'free').scopes],
      source_ip: principal.ip, origin: 'named', account: owner.account, quota: owner.quota,
    })
    return { ...accessKey(issued, baseUrl), api_key_id: issued.record.id, public_id: issued.record.public_id, name }
  },
})
