import { z } from 'zod'
import { Bytes } from '../../nodes/shapes.js'
import { operation } from '../../operation.js'
import { At, atBlock, evmAddress, nodeChain, readState, withStatus } from './evm.js'

export default operation({
  name: 'get_storage_at', aliases: ['get_storage'], route: 'GET /v1/rpc/storage', auth: 'key', lane: 'raw_rpc', tool: true, sources: ['node'],
  summary: 'One storage slot of a contract at a block.',
  input: z.object({ address: evmAddress, slot: z.string().regex(/^0x[0-9a-fA-F]{1,64}$/).describe('Slot, hex'), chain: nodeChain, block_number: atBlock }),
  output: At.extend({ address: z.string(), slot: z.string(), value: z.string().describe('32 bytes, hex'), ...withStatus }),
  run: (input, ask) => readState(input, ask, async (line, block) => {
    const slot = `0x${input.slot.slice(2).toLowerCase().padStart(64, '0')}`
    return { address: input.address.toLowerCase(), slot, value: await line.ask('eth_getStorageAt', [input.address, slot, block], Bytes) }
  }),
})
