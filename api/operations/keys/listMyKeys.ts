import { z } from 'zod'
import { operation } from '../../operation.js'
import { KeyView, keyView } from './keyView.js'

export default operation({
  name: 'list_my_keys', route: 'GET /v1/keys/mine', auth: 'public', lane: 'system', tool: false,
  summary: 'The keys of whoever calls: the key the request carries; none without a key.',
  input: z.object({}), output: z.object({ count: z.number().int(), keys: z.array(KeyView) }),
  run: async (_input, { principal, services }) => {
    const record = principal.keyId === null ? null : await services.keys.find(principal.keyId)
    return { count: record === null ? 0 : 1, keys: record === null ? [] : [keyView(record)] }
  },
})
