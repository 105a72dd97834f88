/** The calls that answer a question further: what it names first, then what it is about. */
import { z } from 'zod'
import type { Subject } from './subjects.js'
import type { Understood } from './understand.js'

export const NextCall = z.object({ name: z.string().describe('Tool'), arguments: z.looseObject({}), why: z.string() })
type Call = z.infer<typeof NextCall>

const most = 6
const call = (name: string, args: Record<string, unknown>, why: string): Call => ({ name, arguments: args, why })

/** By subject and chain, what there is of it; a chain that is missing has nothing of the kind. any: what is asked of no chain. ALL: of all together, where the tool takes that; else Ethereum's. */
type Calls = Readonly<Partial<Record<'ETH' | 'BTC' | 'HL' | 'ALL' | 'any', Call>>>
const onBoth = (name: string, args: Record<string, unknown>, why: string): Calls => ({ ETH: call(name, { chain: 'ETH', ...args }, why), BTC: call(name, { chain: 'BTC', ...args }, why) })
const onAll = (name: string, args: Record<string, unknown>, why: string): Calls => ({ ...onBoth(name, args, why), ALL: call(name, { chain: 'ALL', ...args }, why) })
const pulse = call('get_hl_pulse', { hours: 1 }, 'The perps venue in the last hour')
const large = call('get_hl_recent', { hours: 1 }, 'Large trades and liquidations on the perps venue')
const bySubject: Readonly<Record<Subject, Calls>> = {
  risk: onAll('list_risky_wallets', { limit: 20 }, 'Addresses that are risky themselves or dealt with such'),
  origins: {}, trails: {},
  mev: { ETH: call('list_mev', { chain: 'ETH', limit: 20 }, 'Sandwiches, arbitrage and other MEV') },
  coinjoins: { any: call('list_coinjoins', { limit: 20 }, 'CoinJoin transactions of Bitcoin') },
  traders: { any: call('get_hl_traders', { limit: 20 }, 'Accounts of the perps venue by realised profit and skill') },
  emerging: { ETH: call('list_emerging_tokens', { limit: 20 }, 'Tokens by momentum') },
  whales: { ALL: call('list_whales', { chain: 'ALL', limit: 10 }, 'Large movements with the labels of both sides'), ETH: call('list_whales', { chain: 'ETH', limit: 10 }, 'Large movements with the labels of both sides'), BTC: call('list_btc_flows', { limit: 10 }, 'Large movements between owners'), HL: large },
  exchanges: onAll('list_exchange_flows', { hours: 24 }, 'What went into and out of exchanges'),
  stablecoins: { ETH: call('list_stablecoins', { chain: 'ETH', hours: 24 }, 'Mints, burns and flows of stablecoins') },
  mixers: onAll('list_chunks', { topic: 'mixer', limit: 20 }, 'Every indexed use of a mixer'),
  pools: { ETH: call('list_chunks', { chain: 'ETH', topic: 'pool', limit: 20 }, 'New pools') },
  liquidations: { ETH: call('list_chunks', { chain: 'ETH', topic: 'liquidation', limit: 20 }, 'Liquidations of lending protocols'), HL: call('get_hl_alerts', { hours: 24 }, 'Liquidations on the perps venue, and positions near them') },
  swaps: { ETH: call('list_swaps', { chain: 'ETH', limit: 10 }, 'Swaps of the last hour'), HL: large },
  gas: { ETH: call('get_gas', { chain: 'ETH' }, 'Base fee, tips and the next base fee') },
  perps: { any: pulse },
  funding: { any: call('get_hl_funding', {}, 'Funding rates and open interest') },
  sanctions: { any: call('get_trust', {}, 'Which sanctions registers are screened, and how old they are') },
  trending: { ETH: call('list_trending', { chain: 'ETH', hours: 6 }, 'Tokens by swap volume, against the period before'), HL: call('get_hl_signals', { limit: 50 }, 'Signals of the perps venue in the last hours') },
  alerts: { ...onAll('list_alerts', { limit: 20 }, 'What the alert rules named'), HL: call('list_alerts', { chain: 'HL', limit: 20 }, 'What the alert rules named') },
  blocks: onBoth('list_recent_blocks', { limit: 10 }, 'The newest blocks'),
  smart_money: { ETH: call('list_smart_money_flows', { chain: 'ETH' }, 'What smart-money wallets moved'), HL: call('get_hl_traders', { limit: 20 }, 'Accounts of the perps venue by realised profit and skill') },
  market: { ...onAll('get_market', {}, 'The market on one page: flows, whales, and what else the chain has'), HL: pulse },
}

/** Subjects about an address where the question names one. */
const ofAddresses: ReadonlySet<Subject> = new Set(['risk', 'sanctions'])
/** What is asked about an address on `chain` because of what the question is about. */
const aboutAddress = (address: string, chain: 'ETH' | 'BTC', subjects: ReadonlySet<Subject>): readonly Call[] => [
  ...(subjects.has('risk') ? [call('get_wallet_compliance', { address, chain }, 'How risky it is, and why'), call('screen_abuse', { address, chain }, 'Whether it is reported for abuse')] : []),
  ...([['origins', 'source', 'in', 'Where its funds came from'], ['trails', 'destination', 'out', 'Where its funds went']] as const).flatMap(([subject, direction, way, why]) => (subjects.has(subject)
    ? [call('trace_funds', { address, chain, direction }, why), call('list_wallet_transfers', { address, chain, direction: way, limit: 50 }, 'Its transfers, one by one')] : [])),
]
/** The hours that tools look back at most, where it is not a week. */
const mostHours: Readonly<Record<string, number>> = { get_hl_pulse: 24, get_hl_alerts: 24 }
/** The call about the time and the blocks that the question names. */
const narrowed = ({ name, arguments: args, why }: Call, { hours, blocks }: Understood): Call => ({ name, why, arguments: {
  ...args, ...(hours === null || args['hours'] === undefined ? {} : { hours: Math.min(hours, mostHours[name] ?? hours) }), ...(name === 'list_mev' && blocks.length > 0 ? { from_block: Math.min(...blocks), to_block: Math.max(...blocks) } : {}),
} })
/** Whether the question asks for tokens by their symbols alone, or for a price. */
export const asksForTokens = ({ symbols, subjects }: Understood, chain: string): boolean => (chain === 'ETH' || chain === 'ALL') && symbols.length > 0 && (subjects.size === 0 || subjects.has('market'))

/** At most six calls, each complete. `chain` is one chain; ALL asks for Ethereum where an operation takes one. `node`: raw questions are answered here. `tokens`: addresses of tokens that its symbols stand for. */
export const nextCalls = (understood: Understood, chain: string, node: boolean, tokens: readonly string[] = []): readonly Call[] => {
  const one = chain === 'ALL' ? 'ETH' : chain
  // The perps venue has no blocks, and only Ethereum's node knows a hash of this form. Of a chain without a pipeline there is nothing to ask.
  const blocky = one === 'HL' ? 'ETH' : one, isStored = blocky === 'ETH' || blocky === 'BTC'
  // The addresses of accounts are of Ethereum where the chain asked about has none.
  const profile = (address: string): readonly Call[] => (one === 'HL' ? [call('get_hl_trader', { address }, 'This account on the perps venue')] : isStored ? [call('get_wallet', { address, chain: 'ETH' }, 'Profile of this address')] : [])
  const { txs, addresses, bitcoinAddresses, blocks, symbols, coins, subjects } = understood
  const named = [
    ...(blocky === 'ETH' ? txs : []).flatMap((hash) => [call('list_hops', { tx_hash: hash, chain: blocky }, 'Swaps in this transaction'), ...(node ? [call('get_receipt', { tx_hash: hash, chain: blocky }, 'Outcome and logs, from the node')] : [])]),
    ...addresses.flatMap((address) => [...(isStored ? aboutAddress(address, 'ETH', subjects) : []), ...profile(address), call('screen_address', { address }, 'Whether a sanctions register lists it')]),
    ...bitcoinAddresses.flatMap((address) => [...aboutAddress(address, 'BTC', subjects), call('get_wallet', { address, chain: 'BTC' }, 'Profile of this address'), call('screen_address', { address, chain: 'BTC' }, 'Whether a sanctions register lists it')]),
    ...(isStored ? blocks : []).map((height) => call('get_feed_block', { chain: blocky, block_number: height }, 'Everything notable in this block')),
  ]
  const about = [...subjects].filter((subject) => !ofAddresses.has(subject) || addresses.length + bitcoinAddresses.length === 0).flatMap((subject) => { const { any, ...calls } = bySubject[subject]; return any ?? calls[chain as keyof typeof calls] ?? calls[one as keyof typeof calls] ?? [] }).map((each) => narrowed(each, understood))
  const priced = tokens.flatMap((token) => [call('get_token', { token, chain: 'ETH' }, 'Price and trades of this token'), call('list_candles', { address: token, chain: 'ETH' }, 'Its price over time')])
  const pairs = symbols.length > 0 && one === 'ETH' && !subjects.has('perps') && !subjects.has('funding') ? [call('list_swap_pairs', { chain: one, minutes: 60 }, `Pairs that were swapped, ${symbols.join(', ')} among them if they were`)] : []
  // A name that only the venue has asks for it, whatever else is asked.
  const flows = coins.slice(0, 1).filter((coin) => subjects.has('perps') || subjects.has('funding') || chain === 'HL' || !symbols.includes(coin)).map((coin) => call('get_hl_flow_history', { coin }, `Flow of ${coin} on the perps venue`))
  const general = [call('get_network_summary', { chain }, 'The last hour in numbers')]
  const seen = new Set<string>()
  return [...named, ...priced, ...about, ...flows, ...pairs, ...general].filter((each) => { const key = JSON.stringify([each.name, each.arguments]); return seen.has(key) ? false : seen.add(key) }).slice(0, most)
}
