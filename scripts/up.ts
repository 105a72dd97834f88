/** `npm run up`: the whole service on this machine, from nothing. `--no-demo`: without the bundled blocks; `--once`: play them, then stop. */
import { resolve } from 'node:path'
import { openKeys } from '../api/keys.js'
import { openStore } from '../schemas/clickhouse.js'
import { parseOptions, told } from '../schemas/command.js'
import { parseConfig, type Config } from '../schemas/config.js'
import { messageOf } from '../schemas/errors.js'
import { migrate } from '../schemas/migrations.js'
import { openPipelineControl } from '../workers/control.js'
import { recordedAccounts, recordedCoins } from './replay-node/hyperliquid/recorded.js'
import { startVenue } from './replay-node/hyperliquid/server.js'
import { freePortFrom } from './embedded/ports.js'
import { checkDisk, checkPort, checkRedis } from './up/checks.js'
import { childEnvironment, startChild } from './up/children.js'
import { demos, wantDemo, wantHead, watchDemo, type Demo } from './up/demo.js'
import { watchDisk } from './up/disk.js'
import { keep, type Starter } from './up/keep.js'
import { localKey } from './up/localKey.js'
import { takeLock } from './up/lock.js'
import { wantMarket } from './up/market.js'
import { standingStill } from './up/ordered.js'
import { registersInto } from './up/registers.js'
import { openScreen, summary } from './up/screen.js'
import { openStores } from './up/stores.js'

const screen = openScreen(process.stdout)
/** What to stop, last started first. */
const open: { name: string; stop: () => Promise<unknown> | void }[] = []

let stop: (reason: string, code: number) => void = () => undefined
let stopping = false
const stopped = new Promise<{ reason: string; code: number }>((settle) => { stop = (reason, code) => { stopping = true; settle({ reason, code }) } })
class Stopped extends Error {}

/** A host as this machine's own programs write it in a URL. */
const nearby = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host)

const answers = async (url: string): Promise<boolean> => { try { return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok } catch { return false } }

const start = async (config: Config, flags: { demo: boolean; once: boolean }): Promise<void> => {
  const dataDir = resolve(config.DATA_DIR)
  checkDisk(dataDir)
  const lock = await takeLock(dataDir, screen.say)
  open.push({ name: '', stop: () => { lock.release() } })
  open.push({ name: '', stop: watchDisk(dataDir, screen.say) })
  // After the lock: an API that a killed run left behind has gone by now.
  await checkPort(config)
  const hooks = { say: screen.say, giveUp: (reason: string) => { stop(`Giving up: ${reason}. See ${dataDir}/logs.`, 1) }, note: lock.note }
  const kept = async (name: string, begin: Starter): Promise<void> => {
    if (stopping) throw new Stopped()
    screen.progress(`starting ${name} …`)
    const part = keep(name, begin, hooks)
    open.push({ name, stop: part.stop })
    await part.started
  }

  if (config.REDIS_URL !== undefined) await checkRedis(config.REDIS_URL, screen.say)
  const stores = await openStores(config, dataDir, kept), clickhouseUrl = stores.clickhouse.url, redisUrl = stores.redis.url
  screen.progress('preparing the database …')
  const applied = await migrate(clickhouseUrl, config.CLICKHOUSE_DATABASE)
  const store = openStore(clickhouseUrl, config.CLICKHOUSE_DATABASE)
  open.push({ name: '', stop: () => store.close() })
  screen.say(`Stores are up; ${applied.length === 0 ? 'the schema is up to date' : `${applied.length} migrations applied`}.`)
  screen.progress('loading registers …')
  screen.say(await registersInto(store))
  const adminKey = await openKeys(store, store).ensureAdminKey()
  // At once: a start that is stopped before its last screen has made the key all the same.
  if (adminKey !== null) screen.say(`Admin key  ${adminKey}   (shown this once: keep it)`)
  const control = openPipelineControl(store, redisUrl, config.QUEUE_PREFIX)
  open.push({ name: '', stop: () => control.close() })

  const settings: Record<string, string> = { CLICKHOUSE_URL: clickhouseUrl, REDIS_URL: redisUrl, DATA_DIR: dataDir, NODE_ENV: 'production' }
  const played: Demo[] = []
  for (const demo of demos) {
    const urls = config[demo.nodes]
    if (urls !== undefined) await wantHead(store, demo, urls, config[demo.start])
    else if (flags.demo) {
      const node = await demo.replay()
      open.push({ name: `the replay of recorded ${demo.name} blocks`, stop: () => node.close() })
      settings[demo.nodes] = node.url
      await wantDemo(store, control, demo)
      played.push(demo)
    }
  }
  const venueGiven = config.HL_API_URL !== undefined || config.HL_FILES_DIR !== undefined
  if (flags.demo && !venueGiven) {
    // It speaks once: what is said again and again would look like news.
    const venue = await startVenue({ everyMs: 86_400_000 })
    open.push({ name: 'the replay of recorded answers of Hyperliquid', stop: () => venue.close() })
    screen.progress('making a market of Hyperliquid …')
    const fills = await wantMarket(store)
    if (fills > 0) screen.say(`Beside recorded answers of Hyperliquid there is a made market of ${fills} fills: its coins are named SYN-…, its accounts begin with 0x53594e54.`)
    Object.assign(settings, { HL_API_URL: venue.url, HL_LEADERBOARD_URL: venue.leaderboardUrl, HL_COINS: recordedCoins().join(','), HL_BOOK_COINS: recordedCoins().join(','), HL_ACCOUNTS: recordedAccounts().join(',') })
  }
  const followed = demos.filter((demo) => config[demo.nodes] !== undefined)
  const graceMs = (config.SHUTDOWN_SECONDS + 5) * 1_000
  const environment = childEnvironment(process.env, settings)
  const works = flags.demo || venueGiven || played.length + followed.length > 0
  const { METRICS_PORT: _, ...apiEnvironment } = environment
  const url = `http://${nearby(config.HOST)}:${config.PORT}`
  // A port that nobody asked for opens on this machine alone: who scrapes it shows no key.
  const measured = config.METRICS_PORT === undefined ? { HOST: '127.0.0.1', METRICS_PORT: String(await freePortFrom(config.PORT + 1)) } : { HOST: config.HOST, METRICS_PORT: String(config.METRICS_PORT) }
  if (works) await kept('the worker', (spawned) => startChild('worker', 'workers/main.ts', dataDir, { ...environment, ...measured }, async () => Promise.resolve(true), graceMs, spawned))
  await kept('the API', (spawned) => startChild('api', 'api/main.ts', dataDir, apiEnvironment, () => answers(`${url}/v1/meta`), graceMs, spawned))

  const still = await standingStill(control, url)
  if (still !== null) screen.say(still)
  let state = followed.length === 0 ? 'No node is set: give ETH_RPC_URL or BTC_RPC_URL to listen to a chain.' : `It follows ${followed.map(({ name }) => name).join(' and ')} on your nodes.`
  let complete = true
  if (played.length > 0) {
    const what = played.map(({ name, heights }) => `${heights.length} recorded ${name} blocks`).join(' and ')
    screen.say(`Playing ${what} through the pipeline.`)
    // What stands still by order is not waited for.
    complete = still === null && await watchDemo(store, control, played, screen.progress, () => stopping)
    state = complete
      ? `${what} went through all five stages. Set ${played.map(({ nodes }) => nodes).join(' or ')} to listen to the chain itself.${followed.length === 0 ? '' : ` ${state}`}`
      : still !== null ? 'The recorded blocks wait.' : `The recorded blocks did not all come through: see ${dataDir}/logs/worker.log and GET ${url}/v1/pipeline/status.`
  }
  if (stopping) throw new Stopped()
  screen.say(summary(url, await localKey(url, dataDir), state, stores, works ? `http://${nearby(measured.HOST)}:${measured.METRICS_PORT}/metrics` : null))
  if (flags.once) stop('', complete ? 0 : 1)
  else screen.say('Ctrl-C stops it; what it knows stays in the data directory.')
}

const stopAll = async (): Promise<void> => {
  for (const { name, stop: end } of open.splice(0).reverse()) {
    if (name !== '') screen.progress(`stopping ${name} …`)
    try { await end() } catch (thrown) { screen.say(`${name}: ${messageOf(thrown)}`) }
  }
}

// A terminal that closed, or a reader of the output that ended, takes nothing but the output away: whoever stops the service sends a signal.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
// Whatever goes wrong in here, what was started is stopped.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, (thrown: unknown) => { stop(`Giving up: ${told(thrown)}`, 1) })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => { if (!stopping) screen.say('Stopping …'); stop('', 0) })
let outcome = { reason: '', code: 0 }
try {
  const { values } = parseOptions('npm run up [-- --no-demo] [--once]', { demo: { type: 'boolean', default: true }, once: { type: 'boolean', default: false } })
  // A stop while something starts waits for that: only what has started can be stopped.
  await start(parseConfig(process.env), values)
  outcome = await stopped
} catch (thrown) {
  outcome = stopping ? await stopped : { reason: told(thrown), code: 1 }
}
await stopAll()
if (outcome.reason !== '') process.stderr.write(`${outcome.reason}\n`)
else screen.say('Stopped.')
process.exit(outcome.code)
