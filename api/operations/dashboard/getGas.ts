import { z } from 'zod'
import { Amount, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { accountsField, chainOf, hoursField } from '../../fields.js'
import { operation } from '../../operation.js'
import { emptyUnlessAccounts, paramsOf, accountSpanOf, Window, windowOf } from '../../span.js'

const getGas = loadSql(import.meta.url, 'getGas.sql')
const listGasCalibration = loadSql(import.meta.url, 'listGasCalibration.sql')
const listGasHours = loadSql(import.meta.url, 'listGasHours.sql')
const Percentiles = z.object({ p10: Amount, p25: Amount, p50: Amount, p75: Amount, p90: Amount, p99: Amount }).nullable()
const Gas = z.object({
  block_number: z.number().int(), timestamp: Instant, base_fee: Amount.nullable().describe('Of this block; null before EIP-1559'), next_base_fee: Amount.nullable().describe('Of the next block, by the protocol\'s rule'),
  transactions: z.number().int(), gas_price: Percentiles, priority_fee: Percentiles.describe('Paid above the base fee'),
})
const Hour = z.object({
  hour: Instant, blocks: z.number().int(), transactions: z.number().int(), base_fee_min: Amount.nullable(), base_fee_median: Amount.nullable(), base_fee_max: Amount.nullable(),
  priority_fee_median: Amount.nullable(), utilisation: z.number().describe('Gas used of gas possible'), burnt: Amount.nullable().describe('Base and blob fees'),
})
const Calibration = z.object({
  percentile: z.number().int(), blocks: z.number().int().describe('Within so many next blocks'), samples: z.number().int(), included_share: z.number().describe('How often who paid that percentile of the block before would have been let in: at least the 10th of the block'),
})
const Row = Gas.omit({ gas_price: true, priority_fee: true }).extend({ gas_prices: z.array(Amount), priority_fees: z.array(Amount), priced: z.number() })

const percentiles = (known: boolean, [p10, p25, p50, p75, p90, p99]: readonly string[]): z.infer<typeof Percentiles> =>
  (!known || p10 === undefined || p25 === undefined || p50 === undefined || p75 === undefined || p90 === undefined || p99 === undefined ? null : { p10, p25, p50, p75, p90, p99 })

export default operation({
  name: 'get_gas', aliases: ['gas_prices', 'get_gas_prices'], route: 'GET /v1/dashboard/gas', auth: 'key', lane: 'market', tool: true, cacheSeconds: 5, sources: ['blocks', 'transactions'], rows: 'gas',
  summary: 'What gas costs: base fee now and of the next block, percentiles of gas prices and priority fees, hour by hour, and how often such fees got in. All in wei.',
  input: z.object({ chain: accountsField.default('ETH'), hours: hoursField(24, 1) }),
  output: z.object({ chain: z.string(), window: Window, gas: Gas.nullable(), hours: z.array(Hour), calibration: z.array(Calibration), coverage_status: CoverageStatus }),
  empty: emptyUnlessAccounts,
  run: async (input, ask) => {
    const chain = chainOf(input.chain)
    const [status, span] = await Promise.all([ask.services.coverage.status(chain.id), accountSpanOf(chain, input.hours, ask)])
    const params = span === null ? null : paramsOf(span)
    const [[row], hours, calibration] = params === null ? [[], [], []] : await Promise.all([
      ask.store.query(getGas, params, Row), ask.store.query(listGasHours, params, Hour), ask.store.query(listGasCalibration, params, Calibration),
    ])
    const gas = row === undefined ? null : {
      block_number: row.block_number, timestamp: row.timestamp, base_fee: row.base_fee, next_base_fee: row.next_base_fee, transactions: row.transactions,
      gas_price: percentiles(row.transactions > 0, row.gas_prices), priority_fee: percentiles(row.priced > 0, row.priority_fees),
    }
    return { chain: chain.id, window: windowOf(span), gas, hours, calibration, coverage_status: status }
  },
})
