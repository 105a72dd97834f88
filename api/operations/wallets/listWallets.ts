import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { storedField, chainOf, cursorField, limitField } from '../../fields.js'
import { unfit } from '../../faults.js'
import { operation } from '../../operation.js'
import { highestRank, listed, pageOf, Ranked } from '../../pages.js'
import { allClasses, classField } from '../labels/classField.js'
import { segmentBlocksOf, indexedChains } from '../../span.js'
import { byRank, heldBy, heldOf, RankedTogether } from './merged.js'
import { readTop } from './readTop.js'
import { knownWallet, Wallet, WalletRow } from './wallet.js'

const listWallets = { ETH: loadSql(import.meta.url, 'listWallets.sql', 'Bitcoin'), BTC: loadSql(import.meta.url, 'listWallets.sql', 'Ethereum') } as const

export default operation({
  name: 'list_wallets', aliases: ['search_wallets'], route: 'GET /v1/wallets', auth: 'key', lane: 'whales', tool: true, cacheSeconds: 30, sources: ['labels', 'label_changes', 'transfers', 'prices'], chain: 'ALL',
  summary: 'Labelled addresses of a class or with a text in their label, by volume; without either, the top of the last indexed day. Use get_wallet for one.',
  input: z.object({
    chain: storedField.default('ALL'), classification: classField(allClasses).describe('Class: exchange, exchange_deposit, dex, bridge, mixer, mev_bot, fund, whale, hack, sanctioned, …; unknown only beside label'),
    label: z.string().min(1).max(64).optional().describe('Text in the label or the entity; case does not matter'), limit: limitField(100, 20), cursor: cursorField,
  }),
  output: z.array(Wallet),
  run: async (input, ask) => {
    // Most addresses are of no known class, and of those only the few with a label could be listed: that would pass for all.
    if (input.classification === 'unknown' && input.label === undefined) throw unfit('classification', 'Addresses of no known class cannot be listed: nobody says anything of nearly all of them. Name a label too for labelled ones, or ask get_wallet about one address')
    const chain = chainOf(input.chain)
    const asked = await indexedChains(chain, ask)
    const { cursors, coverage } = ask.services
    const inputs = { chain: chain.id, classification: input.classification, label: input.label }
    if (asked.length === 0 || (input.classification === undefined && input.label === undefined)) return readTop('list_wallets', inputs, chain, input.limit, input.cursor, ask)
    // The ranking is of a height here: all of the index up to it.
    const view = await coverage.view()
    const [heights, rank, after] = input.cursor === undefined ? [undefined, highestRank, ''] as const
      : asked.length > 1 ? cursors.read('list_wallets', inputs, input.cursor, RankedTogether) : cursors.read('list_wallets', inputs, input.cursor, Ranked)
    const newestOf = (id: string): number => heldOf(heights, id) ?? view.bounds.get(id)?.newest ?? 0
    const rows = (await Promise.all(asked.map(async (id) => (await ask.store.query(listWallets[id], {
      chain: id, classification: input.classification ?? '', label: input.label ?? '', newest: newestOf(id), segmentBlocks: segmentBlocksOf(id), rank, after, limit: input.limit + 1,
    }, WalletRow.extend({ rank: z.string() }))).map((row) => ({ ...knownWallet(row, id), chain: id, from: null, to: null }))))).flat().sort(byRank)
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_wallets', inputs, [heldBy(asked, newestOf), last.rank, last.address]))
    return listed(page.map(({ rank: _, ...row }) => row), more)
  },
})
