import { z } from 'zod'
import { keyRequired, notFound } from '../../faults.js'
import { manages, type KeyRecord } from '../../keyRecord.js'
import { operation } from '../../operation.js'
import { KeyView, keyView } from './keyView.js'

/** Whether `caller` may end `record`: itself, an agent's key of the account it manages, any as admin. */
const mayEnd = (caller: KeyRecord, record: KeyRecord): boolean =>
  caller.role === 'admin' || caller.public_id === record.public_id || (manages(caller) && caller.account === record.account && record.role === 'agent')

export default operation({
  name: 'revoke_key', route: 'POST /v1/keys/{key_id}/revoke', auth: 'public', lane: 'system', tool: false, writes: true,
  summary: 'Ends a key for good, within 5 seconds everywhere; again changes nothing. The request carries the key itself, one that manages its account, or an admin key.',
  input: z.object({ key_id: z.string().regex(/^[0-9A-Za-z]{8}$|^\d{9,15}$/).describe('api_key_id, or the 8 characters of public_id') }),
  output: KeyView.extend({ status: z.literal('revoked') }),
  run: async ({ key_id: id }, { principal, services: { keys } }) => {
    if (principal.keyId === null) throw keyRequired()
    const [caller, record] = await Promise.all([keys.find(principal.keyId), keys.find(id)])
    // Somebody else's key and no key look the same.
    if (caller === null || record === null || !mayEnd(caller, record)) throw notFound('Key')
    return { ...keyView(await keys.revoke(record)), status: 'revoked' as const }
  },
})
