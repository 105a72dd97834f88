import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { invalid } from '../../faults.js'
import { operation } from '../../operation.js'
import { untrusted } from '../../untrusted.js'
import { addAddresses, addressesField, most, ownerOf, readLists, tellList, WatchList } from './lists.js'

export default operation({
  name: 'create_watch_list', route: 'POST /v1/monitoring/lists', auth: 'key', tier: 'compliance', lane: 'compliance', tool: false, writes: true, status: 201,
  summary: `Makes a list of addresses to watch: new transfers of them and changes of sanctions lists become alerts. Only your key sees it; at most ${most.lists} lists.`,
  input: z.object({
    name: z.string().min(1).max(100).describe('What you call it'), addresses: addressesField.optional(),
    min_usd: z.number().min(0).max(1e15).default(0).describe('Do not tell transfers known to be worth less than this many USD'),
  }),
  output: WatchList,
  run: async (input, ask) => {
    const name = untrusted(input.name, 100)
    if (name === '') throw invalid([{ type: 'too_small', loc: ['body', 'name'], msg: 'The name has no character that can be seen' }])
    if ((await readLists(ask)).length >= most.lists) throw invalid([{ type: 'too_many', loc: ['body'], msg: `A key has at most ${most.lists} watch lists: delete one first` }])
    const list = { list_id: `wl_${randomBytes(8).toString('hex')}`, name, min_usd: input.min_usd, created_at: new Date().toISOString() }
    // Addresses first: a list is there with all of them or not at all.
    const { added: addresses, unfollowed } = input.addresses === undefined ? { added: 0, unfollowed: 0 } : await addAddresses(ask, list.list_id, input.addresses, 0)
    await ask.writer.insert('watch_lists', [{ owner: ownerOf(ask), ...list, deleted: false, version: Date.now() }])
    return tellList({ ...list, addresses, unfollowed })
  },
})
