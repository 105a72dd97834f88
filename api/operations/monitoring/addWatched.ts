import { z } from 'zod'
import { operation } from '../../operation.js'
import { addAddresses, addressesField, listIdField, listOf, most, tellList, WatchList } from './lists.js'

export default operation({
  name: 'add_watched_addresses', route: 'POST /v1/monitoring/lists/{list_id}/addresses', auth: 'key', tier: 'compliance', lane: 'compliance', tool: false, writes: true, status: 201,
  summary: `Puts addresses on a watch list of yours; those that are on it stay. At most ${most.addressesOfList} a list.`,
  input: z.object({ list_id: listIdField, addresses: addressesField }), output: WatchList.extend({ added: z.number().int() }),
  run: async ({ list_id: id, addresses }, ask) => {
    const list = await listOf(ask, id)
    const { added, unfollowed } = await addAddresses(ask, id, addresses, list.addresses)
    return { ...tellList({ ...list, addresses: list.addresses + added, unfollowed: list.unfollowed + unfollowed }), added }
  },
})
