import { z } from 'zod'
import { keyRequired, notFound } from '../../faults.js'
import { operation } from '../../operation.js'
import { KeyView, keyView } from './keyView.js'

export default operation({
  name: 'revoke_key', route: 'POST /v1/keys/{key_id}/revoke', auth: 'public', lane: 'system', tool: false, writes: true,
  summary: 'Ends a key for good, within 5 seconds everywhere. The request carries the key itself, or an admin key.',
  input: z.object({ key_id: z.string().regex(/^[0-9A-Za-z]{8}$|^\d{9,15}$/).describe('api_key_id, or the 8 characters of public_id') }),
  output: KeyView.extend({ status: z.literal('revoked') }),
  run: async ({ key_id: id }, { principal, services }) => {
    if (principal.keyId === null) throw keyRequired()
    const record = await services.keys.find(id)
    // Somebody else's key and no key look the same.
    if (record === null || (principal.role !== 'admin' && record.public_id !== principal.keyId)) throw notFound('Key')
    return { ...keyView(await services.keys.revoke(record)), status: 'revoked' as const }
  },
})
