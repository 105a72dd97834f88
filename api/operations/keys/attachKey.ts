import { z } from 'zod'
import { conflict, notFound } from '../../faults.js'
import { operation } from '../../operation.js'
import { keysPerAccount } from '../../tiers.js'
import { callersKey } from './caller.js'
import { KeyView, keyView } from './keyView.js'

export default operation({
  name: 'attach_key', route: 'POST /v1/keys/attach', auth: 'public', tier: 'pro', lane: 'system', tool: false, writes: true,
  summary: 'Takes an instant key into the account of the key that calls: it keeps its tier and quota, is listed at GET /v1/keys/mine and can be revoked from there.',
  input: z.object({ key: z.string().regex(/^hyd_[0-9A-Za-z]{38}$/).describe('The instant key itself: who has it may attach it') }),
  output: KeyView.extend({ status: z.literal('attached') }),
  run: async ({ key }, ask) => {
    const { keys } = ask.services
    const owner = await callersKey(ask)
    const known = await keys.check(key)
    // Read anew: what is remembered may be older than a revocation or another's attaching.
    const record = known === null ? null : await keys.find(known.public_id)
    if (record === null || record.revoked_at !== null) throw notFound('Key')
    if (record.account === owner.account) return { ...keyView(record), status: 'attached' as const }
    if (record.account !== '') throw conflict('KEY_ATTACHED', 'The key is in another account, or of a paid tier and so in one of its own.')
    if ((await keys.list(owner, { live: true, limit: keysPerAccount })).length >= keysPerAccount) throw conflict('KEY_LIMIT', `An account has at most ${keysPerAccount} live keys: revoke some first`)
    const attached = await keys.change(record, { account: owner.account })
    if (attached.revoked_at !== null) throw notFound('Key')
    // Of two accounts that ask at once, the first recorded has it.
    if (attached.account !== owner.account) throw conflict('KEY_ATTACHED', 'The key is in another account.')
    return { ...keyView(attached), status: 'attached' as const }
  },
})
