import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { chainField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { highestRank, listed, pageOf, Ranked } from '../../pages.js'
import { segmentBlocksOf, storedChain } from '../../span.js'
import { readTop } from './readTop.js'
import { Wallet, WalletRow } from './wallet.js'

const listWallets = loadSql(import.meta.url, 'listWallets.sql')

export default operation({
  name: 'list_wallets', aliases: ['search_wallets'], route: 'GET /v1/wallets', auth: 'key', lane: 'whales', tool: true, cacheSeconds: 30, chain: 'ALL',
  summary: 'Labelled addresses of a class or with a text in their label, by volume; without either, the top of the last indexed day. Use get_wallet for one.',
  input: z.object({
    chain: chainField.default('ALL'), classification: z.string().min(1).max(32).optional().describe('Class: exchange, exchange_deposit, dex, bridge, mixer, mev_bot, fund, whale, hack, sanctioned, …'),
    label: z.string().min(1).max(64).optional().describe('Text in the label or the entity; case does not matter'), limit: limitField(100, 20), cursor: cursorField,
  }),
  output: z.array(Wallet),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const stored = storedChain(chain)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, classification: input.classification, label: input.label }
    if (stored === null || (input.classification === undefined && input.label === undefined)) return readTop('list_wallets', inputs, chain, input.limit, input.cursor, ask)
    // The ranking is of a height here: all of the index up to it.
    const view = await coverage.view()
    const [newest, rank, after] = input.cursor === undefined ? [view.bounds.get(stored)?.newest ?? 0, highestRank, ''] as const : cursors.read('list_wallets', inputs, input.cursor, Ranked)
    const rows = await ask.store.query(listWallets, {
      chain: stored, classification: input.classification?.toLowerCase() ?? '', label: input.label ?? '', newest, segmentBlocks: segmentBlocksOf(stored), rank, after, limit: input.limit + 1,
    }, WalletRow.extend({ rank: z.string() }))
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_wallets', inputs, [newest, last.rank, last.address]))
    return listed(page.map(({ rank: _, ...row }) => ({ ...row, chain: stored, from: null, to: null })), more)
  },
})
