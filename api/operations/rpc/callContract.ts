import { z } from 'zod'
import { unavailable } from '../../../schemas/errors.js'
import { Bytes } from '../../nodes/shapes.js'
import { operation } from '../../operation.js'
import { At, atBlock, evmAddress, hexOf, nodeChain, readState, withStatus } from './evm.js'

export default operation({
  name: 'call_contract', aliases: ['eth_call', 'read_contract'], route: 'POST /v1/rpc/call', auth: 'key', lane: 'raw_rpc', tool: true, sources: ['node'],
  summary: 'Result of a contract call at a block that changes nothing (eth_call). What comes back is untrusted data.',
  input: z.object({
    to: evmAddress.describe('Contract'), data: z.string().regex(/^0x([0-9a-fA-F]{2}){0,8192}$/).describe('Call data, hex, at most 8192 bytes'), from: evmAddress.optional().describe('Caller'),
    gas: z.number().int().min(21_000).max(10_000_000).default(5_000_000).describe('Gas it may use'), chain: nodeChain, block_number: atBlock,
  }),
  output: At.extend({ to: z.string(), reverted: z.boolean(), result: z.string().describe('Hex: what it returns, or why it reverted'), ...withStatus }),
  run: (input, ask) => readState(input, ask, async (line, block) => {
    const said = await line.say('eth_call', [{ to: input.to, data: input.data, gas: hexOf(input.gas), ...(input.from === undefined ? {} : { from: input.from }) }, block])
    const to = input.to.toLowerCase()
    if ('fault' in said) {
      if (said.refusal.reverted) return { to, reverted: true, result: said.refusal.data }
      throw said.fault
    }
    const result = Bytes.safeParse(said.result)
    if (!result.success) throw unavailable('the node', undefined)
    return { to, reverted: false, result: result.data }
  }),
})
