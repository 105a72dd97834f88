import { z } from 'zod'
import { chainOfAddress, chainOfForm, fits, plainAddress } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { addressField, storedField, chainOf } from '../../fields.js'
import { operation } from '../../operation.js'
import { statusOfAll } from '../../reach.js'
import { accountChain, emptyUnlessStored } from '../../span.js'
import { readPnl, Totals } from '../smartMoney/readPnl.js'
import { Known, readKnown } from './profile.js'

/** Of an address with more transfers than this the result is left to get_wallet_pnl. */
const mostTransfers = 20_000
const Earned = Totals.pick({ trades: true, closed: true, wins: true, realised_usd: true, realised_usd_fifo: true, gas_usd: true, gas_unpriced: true, net_usd: true, unrealised_usd: true, unrealised_unpriced: true, too_many_moves: true, unknown_share: true })

export default operation({
  name: 'get_wallet', aliases: ['wallet_profile', 'get_wallet_profile'], route: 'GET /v1/wallets/{address}', auth: 'key', lane: 'behavioral', tool: true, cacheSeconds: 15,
  sources: ['transfers', 'prices', 'labels', 'label_changes'], rows: 'profile', hours: Infinity,
  summary: 'One address: when seen, what it moved (with wraps and what has no price, unlike list_top_wallets), top 50 tokens, 10 counterparties, labels, what trading earned.',
  input: z.object({ address: addressField, chain: storedField.optional() }),
  output: z.object({ chain: z.string(), address: z.string(), ...Known.shape, pnl: Earned.nullable().describe('null: no trades, or too many transfers'), coverage_status: CoverageStatus }),
  empty: (output, ask) => emptyUnlessStored(output) ?? (fits(output.address, output.chain, ask) ? null : emptyBecause('unsupported_input')),
  run: async (input, ask) => {
    const address = plainAddress(input.address)
    const asked = chainOf(input.chain ?? chainOfForm(address))
    const chain = chainOfAddress(asked, address)
    const [known, status] = await Promise.all([readKnown(address, chain, ask), statusOfAll(asked, chain, ask)])
    const moves = known.profile === null ? 0 : known.profile.transfers_in + known.profile.transfers_out
    const pnl = moves === 0 || moves > mostTransfers || accountChain(chain) === null ? null : Earned.nullable().parse((await readPnl(chain, address, { days: null, limit: 1 }, ask)).totals)
    return { chain: chain.id, address, ...known, pnl, coverage_status: status }
  },
})
