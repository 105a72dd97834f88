/** What the bench of Bitcoin found, in words. */
import { fullBlocks } from '../../replay-node/bitcoin/relinked.js'
import { chart, table } from '../markdown.js'
import { askMs, paceSeconds } from '../tip.js'
import type { BitcoinResult } from './bitcoin.js'

export const bitcoinBars = ({ blocks, seconds, limitSeconds, tip }: BitcoinResult): { readonly bar: string; readonly figure: string; readonly met: boolean }[] => [
  { bar: 'bitcoin: at least 10 full blocks/s sustained through all five stages', figure: `${(blocks / seconds).toFixed(1)} blocks/s`, met: blocks / seconds >= 10 },
  { bar: 'bitcoin: at least a quarter of the bare limit of the same run', figure: `${(limitSeconds / seconds).toFixed(2)} of ${(blocks / limitSeconds).toFixed(1)} blocks/s`, met: limitSeconds / seconds >= 0.25 },
  { bar: 'bitcoin: node has a block → /v1/feed/block answers with it, p95 under 500 ms', figure: `${tip.feed[1].toFixed(0)} ms`, met: tip.feed[1] < 500 },
]

export const bitcoinSection = (result: BitcoinResult): readonly string[] => {
  const { blocks, seconds, quiet, limits, limitSeconds, limitRows, megabytes, cpu, stages, rows, tip, workerPeak, othersShare } = result
  return [
    '## Bitcoin', `${blocks} full blocks (recorded ones of ${fullBlocks.join(' and ')}, each transaction given a hash of its own and headers linked anew), ${megabytes.toFixed(0)} MB with the outputs they spend, by REST. From the order to the last block's last stage: ${seconds.toFixed(1)} s; every hash is checked but the proof of work, which copies cannot have. Bare limit (the same bytes decoded in one process and streamed into ClickHouse as ${limitRows} outputs, nothing checked): ${limitSeconds.toFixed(1)} s, the mean of before and after (${limits.map((one) => one.toFixed(1)).join(' and ')} blocks/s). The worker held ${(workerPeak / 2 ** 20).toFixed(0)} MiB at most; ${(othersShare * 100).toFixed(0)} % of the machine went to processes that are none of the bench's.`,
    chart([['bare limit', blocks / limitSeconds], ['five stages', blocks / seconds]], 'blocks/s'),
    table(['process', 'CPU-seconds', 'ms per block'], Object.entries(cpu).map(([name, used]) => [name, used.toFixed(1), (used * 1_000 / blocks).toFixed(1)])),
    table(['stage', 'batches', 'mean ms of a batch'], stages.map(({ stage, batches, milliseconds }) => [stage, batches, milliseconds.toFixed(0)])),
    table(['table', 'rows'], Object.entries(rows).map(([name, count]) => [name, count])),
    `Tip, ${quiet ? 'once merges and clusters of the backfill were done' : 'on a machine that did not become quiet before'}: ${tip.blocks} blocks, each ${paceSeconds} seconds after the last was answered (mainnet makes one every 600), announced over ZeroMQ as Bitcoin Core does (the head is polled beside that as by default); the API is asked again ${askMs} ms after each answer, which is in the figures.`,
    table(['until', 'p50', 'p95'], [['/v1/feed/block/BTC/{n} answers 200 with it', tip.feed[0].toFixed(0), tip.feed[1].toFixed(0)], ['its index stage has landed', tip.index[0].toFixed(0), tip.index[1].toFixed(0)]]),
  ]
}
