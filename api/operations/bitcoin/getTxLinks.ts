import { z } from 'zod'
import { Address, Amount, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { CoverageStatus } from '../../coverage.js'
import { operation } from '../../operation.js'
import { clusterHeight, readHeight } from './clusters.js'

const getTxLinks = loadSql(import.meta.url, 'getTxLinks.sql'), peelHop = loadSql(import.meta.url, 'peelHop.sql')
const Change = z.object({
  vout: z.number().int(), from_address: Address.describe('One of those that spent'), address: Address, value_sats: Amount, signs: z.array(z.string()).describe('Heuristics that rule out every other output'), score: z.number().describe('1 - 2^-signs: no measured probability'),
})
const Hop = z.object({ tx_hash: Hash, block_number: z.number().int(), timestamp: Instant, peeled_sats: Amount, peeled_to: Address.nullable(), passed_sats: Amount, passed_to: Address.nullable() })
const HopRow = Hop.extend({ passed_vout: z.number() })
/** Hops of a chain that are followed. */
const most = 25

export default operation({
  name: 'get_btc_tx_links', route: 'GET /v1/btc/transactions/{tx_hash}/links', auth: 'key', lane: 'forensic', tool: false, cacheSeconds: 10, chain: 'BTC',
  summary: 'Of a Bitcoin transaction: the output that looks like change, by at least two signs, and up to 25 hops of the peel chain that goes on from it. Leads, no proof; they join no clusters.',
  input: z.object({ tx_hash: z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/).describe('Transaction') }),
  output: z.object({ chain: z.string(), tx_hash: Hash, change: z.array(Change), peel_chain: z.array(Hop), peel_chain_goes_on: z.boolean(), as_of_height: clusterHeight, coverage_status: CoverageStatus }),
  run: async (input, ask) => {
    const txid = input.tx_hash.toLowerCase().replace(/^0x/, '')
    const hopOf = async (spent: string, vout: number) => (await ask.store.query(peelHop, { txid: spent, vout }, HopRow, {}, ask.signal))[0]
    const [change, height, status] = await Promise.all([ask.store.query(getTxLinks, { txid }, Change, {}, ask.signal), readHeight(ask), ask.services.coverage.status('BTC')])
    const hops: z.infer<typeof HopRow>[] = []
    let hop = await hopOf(txid, -1)
    for (; hop !== undefined && hops.length < most; hop = await hopOf(hop.tx_hash.slice(2), hop.passed_vout)) hops.push(hop)
    return { chain: 'BTC', tx_hash: `0x${txid}`, change, peel_chain: hops.map(({ passed_vout: _, ...one }) => one), peel_chain_goes_on: hop !== undefined, as_of_height: height, coverage_status: status }
  },
})
