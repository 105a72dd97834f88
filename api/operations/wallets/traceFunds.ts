import { z } from 'zod'
import { EvmAddress } from '../../../schemas/primitives.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { addressField, chainField, chainOf, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { emptyUnlessStored, storedChain } from '../../span.js'
import { Step, trace } from './trace.js'

const Origin = z.object({ classification: z.string(), entity: z.string(), addresses: z.number().int(), value_usd: z.number() })

/** Where branches ended, by class and entity, the most value first. */
const originsOf = (trail: readonly z.infer<typeof Step>[]): z.infer<typeof Origin>[] => {
  const found = new Map<string, z.infer<typeof Origin>>()
  for (const { stopped_because: end, from_class: classification, from_entity: entity, value_usd: usd } of trail) {
    if (end === null || end === 'seen') continue
    const key = `${classification} ${entity}`
    const before = found.get(key) ?? { classification, entity, addresses: 0, value_usd: 0 }
    found.set(key, { ...before, addresses: before.addresses + 1, value_usd: before.value_usd + usd })
  }
  return [...found.values()].sort((a, b) => b.value_usd - a.value_usd)
}

export default operation({
  name: 'trace_funds', aliases: ['get_wallet_trail', 'source_of_funds', 'trace_flow'], route: 'GET /v1/wallets/trail/{address}', auth: 'key', lane: 'forensic', tool: true, cacheSeconds: 30, sources: ['transfers', 'prices', 'labels'], rows: 'trail', hours: Infinity,
  summary: 'Where the funds of an address came from, hop by hop, and why each branch ended. Only what has a price is followed. Use get_wallet_compliance for the risk.',
  input: z.object({ address: addressField, chain: chainField.default('ETH'), hops: z.number().int().min(1).max(4).default(2).describe('How far back, 1 to 4'), limit: limitField(100, 20).describe('Senders at each hop, 1 to 100') }),
  output: z.object({ chain: z.string(), address: z.string(), hops: z.number().int(), count: z.number().int(), trail: z.array(Step), origins: z.array(Origin), too_busy: z.boolean().describe('true: the address is a service, its funds are not traced'), coverage_status: CoverageStatus }),
  empty: (output) => emptyUnlessStored(output) ?? (!EvmAddress.safeParse(output.address).success ? emptyBecause('unsupported_input') : output.too_busy ? emptyBecause('data_gap') : null),
  run: async (input, ask) => {
    const address = /^0x/i.test(input.address) ? input.address.toLowerCase() : input.address
    const chain = chainOf(input.chain)
    const stored = storedChain(chain)
    const [trail, status] = await Promise.all([
      stored === null || !EvmAddress.safeParse(address).success ? [] : trace(address, stored, input.hops, input.limit, ask), ask.services.coverage.status(chain.id),
    ])
    return { chain: chain.id, address, hops: input.hops, count: trail?.length ?? 0, trail: trail ?? [], origins: originsOf(trail ?? []), too_busy: trail === null, coverage_status: status }
  },
})
