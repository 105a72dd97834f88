import { z } from 'zod'
import { Amount, EvmAddress } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { accountsField, chainOf, hoursField } from '../../fields.js'
import { operation } from '../../operation.js'
import { isWhole } from '../../reach.js'
import { emptyUnlessAccounts, paramsOf, accountSpanOf, Window, windowOf } from '../../span.js'

const listStablecoins = loadSql(import.meta.url, 'listStablecoins.sql')
const listStablecoinSupply = loadSql(import.meta.url, 'listStablecoinSupply.sql')
const Supply = z.object({ token: EvmAddress, supply: Amount.nullable() })
const Stablecoin = z.object({
  token: EvmAddress, token_symbol: z.string(), token_decimals: z.number().int().nullable(), minted: Amount, burnt: Amount, net: z.string().describe('Signed'), net_usd: z.number().nullable(),
  freezes: z.number().int().nullable().describe('Holders frozen; null: of USDT and USDC alone it is known'), transfers: z.number().int(), volume: Amount.nullable(), volume_usd: z.number(), unpriced: z.number().int().describe('Transfers without a price'),
  exchange_in: Amount.nullable(), exchange_out: Amount.nullable(), exchange_in_usd: z.number(), exchange_out_usd: z.number(),
  supply: Amount.nullable().describe('By its mints and burns; null: not all of the chain is indexed'), velocity: z.number().nullable().describe('Volume of the window over supply'),
})
const Row = Stablecoin.omit({ supply: true, velocity: true })

export default operation({
  name: 'list_stablecoins', aliases: ['stablecoin_flows', 'get_stablecoin_flows'], route: 'GET /v1/dashboard/stablecoins', auth: 'key', lane: 'market', tool: true, cacheSeconds: 15,
  sources: ['transfers', 'logs', 'labels', 'prices'], rows: 'stablecoins',
  summary: 'Each stablecoin: minted, burnt, net, frozen holders, transfer volume, what went in and out of exchanges as a whole.',
  input: z.object({ chain: accountsField.default('ETH'), hours: hoursField(168, 24) }),
  output: z.object({ chain: z.string(), window: Window, count: z.number().int(), stablecoins: z.array(Stablecoin), coverage_status: CoverageStatus }),
  empty: emptyUnlessAccounts,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const [status, span] = await Promise.all([ask.services.coverage.status(chain.id), accountSpanOf(chain, input.hours, ask, true)])
    const whole = span !== null && isWhole((await ask.services.coverage.view()).bounds.get(span.chain))
    const [rows, supplies] = span === null ? [[], []] : await Promise.all([
      ask.store.query(listStablecoins, paramsOf(span), Row), whole ? ask.store.query(listStablecoinSupply, { chain: span.chain, newest: span.newest }, Supply) : [],
    ])
    const supplyOf = new Map(supplies.map(({ token, supply }) => [token, supply]))
    const stablecoins = rows.map((row) => {
      const supply = supplyOf.get(row.token) ?? null
      return { ...row, supply, velocity: supply === null || supply === '0' || row.volume === null ? null : Number(row.volume) / Number(supply) }
    })
    return { chain: chain.id, window: windowOf(span), count: stablecoins.length, stablecoins, coverage_status: status }
  },
})
