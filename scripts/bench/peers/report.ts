/** The comparison in words: bar, bars, and how each was set. */
import type { BackfillResult } from '../backfill.js'
import { chart, table } from '../markdown.js'
import { totalOf, type Persisted } from './counts.js'
import { countedTables } from './peer.js'
import type { PeerFigure, PeersResult } from './run.js'

const rate = ({ persisted, seconds }: PeerFigure): number => totalOf(persisted) / seconds

/** Ours against the faster of SQD's two writers, whose rows must be ours; not met where SQD gave no figure. */
export const peersBar = ({ peers, seconds }: BackfillResult): { bar: string; figure: string; met: boolean } | undefined => {
  if (peers === undefined) return undefined
  const bar = 'backfill: at least twice the rows per second of SQD, same blocks, same tables'
  const sqd = peers.results.filter(({ name, figure }) => name.startsWith('SQD') && figure?.differences.length === 0).flatMap(({ figure }) => (figure === undefined ? [] : [rate(figure)]))
  if (sqd.length === 0) return { bar, figure: 'no figure of SQD with the same rows', met: false }
  const [ours, best] = [totalOf(peers.ours) / seconds, Math.max(...sqd)]
  return { bar, figure: `${(ours / best).toFixed(2)} (${ours.toFixed(0)} of ${best.toFixed(0)} rows/s)`, met: ours >= 2 * best }
}

const counts = ({ rows }: Persisted): (number | string)[] => countedTables.map((name) => rows[name] ?? '–')

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`

const verdict = ({ differences }: PeerFigure): string => (differences.length === 0 ? 'equal to ours' : differences.join('; '))

/** Parts of the report, in order. */
export const peersSection = (backfill: BackfillResult, { postgres, postgresSettings, ours, results }: PeersResult): string[] => {
  const ran = results.flatMap(({ name, figure }) => (figure === undefined ? [] : [{ name, figure }]))
  const oursRate = totalOf(ours) / backfill.seconds
  const millions = totalOf(ours) / 1e6
  return [
    '## Beside other indexers',
    `Rows persisted per second in the tables that both sides have (blocks, transactions, logs, ERC-20 transfers), from the same node, one after another, each with an empty database. Ours is the whole backfill above, from the order until all five stages had ended; what else it wrote in that time (movements of other kinds, swaps, prices, labels, address tables, sums by hour, chunks, alerts) is not counted. A peer's clock runs from its first request to the node until its last row could be read. Peers keep no USD values, labels or aggregates here. CPU taken by others is the share of the machine that went to processes which do not belong to the bench: figures taken at different shares, or at large ones, say little about each other; CPU-seconds for each million rows depend on it less.`,
    chart([['Hydrophone', oursRate], ...ran.map(({ name, figure }) => [name, rate(figure)] as const)], 'rows/s'),
    table(['', 'blocks', 'seconds', 'blocks/s', 'rows/s', 'ours is faster by', 'CPU taken by others'], [
      ['Hydrophone', backfill.blocks, backfill.seconds.toFixed(1), (backfill.blocks / backfill.seconds).toFixed(0), oursRate.toFixed(0), '', percent(backfill.othersShare)],
      ...ran.map(({ name, figure }) => [name, figure.blocks, figure.seconds.toFixed(1), (figure.blocks / figure.seconds).toFixed(0), rate(figure).toFixed(0), (oursRate / rate(figure)).toFixed(2), percent(figure.othersShare)]),
    ]),
    table(['rows', ...countedTables, 'rows and sum of amounts'], [['Hydrophone', ...counts(ours), ''], ...ran.map(({ name, figure }) => [name, ...counts(figure.persisted), verdict(figure)])]),
    table(['', 'CPU-seconds of the indexer', 'of its stores', 'for each million rows', 'peak of the indexer'], [
      ['Hydrophone', (backfill.cpu['worker'] ?? 0).toFixed(1), ((backfill.cpu['clickhouse'] ?? 0) + (backfill.cpu['redis'] ?? 0)).toFixed(1), (((backfill.cpu['worker'] ?? 0) + (backfill.cpu['clickhouse'] ?? 0) + (backfill.cpu['redis'] ?? 0)) / millions).toFixed(1), `${(backfill.workerPeak / 2 ** 20).toFixed(0)} MiB`],
      ...ran.map(({ name, figure }) => [name, figure.cpu.peer.toFixed(1), figure.cpu.postgres.toFixed(1), ((figure.cpu.peer + figure.cpu.postgres) / totalOf(figure.persisted) * 1e6).toFixed(1), `${(figure.peak / 2 ** 20).toFixed(0)} MiB`]),
    ]),
    [
      `How they were set: Node ${process.versions.node}, node, peer and store on the same cores, no added latency.`,
      ...results.map(({ name, settings, failure }) => `- ${name}: ${settings}.${failure === undefined ? '' : ` **Not measured**: ${failure.trim().replace(/\s+/g, ' ')}`}`),
      `- Postgres ${postgres}: ${postgresSettings}; primary keys only, no other index.`,
    ].join('\n'),
  ]
}
