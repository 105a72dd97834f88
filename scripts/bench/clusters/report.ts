/** What clustering took, in words. */
import { table } from '../markdown.js'
import { clusterSeed, type ClusterResult } from './clusters.js'

interface Bar { readonly bar: string; readonly figure: string; readonly met: boolean }

export const clusterBars = ({ known, transactions, seconds, peak }: ClusterResult): Bar[] => [
  { bar: 'clusters: at least 20,000 transactions/s', figure: `${(transactions / seconds).toFixed(0)} transactions/s`, met: transactions / seconds >= 20_000 },
  { bar: 'clusters: under 2 GB with 10 million addresses', figure: `${(peak / 1e9).toFixed(2)} GB with ${(known / 1e6).toFixed(1)} million`, met: peak < 2e9 && known >= 9.9e6 },
]

export const clusterSection = (result: ClusterResult): string[] => [
  '## Clusters', `${result.transactions} transactions with ${result.inputs} inputs, made (seed ${clusterSeed}): wallets of 2 to 1024 addresses, two outputs each, one to a new address. From the first block to the last, read from ClickHouse and written to it, change links and peel chains included: ${result.seconds.toFixed(1)} s, ${(result.others * 100).toFixed(0)} % of the machine's CPU taken by others. A process that starts anew builds all of it from the changelog and does the newest block again in ${result.reloadSeconds.toFixed(1)} s.`,
  table(['addresses in clusters', 'clusters', 'largest', 'rows of the changelog', 'change links', 'CPU-seconds', 'of ClickHouse', 'largest size'], [[
    result.known, result.clusters, result.largest, result.changes, result.links, result.cpu.toFixed(1), result.storeCpu.toFixed(1), `${(result.peak / 1e9).toFixed(2)} GB`]]),
]
