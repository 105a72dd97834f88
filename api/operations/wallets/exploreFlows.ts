import { z } from 'zod'
import { Amount, EvmAddress, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { storedField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { highestRank, listed, pageOf, Ranked } from '../../pages.js'
import { classField, registerClasses } from '../labels/classField.js'
import { indexedChains, paramsOf, segmentBlocksOf, spansOf, upTo, windowOf, windowsOf } from '../../span.js'
import { listedField } from '../../unlisted.js'
import { untrusted } from '../../untrusted.js'
import { byRank, heldBy, heldOf, RankedTogether } from './merged.js'

const exploreFlows = { ETH: loadSql(import.meta.url, 'exploreFlows.sql'), BTC: loadSql(import.meta.url, 'exploreBtcFlows.sql') } as const
const hours = 24
const Flow = z.object({
  chain: z.string(), from_class: z.string().describe('As registers knew it when it moved, not as rules found since; unresolved: an input is not known, so it may be change; coinjoin: any who took part may have sent it'), to_class: z.string(), token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), transfers: z.number().int().describe('Wraps among them: coin moves to the class token, the wrapped token from unknown; an unwrap is the reverse'),
  amount: Amount.nullable().describe('null: one was absurd'), value_usd: z.number().nullable().describe('Of what has a price; null: nothing has'), unpriced: z.number().int().describe('Transfers without a price'), listed: listedField, from: Instant, to: Instant,
})
const Row = Flow.omit({ chain: true, from: true, to: true }).extend({ listed: z.coerce.boolean(), token_symbol: z.string().transform((text) => untrusted(text)), rank: z.string(), place: z.string() })

/** Of equal ranks the chains come one after another: below the position `after` ('BTC …') a chain that comes later is whole, one that came before has no more of that rank. */
const afterOn = (chain: string, after: string): string => (after === '' || after.startsWith(`${chain} `) ? after.slice(chain.length + 1) : chain > after ? '' : last)
/** Above every place. */
const last = '\u{10ffff}'

export default operation({
  name: 'explore_flows', aliases: ['flow_explorer'], route: 'GET /v1/wallets/flow-explorer', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 30, sources: ['transfers', 'btc_coinjoins', 'labels', 'prices'], chain: 'ETH', hours: 24,
  summary: 'What moved between classes of addresses in the last indexed day, as they were known then, by token, the most USD first.',
  input: z.object({ chain: storedField.default('ETH'), from_class: classField([...registerClasses, 'unresolved', 'coinjoin']).describe('Of senders, e.g. exchange'), to_class: classField(registerClasses).describe('Of receivers'), limit: limitField(100, 50), cursor: cursorField }),
  output: z.array(Flow),
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const { cursors } = ask.services
    const inputs = { chain: chain.id, from_class: input.from_class, to_class: input.to_class }
    const asked = await indexedChains(chain, ask)
    const several = asked.length > 1
    const [ends, rank, after] = input.cursor === undefined ? [undefined, highestRank, ''] as const
      : several ? cursors.read('explore_flows', inputs, input.cursor, RankedTogether) : cursors.read('explore_flows', inputs, input.cursor, Ranked)
    const spans = await spansOf(chain, hours, ask, true, (id) => upTo(heldOf(ends, id)))
    const window = windowsOf(spans)
    if (window === null) return listed([], { ...pageOf([], input.limit, () => '').more, window })
    const rows = (await Promise.all(spans.map(async (span) => {
      const of = windowOf(span)
      return (await ask.store.query(exploreFlows[span.chain === 'BTC' ? 'BTC' : 'ETH'], {
        ...paramsOf(span), segmentBlocks: segmentBlocksOf(span.chain), from_class: input.from_class ?? '', to_class: input.to_class ?? '', rank, after: several ? afterOn(span.chain, after) : after, limit: input.limit + 1,
      }, Row)).map((row) => ({ ...row, chain: span.chain, from: of?.from ?? window.from, to: of?.to ?? window.to, address: `${span.chain} ${row.place}` }))
    }))).flat().sort(byRank)
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('explore_flows', inputs, [heldBy(asked, (id) => spans.find((span) => span.chain === id)?.newest), last.rank, several ? last.address : last.place]))
    return listed(page.map(({ rank: _, place: __, address: ___, ...row }) => row), { ...more, window })
  },
})
