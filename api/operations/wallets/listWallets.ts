import { z } from 'zod'
import { loadSql } from '../../../schemas/sql.js'
import { chainField, chainOf, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { storedChain } from '../../span.js'
import { readTop } from './readTop.js'
import { Wallet, WalletRow } from './wallet.js'

const listWallets = loadSql(import.meta.url, 'listWallets.sql')

export default operation({
  name: 'list_wallets', aliases: ['search_wallets'], route: 'GET /v1/wallets', auth: 'key', lane: 'whales', tool: true, cacheSeconds: 30, chain: 'ALL',
  summary: 'Labelled addresses of a class or with a text in their label, by volume; without either, the top of the last indexed day. Use get_wallet for one.',
  input: z.object({
    chain: chainField.default('ALL'), classification: z.string().min(1).max(32).optional().describe('Class: exchange, dex, lending, bridge, mixer, fund, hack, scam, sanctioned, …'),
    label: z.string().min(1).max(64).optional().describe('Text in the label or the entity; case does not matter'), limit: limitField(100, 20),
  }),
  output: z.array(Wallet),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const stored = storedChain(chain)
    if (stored === null) return []
    if (input.classification === undefined && input.label === undefined) return readTop(chain, input.limit, ask)
    const rows = await ask.store.query(listWallets, { chain: stored, classification: input.classification?.toLowerCase() ?? '', label: input.label ?? '', limit: input.limit }, WalletRow)
    return rows.map((row) => ({ ...row, chain: stored, from: null, to: null }))
  },
})
