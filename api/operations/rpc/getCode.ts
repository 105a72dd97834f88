import { z } from 'zod'
import { Bytes } from '../../nodes/shapes.js'
import { operation } from '../../operation.js'
import { At, atBlock, evmAddress, nodeChain, readState, withStatus } from './evm.js'

/** What EIP-7702 puts in the place of code: the account has a key and runs the code of another address. */
const delegation = /^0xef0100[0-9a-f]{40}$/i

export default operation({
  name: 'get_code', aliases: ['get_bytecode'], route: 'GET /v1/rpc/code', auth: 'key', lane: 'raw_rpc', tool: true, sources: ['node'],
  summary: 'Bytecode of an address at a block; 0x: no contract.',
  input: z.object({ address: evmAddress, chain: nodeChain, block_number: atBlock }),
  output: At.extend({ address: z.string(), is_contract: z.boolean().describe('false: also a delegation (EIP-7702)'), size: z.number().int().describe('Bytes'), code: z.string().describe('Hex'), ...withStatus }),
  run: (input, ask) => readState(input, ask, async (line, block) => {
    const code = await line.ask('eth_getCode', [input.address, block], Bytes)
    const size = (code.length - 2) / 2
    return { address: input.address.toLowerCase(), is_contract: size > 0 && !delegation.test(code), size, code }
  }),
})
