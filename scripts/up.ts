/** `npm run up`: the whole service on this machine, from nothing. `--no-demo`: without the bundled blocks; `--once`: play them, then stop. */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { networkOf } from '../schemas/bitcoinNetworks.js'
import { openStore } from '../schemas/clickhouse.js'
import { parseOptions, told } from '../schemas/command.js'
import { parseConfig, type Config } from '../schemas/config.js'
import { messageOf } from '../schemas/errors.js'
import { migrate } from '../schemas/migrations.js'
import { openPipelineControl } from '../workers/control.js'
import { recordedAccounts, recordedCoins } from './replay-node/hyperliquid/recorded.js'
import { startVenue } from './replay-node/hyperliquid/server.js'
import { freePortFrom } from './embedded/ports.js'
import { giveAdminKey } from './up/adminKey.js'
import { checkDisk, checkPort, checkRedis } from './up/checks.js'
import { childEnvironment, startChild } from './up/children.js'
import { demos, wantDemo, watchDemo, type Demo } from './up/demo.js'
import { watchDisk } from './up/disk.js'
import { startErrand } from './up/errand.js'
import { keep, type Starter } from './up/keep.js'
import { leave } from './up/leave.js'
import { localKey } from './up/localKey.js'
import { takeLock } from './up/lock.js'
import { wantMarket } from './up/market.js'
import { standingStill } from './up/ordered.js'
import { followedState, openScreen, summary } from './up/screen.js'
import { openStores } from './up/stores.js'

const screen = openScreen(process.stdout)
/** What to stop, last started first. */
const open: { name: string; stop: () => Promise<unknown> | void }[] = []

let stop: (reason: string, code: number) => void = () => undefined
const stopping = new AbortController()
const stopped = new Promise<{ reason: string; code: number }>((settle) => { stop = (reason, code) => { stopping.abort(); settle({ reason, code }) } })
class Stopped extends Error {}
/** Throws once a stop is under way: what would be started now, nobody would stop. */
const goOn = (): void => { if (stopping.signal.aborted) throw new Stopped() }

/** Has `end` called by the stop, and ends this start if that is under way. */
const opened = (name: string, end: () => Promise<unknown> | void): void => { open.push({ name, stop: end }); goOn() }

/** Milliseconds for which a stop waits for what should not be broken off: a store may be silent. */
const wholeMs = 10_000
/** What a stop waits for. Nothing else of a start is: all of it is done again, or gone on with, by the next one. */
const whole = async <Value>(work: Promise<Value>): Promise<Value> => {
  opened('', () => Promise.race([work.catch(() => undefined), sleep(wholeMs)]))
  const value = await work
  goOn()
  return value
}

/** A host as this machine's own programs write it in a URL. */
const nearby = (host: string): string => (host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host)

const answers = async (url: string): Promise<boolean> => { try { return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok } catch { return false } }

/** Notes something of `name` in the lock; what cannot be noted, as on a full disk, runs and is stopped all the same. */
const noted = (name: string, write: () => void): void => { try { write() } catch (thrown) { screen.say(`${name} cannot be noted: ${messageOf(thrown)}`) } }

const start = async (config: Config, flags: { demo: boolean; once: boolean }): Promise<void> => {
  // What the worker refuses is refused here: each of its starts would end at once, and the screen say that all is up.
  if (flags.demo || config.BTC_RPC_URL !== undefined) networkOf(config.BTC_GENESIS)
  const dataDir = resolve(config.DATA_DIR)
  checkDisk(dataDir)
  const lock = await takeLock(dataDir, screen.say)
  opened('', () => { lock.release() })
  opened('', watchDisk(dataDir, screen.say))
  // After the lock: an API that a killed run left behind has gone by now.
  await checkPort(config)
  const hooks = { say: screen.say, giveUp: (reason: string) => { stop(`Giving up: ${reason}. See ${dataDir}/logs.`, 1) }, note: lock.note }
  const kept = async (name: string, begin: Starter): Promise<void> => {
    goOn()
    screen.progress(`starting ${name} …`)
    const part = keep(name, begin, hooks)
    opened(name, part.stop)
    await part.started
  }

  if (config.REDIS_URL !== undefined) await checkRedis(config.REDIS_URL, screen.say)
  const stores = await openStores(config, dataDir, kept), clickhouseUrl = stores.clickhouse.url, redisUrl = stores.redis.url
  screen.progress('preparing the database …')
  const applied = await whole(migrate(clickhouseUrl, config.CLICKHOUSE_DATABASE, stopping.signal))
  const store = openStore(clickhouseUrl, config.CLICKHOUSE_DATABASE)
  opened('', () => store.close())
  screen.say(`Stores are up; ${applied.length === 0 ? 'the schema is up to date' : `${applied.length} migrations applied`}.`)
  screen.progress('loading registers …')
  const registers = startErrand('Loading the registers', 'scripts/up/registers-process.ts', childEnvironment(process.env, { CLICKHOUSE_URL: clickhouseUrl }), {
    spawned: (pid) => { noted('the registers', () => { lock.note('the registers', pid) }) }, over: () => { noted('the registers', () => { lock.forget('the registers') }) },
  })
  opened('the registers', registers.stop)
  screen.say(await registers.done)
  goOn()
  // At once: a start that is stopped before its last screen has made the key all the same.
  await whole(giveAdminKey(store, 'up', screen.say))
  const control = openPipelineControl(store, redisUrl, config.QUEUE_PREFIX)
  opened('', () => control.close())

  const settings: Record<string, string> = { CLICKHOUSE_URL: clickhouseUrl, REDIS_URL: redisUrl, DATA_DIR: dataDir, NODE_ENV: 'production' }
  const played: Demo[] = []
  for (const demo of demos) {
    if (flags.demo && config[demo.nodes] === undefined) {
      const node = await demo.replay()
      opened(`the replay of recorded ${demo.name} blocks`, () => node.close())
      settings[demo.nodes] = node.url
      await wantDemo(store, control, demo)
      played.push(demo)
    }
  }
  const venueGiven = config.HL_API_URL !== undefined || config.HL_FILES_DIR !== undefined
  if (flags.demo && !venueGiven) {
    // It speaks once: what is said again and again would look like news.
    const venue = await startVenue({ everyMs: 86_400_000 })
    opened('the replay of recorded answers of Hyperliquid', () => venue.close())
    screen.progress('making a market of Hyperliquid …')
    const fills = await wantMarket(store, Date.now(), whole)
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
  let state = followedState(followed.map(({ name }) => name), venueGiven)
  let complete = true
  if (played.length > 0) {
    const what = played.map(({ name, heights }) => `${heights.length} recorded ${name} blocks`).join(' and ')
    screen.say(`Playing ${what} through the pipeline.`)
    // What stands still by order is not waited for.
    complete = still === null && await watchDemo(store, control, played, screen.progress, () => stopping.signal.aborted)
    state = complete
      ? `${what} went through all five stages. Set ${played.map(({ nodes }) => nodes).join(' or ')} to listen to the chain itself.${followed.length === 0 && !venueGiven ? '' : ` ${state}`}`
      : still !== null ? 'The recorded blocks wait.' : `The recorded blocks did not all come through: see ${dataDir}/logs/worker.log and GET ${url}/v1/pipeline/status.`
  }
  goOn()
  screen.say(summary(url, await localKey(url, dataDir), state, stores, works ? `http://${nearby(measured.HOST)}:${measured.METRICS_PORT}/metrics` : null))
  if (flags.once) stop('', complete ? 0 : 1)
  else screen.say('Ctrl-C stops it; what it knows stays in the data directory.')
}

const stopAll = async (): Promise<void> => {
  // One by one: what was on its way to `open` when the stop came is found, too.
  for (let last = open.pop(); last !== undefined; last = open.pop()) {
    const { name, stop: end } = last
    if (name !== '') screen.progress(`stopping ${name} …`)
    try { await end() } catch (thrown) { screen.say(`${name}: ${messageOf(thrown)}`) }
  }
}

// A terminal that closed, or a reader of the output that ended, takes nothing but the output away: whoever stops the service sends a signal.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
// Whatever goes wrong in here, what was started is stopped.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, (thrown: unknown) => { stop(`Giving up: ${told(thrown)}`, 1) })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => { if (!stopping.signal.aborted) screen.say('Stopping …'); stop('', 0) })
let outcome = { reason: '', code: 0 }
try {
  const { values } = parseOptions('npm run up [-- --no-demo] [--once]', { demo: { type: 'boolean', default: true }, once: { type: 'boolean', default: false } })
  // A stop does not wait for the rest of a start: what was begun is in `open`, and the start finds itself cut off.
  outcome = await Promise.race([stopped, start(parseConfig(process.env), values).then(() => stopped)])
} catch (thrown) {
  outcome = stopping.signal.aborted ? await stopped : { reason: told(thrown), code: 1 }
}
await stopAll()
if (outcome.reason !== '') process.stderr.write(`${outcome.reason}\n`)
else screen.say('Stopped.')
leave(outcome.code)
