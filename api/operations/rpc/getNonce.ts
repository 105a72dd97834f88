import { z } from 'zod'
import { Amount } from '../../../schemas/primitives.js'
import { Quantity } from '../../nodes/shapes.js'
import { operation } from '../../operation.js'
import { At, atBlock, evmAddress, nodeChain, readState, withStatus } from './evm.js'

export default operation({
  name: 'get_nonce', aliases: ['get_transaction_count'], route: 'GET /v1/rpc/nonce', auth: 'key', lane: 'raw_rpc', tool: true, sources: ['node'],
  summary: 'How many transactions an address had sent at a block.',
  input: z.object({ address: evmAddress, chain: nodeChain, block_number: atBlock }),
  output: At.extend({ address: z.string(), nonce: Amount, ...withStatus }),
  run: (input, ask) => readState(input, ask, async (line, block) => ({ address: input.address.toLowerCase(), nonce: await line.ask('eth_getTransactionCount', [input.address, block], Quantity) })),
})
