/** `npm run bench -- [--only backfill,tip,rest,history,bitcoin,bitcoin-history,clusters,screening,hyperliquid] [--blocks N] [--transfers N] [--btc-blocks N] [--outputs N] [--addresses N] [--fills N] [--peers]`: measures, prints the bars, writes bench/RESULTS.md (not when --only leaves something out). */
import { closeSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { messageOf } from '../../schemas/errors.js'
import { parts, readArguments } from './arguments.js'
import { benchBackfill } from './backfill.js'
import { endAll, endOnSignals } from './begun.js'
import { benchBitcoin } from './bitcoin/bitcoin.js'
import { benchBitcoinHistory } from './bitcoinHistory/bitcoinHistory.js'
import { benchClusters } from './clusters/clusters.js'
import { benchHistory } from './history/history.js'
import { benchLive } from './live.js'
import { benchHyperliquid } from './hyperliquid/hyperliquid.js'
import { hasPostgres } from './peers/postgres.js'
import { preparePeers } from './peers/prepare.js'
import { barsOf, report, type Results } from './report.js'
import { benchScreening } from './screening/screening.js'

const say = (text: string): void => { process.stdout.write(`${text}\n`) }
/** What is wrong with the order or the machine is said in words, without a stack. */
const orEnd = <Value>(make: () => Value): Value => {
  try { return make() } catch (thrown) { process.stderr.write(`${messageOf(thrown)}\n`); process.exit(1) }
}
const { wanted, blocks, tipBlocks, rounds, transfers, btcBlocks, outputs, addresses, fills, peers, out: given } = orEnd(() => readArguments(process.argv.slice(2)))

endOnSignals(say)
const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ')
// What they need is fetched first: a run of minutes must not end in a missing program.
const prepared = peers ? orEnd(() => preparePeers(say)) : undefined
// Nor in a file that cannot be written.
if (given !== undefined) orEnd(() => { closeSync(openSync(given, 'a')) })

const measure = async (): Promise<void> => {
  const backfill = wanted.has('backfill') ? await benchBackfill(blocks, say, prepared) : undefined
  const live = wanted.has('tip') || wanted.has('rest') ? await benchLive(wanted, tipBlocks, rounds, say) : undefined
  const history = wanted.has('history') ? await benchHistory(transfers, hasPostgres(), say) : undefined
  const bitcoin = wanted.has('bitcoin') ? await benchBitcoin(btcBlocks, tipBlocks, say) : undefined
  const bitcoinHistory = wanted.has('bitcoin-history') ? await benchBitcoinHistory(outputs, say) : undefined
  const clusters = wanted.has('clusters') ? await benchClusters(addresses, say) : undefined
  const screening = wanted.has('screening') ? await benchScreening(say) : undefined
  const hyperliquid = wanted.has('hyperliquid') ? await benchHyperliquid(fills, say) : undefined
  const results: Results = { command, ...(backfill === undefined ? {} : { backfill }), ...(live === undefined ? {} : { live }), ...(history === undefined ? {} : { history }), ...(bitcoin === undefined ? {} : { bitcoin }), ...(bitcoinHistory === undefined ? {} : { bitcoinHistory }), ...(clusters === undefined ? {} : { clusters }), ...(screening === undefined ? {} : { screening }), ...(hyperliquid === undefined ? {} : { hyperliquid }) }
  for (const { bar, figure, met } of barsOf(results)) say(`${met ? 'met    ' : 'NOT MET'}  ${bar}: ${figure}`)
  const whole = parts.every((name) => wanted.has(name))
  const out = given ?? (whole ? new URL('../../bench/RESULTS.md', import.meta.url) : undefined)
  if (out !== undefined) {
    mkdirSync(new URL('../../bench/', import.meta.url), { recursive: true })
    writeFileSync(out, report(results))
    say(`written: ${given ?? 'bench/RESULTS.md'}`)
  } else say(report(results))
}
// What fails may leave servers that nobody else ends.
try { await measure() } catch (thrown) {
  process.stderr.write(`${messageOf(thrown)}\n`)
  process.exitCode = 1
} finally { await endAll() }
