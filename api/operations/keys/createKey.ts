import { z } from 'zod'
import { rateLimited } from '../../faults.js'
import { operation } from '../../operation.js'
import { keysPerIpPerDay, tiers } from '../../tiers.js'

const Output = z.object({
  api_key: z.string().describe('Shown here once and never again'), tier: z.string(), rate_limit: z.number().int().describe('Requests per minute'), daily_cap: z.number().int().describe('Requests per day'),
  scopes: z.array(z.string()), expires_at: z.iso.datetime(),
  usage: z.object({
    docs: z.string(), agents_landing: z.string(), discovery_manifest: z.string(),
    mcp: z.object({ config: z.object({ mcpServers: z.object({ hydrophone: z.object({ type: z.literal('http'), url: z.string(), headers: z.object({ 'X-API-Key': z.string() }) }) }) }) }),
  }),
})

export default operation({
  name: 'create_key', route: 'POST /v1/keys', auth: 'public', lane: 'system', tool: false, writes: true, status: 200,
  summary: 'An access key at once: no sign-up, no body. 50 a day for each address; good for 90 days.',
  input: z.object({}), output: Output,
  run: async (_input, { config, principal, services, baseUrl }) => {
    const counted = await services.limits.take('new_key', principal.ip, keysPerIpPerDay, 86_400)
    // The store is asked too: a fresh Redis must not hand out another fifty.
    if (!counted.allowed || await services.keys.issuedFrom(principal.ip) >= keysPerIpPerDay) {
      throw rateLimited(counted.allowed ? 3_600 : Math.ceil(counted.resetMs / 1_000), `${keysPerIpPerDay} keys a day is the most for one address`)
    }
    const free = tiers(config).find(({ id }) => id === 'free')
    const { key, record } = await services.keys.issue({
      name: 'instant-agent', role: 'agent', tier: 'free', rate_limit: config.INSTANT_KEY_RATE, daily_cap: config.INSTANT_KEY_DAILY, scopes: [...(free?.scopes ?? [])], source_ip: principal.ip,
    })
    return {
      api_key: key, tier: record.tier, rate_limit: record.rate_limit, daily_cap: record.daily_cap, scopes: record.scopes, expires_at: record.expires_at,
      usage: {
        docs: `${baseUrl}/redoc`, agents_landing: `${baseUrl}/agents.md`, discovery_manifest: `${baseUrl}/.well-known/mcp.json`,
        mcp: { config: { mcpServers: { hydrophone: { type: 'http' as const, url: `${baseUrl}/mcp`, headers: { 'X-API-Key': key } } } } },
      },
    }
  },
})
