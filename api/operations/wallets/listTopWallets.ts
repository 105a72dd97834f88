import { z } from 'zod'
import { storedField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { readTop } from './readTop.js'
import { Wallet } from './wallet.js'

export default operation({
  name: 'list_top_wallets', aliases: ['top_wallets', 'get_top_wallets'], route: 'GET /v1/wallets/top/{chain}', auth: 'key', lane: 'whales', tool: true, cacheSeconds: 60, sources: ['transfers', 'labels', 'label_changes', 'prices'], chain: 'ETH', hours: 24,
  summary: 'Addresses that moved most USD in the last indexed day; wraps, payments to oneself and transfers without a price do not count. Use get_wallet, where they do, for one.',
  input: z.object({ chain: storedField, limit: limitField(100, 20), cursor: cursorField }),
  output: z.array(Wallet),
  run: (input, ask) => {
    const chain = chainOf(input.chain)
    return readTop('list_top_wallets', { chain: chain.id }, chain, input.limit, input.cursor, ask)
  },
})
