/** What the questions on a long history took, in words. */
import { table } from '../markdown.js'
import { asks } from './ask.js'
import { addresses, labelled, seed } from './generate.js'
import type { HistoryResult } from './history.js'

interface Bar { readonly bar: string; readonly figure: string; readonly met: boolean }

export const historyBars = ({ history, answered, postgres }: HistoryResult): Bar[] => [
  ...answered.map(({ name, bar, first95 }) => ({ bar: `history, ${name}: p95 of ${asks} within ${bar} ms`, figure: `${first95.toFixed(0)} ms`, met: first95 <= bar })),
  ...answered.flatMap(({ name, times, p50 }) => {
    const theirs = postgres?.medians[name]
    if (times === undefined || theirs === undefined) return []
    return [{ bar: times < 1 ? `history, ${name}: no slower than twice Postgres` : `history, ${name}: at least ${times} times as fast as Postgres`, figure: `${(theirs / p50).toFixed(1)} times (${theirs.toFixed(1)} and ${p50.toFixed(1)} ms)`, met: theirs / p50 >= times }]
  }),
  { bar: 'history: under 60 bytes on disk per transfer', figure: `${history.bytesPerTransfer.toFixed(0)} bytes`, met: history.bytesPerTransfer < 60 },
]

export const historySection = ({ history, answered, floor, postgres }: HistoryResult): string[] => [
  '## A long history', `${history.transfers} movements and ${history.swaps} swaps in ${history.blocks} blocks, made (seed ${seed}): ${addresses} addresses by Zipf's law, ${labelled} of the busiest labelled, tokens and sizes of recorded blocks, indexed by the product's own statements; ${history.seconds.toFixed(0)} s. Questions over REST, the cache of answers off, one caller; addresses drawn evenly from all, and the ten busiest beside. ${asks} different questions of a kind, after as many others: bars in milliseconds are of the first asking of each; p50, p95 and what is compared with Postgres are of the second. Who may stand on a first page of top wallets is read once for each state of the ledger: in these figures once for each 25 rows of length.`,
  table(['question', 'p50 ms', 'p95 ms', 'first p95', 'bar', 'busiest p50', 'busiest p95', ...(postgres === undefined ? [] : ['Postgres p50', 'its busiest'])], answered.map(({ name, p50, p95, first95, bar, busiest }) => [
    name, p50.toFixed(1), p95.toFixed(1), first95.toFixed(1), bar, busiest?.p50.toFixed(0) ?? '', busiest?.p95.toFixed(0) ?? '', ...(postgres === undefined ? [] : [postgres.medians[name]?.toFixed(1) ?? '', postgres.busiest[name]?.toFixed(0) ?? '']),
  ])),
  `ClickHouse itself, asked over HTTP by the same caller: \`SELECT 1\` ${floor.nothing.toFixed(1)} ms, the newest 50 rows of one of these addresses by key from a plain table of their ${floor.rows} rows ${floor.lookup.toFixed(1)} ms (medians). No question to it takes less, before anything is live, named or checked.`,
  ...(postgres === undefined ? [] : [`Postgres ${postgres.version}: the same movements, indexes on (from, height), (to, height), height, and height of large ones; loaded and indexed in ${postgres.seconds.toFixed(0)} s, ${postgres.bytesPerTransfer.toFixed(0)} bytes per transfer with them. It is asked for the same columns and names, directly where ours are asked over HTTP; ${postgres.agreed} answers were compared with ours and all agreed, amounts to the last digit.`]),
]
