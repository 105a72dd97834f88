/** What was measured, in words: bars with figure and verdict, tables, and how to repeat it. */
import { cpus, tmpdir, totalmem } from 'node:os'
import type { BackfillResult } from './backfill.js'
import type { BitcoinResult } from './bitcoin/bitcoin.js'
import { bitcoinBars, bitcoinSection } from './bitcoin/report.js'
import type { BitcoinHistoryResult } from './bitcoinHistory/bitcoinHistory.js'
import { bitcoinHistoryBars, bitcoinHistorySection } from './bitcoinHistory/report.js'
import type { ClusterResult } from './clusters/clusters.js'
import { clusterBars, clusterSection } from './clusters/report.js'
import { dataSets } from './dataSets.js'
import { fileSystemOf } from './fileSystem.js'
import type { HistoryResult } from './history/history.js'
import { historyBars, historySection } from './history/report.js'
import type { HyperliquidResult } from './hyperliquid/hyperliquid.js'
import { hyperliquidBars, hyperliquidSection } from './hyperliquid/report.js'
import type { LiveResult } from './live.js'
import { chart, table } from './markdown.js'
import { peersBar, peersSection } from './peers/report.js'
import type { RestResult } from './rest.js'
import { screeningBarsOf, screeningSection } from './screening/report.js'
import type { ScreeningResult } from './screening/screening.js'
import { askMs, paceSeconds, pollMs } from './tip.js'

export interface Results { readonly backfill?: BackfillResult; readonly live?: LiveResult; readonly history?: HistoryResult; readonly bitcoin?: BitcoinResult; readonly bitcoinHistory?: BitcoinHistoryResult; readonly clusters?: ClusterResult; readonly screening?: ScreeningResult; readonly hyperliquid?: HyperliquidResult; readonly command: string }
interface Bar { readonly bar: string; readonly figure: string; readonly met: boolean }

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`

const restBars = ({ figures, made, twins, connections }: RestResult): Bar[] => {
  const slowest = Math.max(...figures.map(({ p99 }) => p99))
  return [
    { bar: `the same at ${connections} connections: p99 under 50 ms`, figure: `${slowest.toFixed(0)} ms`, met: slowest < 50 },
    ...made.map(({ name, rate }) => ({ bar: `${name}: at least 300 requests/s`, figure: `${rate.toFixed(0)} requests/s`, met: rate >= 300 })),
    { bar: 'MCP tools/call within 2 ms of the same question over REST, medians', figure: `${(twins.mcp - twins.rest).toFixed(2)} ms`, met: twins.mcp - twins.rest <= 2 },
  ]
}

/** The bars the run touched, in order; resident sizes are judged in megabytes of 10^6 bytes. */
export const barsOf = ({ backfill, live, history, bitcoin, bitcoinHistory, clusters, screening, hyperliquid }: Results): Bar[] => {
  const bars: Bar[] = []
  if (backfill !== undefined) {
    const rate = backfill.blocks / backfill.seconds, share = backfill.limitSeconds / backfill.seconds
    bars.push(
      { bar: 'backfill: at least 100 blocks/s sustained through all five stages', figure: `${rate.toFixed(0)} blocks/s`, met: rate >= 100 },
      { bar: 'backfill: at least half of the bare limit of the same run', figure: `${share.toFixed(2)} of ${(backfill.blocks / backfill.limitSeconds).toFixed(0)} blocks/s`, met: share >= 0.5 },
      ...[peersBar(backfill)].filter((bar) => bar !== undefined),
      { bar: 'memory during the backfill: API process under 200 MB', figure: mebibytes(backfill.apiPeak), met: backfill.apiPeak < 200e6 },
      { bar: 'memory during the backfill: worker under 300 MB', figure: mebibytes(backfill.workerPeak), met: backfill.workerPeak < 300e6 },
    )
  }
  if (live?.tip !== undefined) bars.push({ bar: 'tip: node has a block → /v1/feed/block answers with it, p95 under 500 ms', figure: `${live.tip.feed[1].toFixed(0)} ms`, met: live.tip.feed[1] < 500 })
  for (const { name, api, koa } of live?.rest?.figures ?? []) {
    bars.push({ bar: `${name}: at least a third of bare Koa`, figure: `${(api / koa).toFixed(2)} (${api.toFixed(0)} of ${koa.toFixed(0)} requests/s)`, met: api / koa >= 1 / 3 })
  }
  if (live?.rest !== undefined) bars.push(...restBars(live.rest))
  if (history !== undefined) bars.push(...historyBars(history))
  if (clusters !== undefined) bars.push(...clusterBars(clusters))
  if (screening !== undefined) bars.push(...screeningBarsOf(screening))
  if (bitcoin !== undefined) bars.push(...bitcoinBars(bitcoin))
  if (bitcoinHistory !== undefined) bars.push(...bitcoinHistoryBars(bitcoinHistory))
  if (hyperliquid !== undefined) bars.push(...hyperliquidBars(hyperliquid))
  return bars
}

export const report = (results: Results): string => {
  const { backfill, live, history, bitcoin, bitcoinHistory, clusters, screening, hyperliquid } = results
  const parts = [
    '# Results of `npm run bench`',
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.versions.node}, ClickHouse ${backfill?.clickhouse ?? live?.clickhouse ?? bitcoin?.clickhouse ?? bitcoinHistory?.clickhouse ?? hyperliquid?.clickhouse ?? history?.clickhouse ?? ''}.\nNode, pipeline, API, ClickHouse, Redis and the client share these cores. The stores stand on ${fileSystemOf(tmpdir())} (\`TMPDIR\`).`,
    '## Bars', table(['bar', 'figure', ''], barsOf(results).map(({ bar, figure, met }) => [bar, figure, met ? 'met' : '**not met**'])),
  ]
  if (backfill !== undefined) {
    const cpu = Object.entries(backfill.cpu)
    parts.push('## Backfill', `${backfill.blocks} blocks, ${backfill.megabytes.toFixed(0)} MB of JSON, from the order to the last block's last stage: ${backfill.seconds.toFixed(1)} s. Bare limit (the same bytes streamed into ClickHouse with one decode into ${backfill.limitRows} logs, no queue, nothing checked): ${backfill.limitSeconds.toFixed(1)} s.`,
      chart([['bare limit', backfill.blocks / backfill.limitSeconds], ['five stages', backfill.blocks / backfill.seconds]], 'blocks/s'),
      table(['process', 'CPU-seconds', 'ms per block'], cpu.map(([name, seconds]) => [name, seconds.toFixed(1), (seconds * 1_000 / backfill.blocks).toFixed(2)])),
      table(['stage', 'batches', 'mean ms of a batch'], backfill.stages.map(({ stage, batches, milliseconds }) => [stage, batches, milliseconds.toFixed(0)])),
      table(['table', 'rows'], Object.entries(backfill.rows).map(([name, rows]) => [name, rows])))
    if (backfill.peers !== undefined) parts.push(...peersSection(backfill, backfill.peers))
  }
  if (live?.tip !== undefined) {
    const { tip } = live
    parts.push('## Tip', `${tip.blocks} blocks, each ${paceSeconds} seconds after the last was answered (mainnet makes one every 12); milliseconds since the node had the block. ETH_POLL_MS is ${pollMs} (default 200): the node is the operator's own. The API is asked again ${askMs} ms after each answer, which is in the figures.`,
      table(['until', 'p50', 'p95'], [['/v1/feed/block/ETH/{n} answers 200 with it', tip.feed[0].toFixed(0), tip.feed[1].toFixed(0)], ['its index stage has landed', tip.index[0].toFixed(0), tip.index[1].toFixed(0)]]),
      `Slowest of ${tip.blocks} until answered: ${tip.slowest.toFixed(0)} ms.`)
  }
  if (live?.rest !== undefined) {
    parts.push('## REST', `autocannon, ${live.rest.connections} connections, ${live.rest.rounds} rounds of ${live.rest.seconds} s in turn, medians. Bare Koa: koa and @koa/router, the same bytes from memory, a process of its own. No request was turned away by a limit.`,
      table(['what', 'bytes', 'API requests/s', 'bare Koa requests/s', 'ratio', 'p99 ms'], live.rest.figures.map(({ name, bytes, api, koa, p99 }) => [name, bytes, api.toFixed(0), koa.toFixed(0), (api / koa).toFixed(2), p99.toFixed(0)])),
      `${live.rest.made.map(({ name, rate, p99 }) => `${name}: ${rate.toFixed(0)} requests/s, p99 ${p99.toFixed(0)} ms. `).join('')}One block, one caller, ${live.rest.twins.calls} times in turn: REST ${live.rest.twins.rest.toFixed(2)} ms, MCP tools/call ${live.rest.twins.mcp.toFixed(2)} ms (medians).`)
  }
  if (history !== undefined) parts.push(...historySection(history))
  if (clusters !== undefined) parts.push(...clusterSection(clusters))
  if (screening !== undefined) parts.push(...screeningSection(screening))
  if (bitcoin !== undefined) parts.push(...bitcoinSection(bitcoin))
  if (bitcoinHistory !== undefined) parts.push(...bitcoinHistorySection(bitcoinHistory))
  if (hyperliquid !== undefined) parts.push(...hyperliquidSection(hyperliquid))
  parts.push('## Data set and how to repeat', ...dataSets(results), `\`${results.command}\``)
  return `${parts.join('\n\n')}\n`
}
