/** A transaction that a detector takes for a CoinJoin. */
import { z } from 'zod'
import { Amount, Hash, Instant } from '../../../schemas/primitives.js'
import { detectorNames } from './clusters.js'

const Denomination = z.object({ value_sats: Amount, outputs: z.number().int(), anonymity_set: z.number().int().describe('Of each such output: equal outputs, at most the inputs') })
export const Coinjoin = z.object({
  tx_hash: Hash, block_number: z.number().int(), timestamp: Instant, detector: z.enum(detectorNames), detector_version: z.number().int(), confidence: z.number().int().describe('0 to 100; halved where inputs are unresolved'),
  others: z.array(z.string()).describe('Detectors that also hold'), inputs: z.number().int(), outputs: z.number().int(), inputs_unresolved: z.number().int(), output_sats: Amount, denominations: z.array(Denomination).describe('Values of two and more outputs'),
})
export const CoinjoinRow = Coinjoin.omit({ denominations: true }).extend({ tx_index: z.number(), denominations: z.array(z.tuple([z.string(), z.number(), z.number()])) })
export const ofCoinjoin = ({ tx_index: _, denominations, ...row }: z.infer<typeof CoinjoinRow>): z.infer<typeof Coinjoin> =>
  ({ ...row, denominations: denominations.map(([value_sats, outputs, anonymity_set]) => ({ value_sats, outputs, anonymity_set })) })
