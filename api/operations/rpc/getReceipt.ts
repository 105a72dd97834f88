import { z } from 'zod'
import { Amount } from '../../../schemas/primitives.js'
import { cut, firstOf } from '../../cut.js'
import { skipField } from '../../fields.js'
import { withNode } from '../../nodes/nodes.js'
import { Receipt } from '../../nodes/shapes.js'
import { operation } from '../../operation.js'
import { remainderAfter, rowsAfter } from '../../remainder.js'
import { evmChainOf, nodeChain, nodeLacks, txHash, withStatus } from './evm.js'
import { Log, toLog } from './log.js'

const mostLogs = 100
const Shown = z.object({
  tx_hash: z.string(), block_number: z.number().int(), block_hash: z.string(), transaction_index: z.number().int(), type: z.number().int().nullable(), succeeded: z.boolean().nullable().describe('null: before Byzantium'),
  from: z.string(), to: z.string().nullable(), contract_address: z.string().nullable(), gas_used: Amount, cumulative_gas_used: Amount, effective_gas_price: Amount.nullable().describe('Wei'),
  blob_gas_used: Amount.nullable(), blob_gas_price: Amount.nullable(), log_count: z.number().int(), logs: z.array(Log).describe(`The first ${mostLogs} after offset`),
})

export default operation({
  name: 'get_receipt', aliases: ['get_transaction_receipt', 'get_tx_receipt'], route: 'GET /v1/rpc/receipt', auth: 'key', lane: 'raw_rpc', tool: true, sources: ['node'], rows: 'receipt',
  summary: 'Outcome, gas and logs of a mined transaction. Use list_hops for its swaps.',
  input: z.object({ tx_hash: txHash, chain: nodeChain, offset: skipField }),
  lists: ['receipt.logs'],
  remainder: (args, { receipt }, given) => remainderAfter(args, (receipt?.log_count ?? 0) - Number(args['offset'] ?? 0), given),
  output: z.object({ chain: z.string(), receipt: Shown.nullable(), has_more: cut('skip these'), ...withStatus }),
  empty: nodeLacks,
  run: async (input, ask) => {
    const chain = evmChainOf(input.chain, ask)
    const [found, status] = await Promise.all([withNode(ask, chain, (line) => line.ask('eth_getTransactionReceipt', [input.tx_hash], Receipt.nullable())), ask.services.coverage.status(chain.id)])
    const { rows: logs, has_more } = firstOf(rowsAfter(found?.logs ?? [], found === null ? 0 : input.offset), mostLogs)
    return {
      chain: chain.id, has_more, coverage_status: status,
      receipt: found === null ? null : {
        tx_hash: found.transactionHash, block_number: found.blockNumber, block_hash: found.blockHash, transaction_index: found.transactionIndex, type: found.type, succeeded: found.status === null ? null : found.status === 1,
        from: found.from, to: found.to, contract_address: found.contractAddress, gas_used: found.gasUsed, cumulative_gas_used: found.cumulativeGasUsed, effective_gas_price: found.effectiveGasPrice,
        blob_gas_used: found.blobGasUsed, blob_gas_price: found.blobGasPrice, log_count: found.logs.length, logs: logs.map(toLog),
      },
    }
  },
})
