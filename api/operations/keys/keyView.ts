/** A key as its owner sees it: never the key, never its hash. */
import { z } from 'zod'
import type { KeyRecord } from '../../keys.js'

export const KeyView = z.object({
  api_key_id: z.number().int(), public_id: z.string().describe('First 8 characters after the prefix'), name: z.string(), role: z.string(), tier: z.string(),
  origin: z.string().describe('instant, named, exchange or operator'), rate_limit: z.number().int(), daily_cap: z.number().int().nullable(), scopes: z.array(z.string()),
  created_at: z.iso.datetime(), expires_at: z.iso.datetime(), revoked_at: z.iso.datetime().nullable(),
})

export const keyView = (record: KeyRecord): z.infer<typeof KeyView> => ({
  api_key_id: record.id, public_id: record.public_id, name: record.name, role: record.role, tier: record.tier, origin: record.origin, rate_limit: record.rate_limit,
  daily_cap: record.daily_cap === 0 ? null : record.daily_cap, scopes: record.scopes, created_at: record.created_at, expires_at: record.expires_at, revoked_at: record.revoked_at,
})
