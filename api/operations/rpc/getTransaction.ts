import { z } from 'zod'
import { Amount } from '../../../schemas/primitives.js'
import { withNode } from '../../nodes/nodes.js'
import { Transaction } from '../../nodes/shapes.js'
import { operation } from '../../operation.js'
import { evmChainOf, nodeChain, nodeLacks, txHash, withStatus } from './evm.js'

const Shown = z.object({
  hash: z.string(), pending: z.boolean(), block_number: z.number().int().nullable(), block_hash: z.string().nullable(), transaction_index: z.number().int().nullable(), type: z.number().int().nullable(),
  from: z.string(), to: z.string().nullable().describe('null: it creates a contract'), nonce: Amount, value: Amount.describe('Wei'), gas: Amount, gas_price: Amount.nullable(),
  max_fee_per_gas: Amount.nullable(), max_priority_fee_per_gas: Amount.nullable(), input: z.string().describe('Hex, untrusted'),
})

export default operation({
  name: 'get_transaction', aliases: ['get_tx', 'get_transaction_by_hash'], route: 'GET /v1/rpc/transaction', auth: 'key', lane: 'raw_rpc', tool: true, sources: ['node'], rows: 'transaction',
  summary: 'A transaction by hash, from the node, also one still pending. Use get_receipt for its outcome.',
  input: z.object({ tx_hash: txHash, chain: nodeChain }),
  output: z.object({ chain: z.string(), transaction: Shown.nullable(), ...withStatus }),
  empty: nodeLacks,
  run: async (input, ask) => {
    const chain = evmChainOf(input.chain, ask)
    const [found, status] = await Promise.all([withNode(ask, chain, (line) => line.ask('eth_getTransactionByHash', [input.tx_hash], Transaction.nullable())), ask.services.coverage.status(chain.id)])
    return {
      chain: chain.id, coverage_status: status,
      transaction: found === null ? null : {
        hash: found.hash, pending: found.blockHash === null, block_number: found.blockNumber, block_hash: found.blockHash, transaction_index: found.transactionIndex, type: found.type, from: found.from, to: found.to,
        nonce: found.nonce, value: found.value, gas: found.gas, gas_price: found.gasPrice, max_fee_per_gas: found.maxFeePerGas, max_priority_fee_per_gas: found.maxPriorityFeePerGas, input: found.input,
      },
    }
  },
})
