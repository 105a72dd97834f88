import { z } from 'zod'
import { emptyBecause } from '../../empty.js'
import { cursorField, limitField } from '../../fields.js'
import { KeyPosition } from '../../keyRecord.js'
import { operation } from '../../operation.js'
import { pageFields, pageOf } from '../../pages.js'
import { callersKey } from './caller.js'
import { KeyView, keyView } from './keyView.js'

const Mine = KeyView.extend({ prefix: z.string().describe('How the key begins'), last_used_at: z.iso.datetime().nullable().describe('To about a minute; null: never') })

export default operation({
  name: 'list_my_keys', route: 'GET /v1/keys/mine', auth: 'public', byCaller: true, lane: 'system', tool: false, sources: ['access_keys'], rows: 'keys',
  summary: 'The keys of whoever calls, newest first, ended ones too: all of the account for a key of a paid tier, else the key itself; none without a key.',
  input: z.object({ limit: limitField(1_000, 100), cursor: cursorField }), output: z.object({ count: z.number().int(), keys: z.array(Mine), ...pageFields }),
  // A key sees at least itself.
  empty: () => emptyBecause('unsupported_input'),
  run: async ({ limit, cursor }, ask) => {
    const { cursors, keys } = ask.services
    const owner = ask.principal.keyId === null ? null : await callersKey(ask)
    const inputs = { account: owner?.account ?? '', key: owner?.public_id ?? '' }
    const below = cursor === undefined ? undefined : cursors.read('list_my_keys', inputs, cursor, KeyPosition)
    const found = owner === null ? [] : await keys.list(owner, { limit: limit + 1, below })
    const { page, more } = pageOf(found, limit, (last) => cursors.write('list_my_keys', inputs, [Date.parse(last.created_at), last.public_id]))
    return { count: page.length, keys: page.map((key) => ({ ...keyView(key), prefix: `hyd_${key.public_id}`, last_used_at: key.used_at })), ...more }
  },
})
