import { z } from 'zod'
import { Amount } from '../../../schemas/primitives.js'
import { Quantity } from '../../nodes/shapes.js'
import { operation } from '../../operation.js'
import { At, atBlock, evmAddress, nodeChain, readState, withStatus } from './evm.js'

export default operation({
  name: 'get_balance', aliases: ['eth_get_balance', 'get_native_balance'], route: 'GET /v1/rpc/balance', auth: 'key', lane: 'raw_rpc', tool: true, sources: ['node'],
  summary: 'Coin of an address at a block, from the node. Use call_contract for tokens.',
  input: z.object({ address: evmAddress, chain: nodeChain, block_number: atBlock }),
  output: At.extend({ address: z.string(), balance: Amount.describe('Wei'), ...withStatus }),
  run: (input, ask) => readState(input, ask, async (line, block) => ({ address: input.address.toLowerCase(), balance: await line.ask('eth_getBalance', [input.address, block], Quantity) })),
})
