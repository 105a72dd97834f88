/** What the history of addresses on a long chain of Bitcoin took, in words. */
import { table } from '../markdown.js'
import { bitcoinHistoryBar, type BitcoinHistoryResult } from './bitcoinHistory.js'

export const bitcoinHistoryBars = ({ outputs, p95 }: BitcoinHistoryResult): { readonly bar: string; readonly figure: string; readonly met: boolean }[] => [
  { bar: `bitcoin: the newest page of an address on 50 million outputs, p95 under ${bitcoinHistoryBar} ms`, figure: `${p95.toFixed(1)} ms on ${(outputs / 1e6).toFixed(1)} million`, met: outputs >= 50e6 && p95 < bitcoinHistoryBar },
]

export const bitcoinHistorySection = ({ outputs, rows, asks, p50, p95, busiest, busiestRows, seconds, othersShare, cpu }: BitcoinHistoryResult): readonly string[] => [
  '## Bitcoin: history of an address', `${outputs} outputs of made addresses, a few of which have very many, seven in ten spent: ${rows} rows, written and merged in ${seconds.toFixed(0)} s. A page of 50 movements, newest first, by GET /v1/wallets/transfers/{address} without the API's cache; ${asks} addresses asked once each. API and ClickHouse spend ${cpu.toFixed(1)} ms of CPU on a page; ${(othersShare * 100).toFixed(0)} % of the machine went to processes that are none of the bench's.`,
  table(['address', 'rows', 'p50 ms', 'p95 ms'], [['any', '', p50.toFixed(1), p95.toFixed(1)], ['the one with most', busiestRows, '', busiest.toFixed(1)]]),
]
