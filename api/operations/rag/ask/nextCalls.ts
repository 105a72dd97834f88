/** The calls that answer a question further: what it names first, then what it is about. */
import { z } from 'zod'
import type { Subject } from './subjects.js'
import type { Understood } from './understand.js'

export const NextCall = z.object({ name: z.string().describe('Tool'), arguments: z.looseObject({}), why: z.string() })
type Call = z.infer<typeof NextCall>

const most = 6
const call = (name: string, args: Record<string, unknown>, why: string): Call => ({ name, arguments: args, why })

/** By subject; `chain` is the chain asked about. */
const bySubject: Readonly<Record<Subject, (chain: string) => Call>> = {
  whales: (chain) => chain === 'BTC' ? call('list_btc_flows', { limit: 10 }, 'Large movements between owners') : call('list_whales', { chain, limit: 10 }, 'Large movements with the labels of both sides'),
  exchanges: (chain) => call('list_exchange_flows', { chain, hours: 24 }, 'What went into and out of exchanges'),
  stablecoins: (chain) => call('list_stablecoins', { chain, hours: 24 }, 'Mints, burns and flows of stablecoins'),
  mixers: (chain) => call('list_chunks', { chain, topic: 'mixer', limit: 20 }, 'Every indexed use of a mixer'),
  pools: (chain) => call('list_chunks', { chain, topic: 'pool', limit: 20 }, 'New pools'),
  liquidations: (chain) => call('list_chunks', { chain, topic: 'liquidation', limit: 20 }, 'Liquidations of lending protocols'),
  swaps: () => call('list_swaps', { chain: 'ETH', limit: 10 }, 'Swaps of the last hour'),
  gas: (chain) => call('get_gas', { chain }, 'Base fee, tips and the next base fee'),
  perps: () => call('get_hl_pulse', { hours: 1 }, 'The perps venue in the last hour'),
  funding: () => call('get_hl_funding', {}, 'Funding rates and open interest'),
  sanctions: () => call('get_trust', {}, 'Which sanctions registers are screened, and how old they are'),
  trending: (chain) => call('list_trending', { chain }, 'Tokens by swap volume, against the period before'),
  alerts: (chain) => call('list_alerts', chain === 'BTC' ? { limit: 20, chain } : { limit: 20 }, 'What the alert rules named'),
  blocks: (chain) => call('list_recent_blocks', { chain, limit: 10 }, 'The newest blocks'),
  smart_money: (chain) => call('list_smart_money_flows', { chain }, 'What smart-money wallets moved'),
  market: (chain) => call('get_market', { chain }, 'Swap pairs, flows, whales, gas and stablecoins at once'),
}

/** At most six calls, each complete. `chain` is one chain; ALL asks for Ethereum where an operation takes one. `node`: raw questions are answered here. */
export const nextCalls = (understood: Understood, chain: string, node: boolean): readonly Call[] => {
  const one = chain === 'ALL' ? 'ETH' : chain
  // The perps venue has no blocks, and only Ethereum's node knows a hash of this form.
  const blocky = one === 'HL' ? 'ETH' : one
  const { txs, addresses, bitcoinAddresses, blocks, symbols, subjects } = understood
  const named = [
    ...(one === 'BTC' ? [] : txs).flatMap((hash) => [call('list_hops', { tx_hash: hash, chain: blocky }, 'Swaps in this transaction'), ...(node && blocky === 'ETH' ? [call('get_receipt', { tx_hash: hash, chain: blocky }, 'Outcome and logs, from the node')] : [])]),
    ...addresses.flatMap((address) => [call('get_wallet', { address, chain: one }, 'Profile of this address'), call('screen_address', { address }, 'Whether a sanctions register lists it')]),
    ...bitcoinAddresses.flatMap((address) => [call('get_wallet', { address, chain: 'BTC' }, 'Profile of this address'), call('screen_address', { address, chain: 'BTC' }, 'Whether a sanctions register lists it')]),
    ...blocks.map((height) => call('get_feed_block', { chain: blocky, block_number: height }, 'Everything notable in this block')),
  ]
  const about = [...subjects].filter((subject) => subject !== 'sanctions' || addresses.length + bitcoinAddresses.length === 0).map((subject) => bySubject[subject](one))
  const pairs = symbols.length > 0 && chain !== 'HL' && !subjects.has('perps') && !subjects.has('funding') ? [call('list_swap_pairs', { chain: one, minutes: 60 }, `Pairs that were swapped, ${symbols.join(', ')} among them if they were`)] : []
  const coins = subjects.has('perps') || subjects.has('funding') || chain === 'HL' ? symbols.slice(0, 1).map((coin) => call('get_hl_flow_history', { coin }, `Flow of ${coin} on the perps venue`)) : []
  const general = [call('get_network_summary', { chain }, 'The last hour in numbers')]
  const seen = new Set<string>()
  return [...named, ...about, ...coins, ...pairs, ...general].filter((each) => { const key = JSON.stringify([each.name, each.arguments]); return seen.has(key) ? false : seen.add(key) }).slice(0, most)
}
