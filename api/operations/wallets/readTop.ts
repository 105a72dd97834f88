/** The addresses that moved most in the last day of the index, or in the days that a cursor was given for. */
import type { Chain } from '../../../schemas/chains.js'
import { emptyBecause, type Empty } from '../../empty.js'
import type { Ask } from '../../operation.js'
import { highestRank, listed, pageOf, Ranked } from '../../pages.js'
import { spanOf, indexedChains, upTo, windowOf, windowsOf, type Span } from '../../span.js'
import { emptyIfUnpriced, unpricedOf, unpricedWarnings } from '../../unpriced.js'
import { byRank, heldBy, heldOf, RankedTogether } from './merged.js'
import { readTopOf } from './readTopOf.js'
import { knownWallet, type Wallet } from './wallet.js'

const hours = 24

/** Why nobody is there: what has no price ranks nobody, nor does what is not indexed. */
const emptyOf = async (chain: Chain, spans: readonly Span[], warnings: readonly string[], ask: Ask): Promise<Empty | null> =>
  emptyIfUnpriced({ coverage_status: { warnings } }) ?? (spans.every(({ complete }) => complete) ? null : emptyBecause(await ask.services.coverage.silence(chain.id, 'whales') ?? 'data_gap'))

/** One page for `operation`, whose `inputs` its cursors are bound to. Of several chains each has a day of its own, that ends at its newest block. */
export const readTop = async (operation: string, inputs: object, chain: Chain, limit: number, cursor: string | undefined, ask: Ask): Promise<Wallet[]> => {
  const { cursors } = ask.services
  const asked = await indexedChains(chain, ask)
  const [ends, rank, after] = cursor === undefined ? [undefined, highestRank, ''] as const : asked.length > 1 ? cursors.read(operation, inputs, cursor, RankedTogether) : cursors.read(operation, inputs, cursor, Ranked)
  const spans = (await Promise.all(asked.map((id) => spanOf({ id }, hours, ask, false, upTo(heldOf(ends, id)))))).filter((span) => span !== null)
  const window = windowsOf(spans)
  if (spans.length === 0) return listed([], { ...pageOf([], limit, () => '').more, window })
  const unpriced = unpricedOf(spans, ask)
  const rows = (await Promise.all(spans.map(async (span) => {
    const of = windowOf(span)
    return (await readTopOf(ask, span, rank, after, limit + 1)).map((row) => ({ ...knownWallet(row, span.chain), chain: span.chain, from: of?.from ?? null, to: of?.to ?? null }))
  }))).flat().sort(byRank)
  const { page, more } = pageOf(rows, limit, (last) => cursors.write(operation, inputs, [heldBy(asked, (id) => spans.find((span) => span.chain === id)?.newest), last.rank, last.address.slice(2)]))
  const warnings = unpricedWarnings(await unpriced)
  return listed(page.map(({ rank: _, ...row }) => row), { ...more, window, warnings, empty: page.length > 0 ? null : await emptyOf(chain, spans, warnings, ask) })
}
