/** A log as a node gives it, in our names. */
import { z } from 'zod'
import type { Log as NodeLog } from '../../nodes/shapes.js'

export const Log = z.object({
  address: z.string(), topics: z.array(z.string()), data: z.string().describe('Hex, untrusted'), block_number: z.number().int(), block_hash: z.string(), tx_hash: z.string(),
  transaction_index: z.number().int(), log_index: z.number().int(),
})
export const toLog = (log: z.infer<typeof NodeLog>): z.infer<typeof Log> => ({
  address: log.address, topics: log.topics, data: log.data, block_number: log.blockNumber, block_hash: log.blockHash, tx_hash: log.transactionHash, transaction_index: log.transactionIndex, log_index: log.logIndex,
})
