import { z } from 'zod'
import { operation } from '../../operation.js'
import { callersKey } from './caller.js'
import { KeyView, keyView } from './keyView.js'

const Mine = KeyView.extend({ prefix: z.string().describe('How the key begins'), last_used_at: z.iso.datetime().nullable().describe('To about a minute; null: never') })

export default operation({
  name: 'list_my_keys', route: 'GET /v1/keys/mine', auth: 'public', lane: 'system', tool: false,
  summary: 'The keys of whoever calls, newest first, ended ones too: all of the account for a key of a paid tier, else the key itself; none without a key.',
  input: z.object({}), output: z.object({ count: z.number().int(), keys: z.array(Mine) }),
  run: async (_input, ask) => {
    const found = ask.principal.keyId === null ? [] : await ask.services.keys.list(await callersKey(ask))
    return { count: found.length, keys: found.map((key) => ({ ...keyView(key), prefix: `hyd_${key.public_id}`, last_used_at: key.used_at })) }
  },
})
