/** The addresses that moved most in the last day of the index, or in the day that a cursor was given for. */
import { z } from 'zod'
import type { Chain } from '../../../schemas/chains.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { highestRank, listed, pageOf, Ranked } from '../../pages.js'
import { paramsOf, spanOf, windowOf } from '../../span.js'
import { type Wallet, WalletRow } from './wallet.js'

const topWallets = loadSql(import.meta.url, 'topWallets.sql')
const hours = 24

/** One page for `operation`, whose `inputs` its cursors are bound to. */
export const readTop = async (operation: string, inputs: object, chain: Chain, limit: number, cursor: string | undefined, ask: Ask): Promise<Wallet[]> => {
  const { cursors } = ask.services
  const [until, rank, after] = cursor === undefined ? [undefined, highestRank, ''] as const : cursors.read(operation, inputs, cursor, Ranked)
  const span = await spanOf(chain, hours, ask, false, until)
  const window = windowOf(span)
  if (span === null || window === null) return listed([], { ...pageOf([], limit, () => '').more, window })
  const rows = await ask.store.query(topWallets, { ...paramsOf(span), rank, after, limit: limit + 1 }, WalletRow.extend({ rank: z.string() }))
  const { page, more } = pageOf(rows, limit, (last) => cursors.write(operation, inputs, [span.to, last.rank, last.address.slice(2)]))
  return listed(page.map(({ rank: _, ...row }) => ({ ...row, chain: span.chain, from: window.from, to: window.to })), { ...more, window })
}
