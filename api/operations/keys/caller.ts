import { keyRefused, keyRequired } from '../../faults.js'
import type { KeyRecord } from '../../keys.js'
import type { Ask } from '../../operation.js'

/** The caller's key as the store has it now, not as it is remembered; throws AUTH_REQUIRED without one, AUTH_INVALID where it has ended. */
export const callersKey = async ({ principal, services }: Ask): Promise<KeyRecord> => {
  if (principal.keyId === null) throw keyRequired()
  const record = await services.keys.find(principal.keyId)
  if (record === null || record.revoked_at !== null) throw keyRefused()
  return record
}
