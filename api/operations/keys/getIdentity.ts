import { z } from 'zod'
import { keyRefused } from '../../faults.js'
import { operation } from '../../operation.js'

export default operation({
  name: 'get_identity', aliases: ['whoami'], route: 'GET /v1/auth/me', auth: 'key', lane: 'system', tool: true,
  summary: 'Who the key says you are: role, scopes, requests per minute.',
  input: z.object({}),
  output: z.object({ api_key_id: z.number().int(), name: z.string(), role: z.string(), tier: z.string(), rate_limit: z.number().int(), scopes: z.array(z.string()), sso: z.null().describe('null for keys made without an identity provider') }),
  run: async (_input, { principal, services }) => {
    const record = principal.keyId === null ? null : await services.keys.find(principal.keyId)
    if (record === null) throw keyRefused()
    return { api_key_id: record.id, name: record.name, role: record.role, tier: record.tier, rate_limit: record.rate_limit, scopes: record.scopes, sso: null }
  },
})
