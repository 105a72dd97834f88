/** A key as it is given out, once: the specification's access key. */
import { z } from 'zod'
import type { Issued } from '../../keys.js'

export const AccessKey = z.object({
  api_key: z.string().describe('Shown here once and never again'), tier: z.string(), rate_limit: z.number().int().describe('Requests per minute'),
  daily_cap: z.number().int().nullable().describe('Requests per day; null: no cap'), scopes: z.array(z.string()), expires_at: z.iso.datetime(),
  usage: z.object({
    docs: z.string(), agents_landing: z.string(), discovery_manifest: z.string(),
    mcp: z.object({ config: z.object({ mcpServers: z.object({ hydrophone: z.object({ type: z.literal('http'), url: z.string(), headers: z.object({ 'X-API-Key': z.string() }) }) }) }) }),
  }),
})

/** `issued` for a caller who came by `baseUrl`, with a ready-made MCP client configuration. */
export const accessKey = ({ key, record }: Issued, baseUrl: string): z.infer<typeof AccessKey> => ({
  api_key: key, tier: record.tier, rate_limit: record.rate_limit, daily_cap: record.daily_cap === 0 ? null : record.daily_cap, scopes: record.scopes, expires_at: record.expires_at,
  usage: {
    docs: `${baseUrl}/redoc`, agents_landing: `${baseUrl}/agents.md`, discovery_manifest: `${baseUrl}/.well-known/mcp.json`,
    mcp: { config: { mcpServers: { hydrophone: { type: 'http', url: `${baseUrl}/mcp`, headers: { 'X-API-Key': key } } } } },
  },
})
