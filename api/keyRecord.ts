/** One key as it is kept, and what a new one is made of. */
import { z } from 'zod'

export const KeyRow = z.object({
  id: z.coerce.number(), public_id: z.string(), secret_hash: z.string(), name: z.string(), role: z.enum(['agent', 'admin', 'operator']), tier: z.string(),
  origin: z.enum(['instant', 'named', 'exchange', 'operator']), account: z.string(), lineage: z.string(), quota: z.string(),
  rate_limit: z.number(), daily_cap: z.coerce.number(), scopes: z.array(z.string()), source_ip: z.string(), created_at: z.string(), expires_at: z.string(),
  revoked_at: z.string().nullable(), version: z.coerce.number(),
})
/** `secret_hash` in hex, times ISO 8601. daily_cap 0: no cap; account '': the key stands alone. */
export type KeyRecord = z.infer<typeof KeyRow>
/** A key in a list, with its last use. */
export const UsedKeyRow = KeyRow.extend({ used_at: z.string().nullable() })
export type UsedKey = z.infer<typeof UsedKeyRow>
/** Sort position in a list of keys: when it was made (Unix milliseconds), public id. */
export const KeyPosition = z.tuple([z.number().int().min(0), z.string()])
export type KeyPosition = z.infer<typeof KeyPosition>

/**
 * What is said of a new key. Left out: made by the operator; its own lineage and quota; an account of its own where the tier is paid,
 * none where it is free; good for 90 days.
 */
export type NewKey = Pick<KeyRecord, 'name' | 'role' | 'tier' | 'rate_limit' | 'daily_cap' | 'scopes' | 'source_ip'>
  & Partial<Pick<KeyRecord, 'origin' | 'account' | 'lineage' | 'quota' | 'expires_at'>> & { readonly days?: number }

/** What may change in a key once it is made; its revocation is not among it. */
export type KeyChange = Partial<Pick<KeyRecord, 'tier' | 'role' | 'account' | 'rate_limit' | 'daily_cap' | 'scopes' | 'expires_at'>>

/** Whether the key sees and ends the keys of its account: one of a paid tier does, an instant key attached to it does not. */
export const manages = ({ account, tier }: Pick<KeyRecord, 'account' | 'tier'>): boolean => account !== '' && tier !== 'free'
