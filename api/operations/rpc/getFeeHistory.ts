import { z } from 'zod'
import { Amount } from '../../../schemas/primitives.js'
import { withNode } from '../../nodes/nodes.js'
import { FeeHistory } from '../../nodes/shapes.js'
import { operation } from '../../operation.js'
import { atBlock, evmChainOf, hexOf, nodeChain, withStatus } from './evm.js'

const percentiles = [10, 50, 90]
const Row = z.object({
  block_number: z.number().int(), base_fee_per_gas: Amount, gas_used_ratio: z.number(), blob_base_fee_per_gas: Amount.nullable(),
  priority_fees: z.array(Amount).describe('Wei; 10th, 50th and 90th percentile by gas; []: the node does not say'),
})

export default operation({
  name: 'get_fee_history', aliases: ['fee_history'], route: 'GET /v1/rpc/fee-history', auth: 'key', lane: 'raw_rpc', tool: true, sources: ['node'],
  summary: 'Base fees and tips of the last blocks and the next base fee, from the node. Use get_gas for the indexed hour.',
  input: z.object({ blocks: z.number().int().min(1).max(100).default(20).describe('Blocks wanted'), chain: nodeChain, block_number: atBlock }),
  output: z.object({ chain: z.string(), blocks: z.array(Row).describe('Oldest first'), next_base_fee_per_gas: Amount.describe('Wei'), ...withStatus }),
  run: async (input, ask) => {
    const chain = evmChainOf(input.chain, ask)
    const params = [hexOf(input.blocks), input.block_number === undefined ? 'latest' : hexOf(input.block_number), percentiles]
    const [seen, status] = await Promise.all([withNode(ask, chain, (line) => line.ask('eth_feeHistory', params, FeeHistory)), ask.services.coverage.status(chain.id)])
    return {
      chain: chain.id, next_base_fee_per_gas: seen.baseFeePerGas.at(-1) ?? '0', coverage_status: status,
      blocks: seen.gasUsedRatio.map((ratio, at) => ({
        block_number: seen.oldestBlock + at, base_fee_per_gas: seen.baseFeePerGas[at] ?? '0', gas_used_ratio: ratio, blob_base_fee_per_gas: seen.baseFeePerBlobGas?.[at] ?? null, priority_fees: seen.reward?.[at] ?? [],
      })),
    }
  },
})
