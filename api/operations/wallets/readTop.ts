/** The addresses that moved most in the last day of the index. */
import type { Chain } from '../../../schemas/chains.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import { paramsOf, spanOf, windowOf } from '../../span.js'
import { type Wallet, WalletRow } from './wallet.js'

const topWallets = loadSql(import.meta.url, 'topWallets.sql')
const hours = 24

export const readTop = async (chain: Chain, limit: number, ask: Ask): Promise<Wallet[]> => {
  const span = await spanOf(chain, hours, ask)
  const window = windowOf(span)
  if (span === null || window === null) return []
  return (await ask.store.query(topWallets, { ...paramsOf(span), limit }, WalletRow)).map((row) => ({ ...row, chain: span.chain, ...window }))
}
