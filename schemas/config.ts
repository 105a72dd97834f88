/** The environment, parsed once. A malformed variable, or an unknown one that begins like ours or is one of ours misspelt, is an error that names it. */
import { z } from 'zod'
import { AppError } from './errors.js'
import { meantBy } from './misspelt.js'

const notWhole = (issue: { code?: string | undefined }): string | undefined => (issue.code === 'invalid_type' ? 'must be a whole number' : undefined)
const port = z.coerce.number({ error: notWhole }).int().min(1).max(65535)
const works = (attempt: () => unknown): boolean => { try { return attempt() !== false } catch { return false } }
const anyUrl = (schemes: string) => z.string().refine((text) => works(() => new RegExp(`^(${schemes}):$`).test(new URL(text).protocol)), { message: `must be a URL (${schemes.replaceAll('|', ' or ')})`, abort: true })
  .refine((text) => works(() => { const { username, password } = new URL(text); decodeURIComponent(`${username}:${password}`) }), { message: 'a % in its user or password is written %25' })
/** Without a number Redis would be asked for no database, and give the first. */
const redisUrl = anyUrl('redis|rediss').refine((text) => works(() => { const { pathname, searchParams } = new URL(text); return /^\/?\d*$/.test(pathname) && /^\d*$/.test(searchParams.get('db') ?? '') }), { message: 'its path must be the number of a database (redis://host:6379/1), or none' })
const urls = (schemes: string) => z.string().transform((text) => text.split(',').map((part) => part.trim()).filter((part) => part !== '')).pipe(z.array(anyUrl(schemes)).min(1).refine((all) => new Set(all.map((url) => (URL.canParse(url) ? new URL(url).href : url))).size === all.length, { message: 'names one of them twice' }))
const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')
const words = (word: z.ZodType<string, string>, most: number) => z.string().transform((text) => [...new Set(text.split(',').map((part) => part.trim()).filter((part) => part !== ''))]).pipe(z.array(word).max(most))
const coinName = z.string().regex(/^[A-Za-z0-9:@/_.-]{1,32}$/, { message: 'must be coins as the venue names them' })
const whole = (min: number, max: number) => z.coerce.number({ error: notWhole }).int().min(min).max(max)

/** Every variable the product reads: name → how it is parsed. README's table is generated from this list's order and texts. */
export const variables = {
  PORT: port.default(8080).describe('Port of the API'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address the API listens on'),
  PUBLIC_URL: anyUrl('http|https').optional().describe('URL under which callers reach the API, used in documents it serves'),
  DATA_DIR: z.string().min(1).default('./data').describe('Where embedded ClickHouse and Redis keep their state'),
  CLICKHOUSE_URL: anyUrl('http|https').optional().describe('ClickHouse server (http://user:password@host:8123); unset: embedded'),
  CLICKHOUSE_DATABASE: z.string().regex(/^[a-z_][a-z0-9_]*$/).default('hydrophone').describe('Database of the service'),
  REDIS_URL: redisUrl.optional().describe('Redis or Valkey (redis://host:6379); unset: one is started'),
  QUEUE_PREFIX: z.string().regex(/^[a-z0-9_-]+$/).default('hydrophone').describe('Prefix of every key in Redis'),
  ETH_RPC_URL: urls('http|https').optional().describe('Ethereum JSON-RPC endpoints, comma separated; unset: recorded blocks are replayed'),
  ETH_CHAIN_ID: whole(1, Number.MAX_SAFE_INTEGER).default(1).describe('Chain id the endpoints must answer with'),
  ETH_START_BLOCK: whole(0, Number.MAX_SAFE_INTEGER).optional().describe('First block to follow from; unset: the head at the first start'),
  ETH_FINALITY: whole(1, 100_000).default(64).describe('Blocks after which a block is final; a deeper reorg stops the chain'),
  ETH_POLL_MS: whole(20, 60_000).default(200).describe('Milliseconds between looks at the head'),
  ETH_MAX_BATCH: whole(1, 512).default(256).describe('Largest batch of a backfill, in blocks'),
  ETH_REQUESTS_PER_SECOND: whole(1, 100_000).default(1_000).describe('Limit of requests per second to each endpoint'),
  ETH_CONCURRENCY: whole(1, 256).default(16).describe('Requests under way at once to each endpoint'),
  ETH_TRACES: z.enum(['auto', 'off']).default('auto').describe('Whether to ask endpoints for traces'),
  BTC_RPC_URL: urls('http|https').optional().describe('Bitcoin Core JSON-RPC endpoints (http://user:password@host:8332), comma separated; unset: recorded blocks are replayed'),
  BTC_GENESIS: z.string().regex(/^[0-9a-f]{64}$/, { message: 'must be the hash of a block, 64 hex digits' }).default('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f').describe('Hash of block 0 the endpoints must answer with'),
  BTC_START_BLOCK: whole(0, Number.MAX_SAFE_INTEGER).optional().describe('First block to follow from; unset: the head at the first start'),
  BTC_FINALITY: whole(1, 100_000).default(6).describe('Blocks after which a block is final; a deeper reorg stops the chain'),
  BTC_POLL_MS: whole(20, 600_000).default(250).describe('Milliseconds between looks at the head'),
  BTC_ZMQ_URL: urls('tcp|ipc').optional().describe('Where nodes publish hashblock over ZeroMQ (tcp://host:28332), comma separated: the head is then looked at as soon as a block is announced; unset: polling alone'),
  BTC_MAX_BATCH: whole(1, 512).default(64).describe('Largest batch of a backfill, in blocks'),
  BTC_REQUESTS_PER_SECOND: whole(1, 100_000).default(1_000).describe('Limit of requests per second to each endpoint'),
  BTC_CONCURRENCY: whole(1, 64).default(8).describe('Requests under way at once to each endpoint'),
  BTC_BLOCKS: z.enum(['auto', 'rest', 'raw', 'json']).default('auto').describe('How blocks are fetched: by REST with their spent outputs, by getblock as bytes, by getblock as JSON; auto: the first of these an endpoint offers'),
  BTC_CHECK_WORK: flag.default(true).describe('Whether a block must show the work its header claims; false only for chains with another proof of work and for benches'),
  HL_API_URL: anyUrl('http|https').optional().describe('REST side of Hyperliquid (https://api.hyperliquid.xyz), without a path; unset: not listened to'),
  HL_WS_URL: anyUrl('ws|wss').optional().describe('Socket of Hyperliquid; unset: /ws beside HL_API_URL'),
  HL_LEADERBOARD_URL: anyUrl('http|https').optional().describe('Leaderboard of Hyperliquid, which another host has (https://stats-data.hyperliquid.xyz/Mainnet/leaderboard): asked for once an hour, 25 MB each time; unset: not asked for'),
  HL_FILES_DIR: z.string().min(1).optional().describe('Folder of a Hyperliquid node\'s node_fills or node_trades, plain or LZ4; unset: none'),
  HL_COINS: words(coinName, 500).default([]).describe('Coins to hear, comma separated; unset: all that the venue lists'),
  HL_BOOK_COINS: words(coinName, 100).default(['BTC', 'ETH', 'SOL', 'XRP', 'HYPE', 'DOGE', 'BNB', 'SUI', 'AVAX', 'LINK']).describe('Coins whose order books are heard, comma separated'),
  HL_ACCOUNTS: words(z.string().regex(/^0x[0-9a-fA-F]{40}$/, { message: 'must be an account, 0x and 40 hex digits' }), 10).default([]).describe('Accounts whose fills, funding and positions are heard, comma separated; the venue lets 10 be followed'),
  HL_TRACK: whole(0, 1_000).default(100).describe('Accounts of the leaderboard, by what they earned over 30 days, whose positions and money are asked for beside those of HL_ACCOUNTS, and the 20 most suspected, with a quarter of HL_WEIGHT_PER_MINUTE at most: of 1200, 150 questions a minute: one of each of them, and where coins of other dexes are heard one more about one of those in turn; 0: none. Whether accounts on lists of traders are vaults is asked in any case, two a round'),
  HL_SEGMENT_MS: whole(20, 60_000).default(100).describe('Milliseconds of what is heard that become one segment; a trade can be asked for once its segment stands'),
  HL_WEIGHT_PER_MINUTE: whole(100, 1_000_000).default(1_200).describe('Weight of REST questions in any minute, as the venue counts it'),
  JOB_LOCK_MS: whole(500, 600_000).default(15_000).describe('Milliseconds after which the job of a worker that died is given to another'),
  JOB_BACKOFF_MS: whole(1, 600_000).default(500).describe('Milliseconds before a job that failed is tried again; doubles with every try'),
  SANCTIONS_EVERY_SECONDS: whole(0, 604_800).default(21_600).describe('Seconds between looks at the official addresses of the sanctions lists, the first soon after the start; 0: never'),
  SANCTIONS_STALE_SECONDS: whole(60, 315_360_000).default(172_800).describe('Seconds after which a sanctions list that was not seen to be current counts as stale: what it does not name is then unknown, not clear'),
  LABELS_EVERY_SECONDS: whole(0, 86_400).default(900).describe('Seconds between looks whether classes of addresses have to be derived anew; 0: never'),
  TRAIN_EVERY_SECONDS: whole(0, 86_400).default(900).describe('Seconds between looks whether there is a new full hour to train predictions on; 0: never'),
  LEADERS_EVERY_SECONDS: whole(0, 604_800).default(3_600).describe('Seconds between looks whether leaderboards have to be computed anew; 0: never'),
  TRADERS_EVERY_SECONDS: whole(0, 86_400).default(30).describe('Seconds between looks whether positions of traders have to be walked and judged anew; 0: never'),
  SIGNALS_EVERY_SECONDS: whole(0, 86_400).default(30).describe('Seconds between looks at the perps market for signals and what became of them; 0: never'),
  CLUSTERS_EVERY_SECONDS: whole(0, 86_400).default(10).describe('Seconds between looks whether there are blocks whose addresses have to be clustered (while a backfill is on, a small chunk a minute); 0: never'),
  CLUSTERS_ADDRESSES: whole(1, 2_000_000_000).default(50_000_000).describe('Addresses of Bitcoin that clusters may hold in memory, 60 to 100 bytes each, in the worker of the index stage; with so many they stand still, which is an incident'),
  REPORT_DAYS_EVERY_SECONDS: whole(0, 86_400).default(600).describe('Seconds between looks whether a day of signed reports is over and gets its Merkle root; 0: never'),
  MONITOR_EVERY_SECONDS: whole(0, 86_400).default(5).describe('Seconds between looks whether something happened to watched addresses; 0: never, and nothing is sent to webhooks'),
  WEBHOOKS_TO_LOOPBACK: flag.default(false).describe('For tests: webhooks may be http on 127.0.0.1'),
  TRUSTED_PROXIES: whole(0, 10).default(0).describe('Proxies in front of the API whose X-Forwarded-For is believed'),
  CORS_ORIGINS: z.string().default('').transform((text) => text.split(',').map((part) => part.trim()).filter((part) => part !== '')).pipe(z.array(anyUrl('http|https'))).transform((all) => [...new Set(all.map((url) => new URL(url).origin))]).describe('Web origins that may call the API from a browser, comma separated; unset: none'),
  INSTANT_KEY_RATE: whole(1, 100_000).default(60).describe('Requests per minute of an instant key'),
  INSTANT_KEY_DAILY: whole(1, 1_000_000_000).default(10_000).describe('Requests per day of an instant key'),
  PUBLIC_RATE: whole(1, 1_000_000).default(600).describe('Requests per minute of a caller without a key, by IP'),
  CURSOR_SECRET: z.string().min(16).optional().describe('Key that signs cursors; unset: made once and kept in the store'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info').describe('Least level that is logged'),
  LOG_TO_STORE: flag.default(true).describe('Whether log lines also land in ClickHouse'),
  METRICS_PORT: port.optional().describe('Port on which a worker serves /metrics, of its stages and of BullMQ; unset: none, and under npm run up a free one of 127.0.0.1, which its screen names'),
  GIT_COMMIT: z.string().regex(/^[0-9a-f]{40}$/, { message: 'must be 40 hex digits' }).optional().describe('Commit the image was built from, told at /attestation; unset: the one checked out'),
  SHUTDOWN_SECONDS: whole(1, 600).default(20).describe('Seconds a process may take to drain after SIGTERM'),
} as const

const shape = z.object(variables)
export type Config = z.infer<typeof shape>

const known = new Set<string>(Object.keys(variables))
/** Beginnings that are ours. LOG_, GIT_, DATA_ and the like are those of other programs too: there only what is one of ours misspelt is an error. */
const ours = /^(ETH|BTC|HL)_|^(CLICKHOUSE|REDIS|QUEUE|CURSOR|INSTANT_KEY|LABELS|LEADERS|REPORT_DAYS|CLUSTERS|MONITOR|WEBHOOKS|TRAIN_|TRADERS_|SIGNALS_|SANCTIONS_|TRUSTED_PROXIES|JOB_|METRICS|SHUTDOWN|CORS|PUBLIC_(URL|RATE)|LOG_(LEVEL|TO_STORE))/

/** Parses `environment`; throws one AppError that names every variable that is wrong and what was expected. */
export const parseConfig = (environment: Readonly<Record<string, string | undefined>>): Config => {
  const given = Object.fromEntries(Object.entries(environment).filter(([name, value]) => known.has(name) && value !== undefined && value !== ''))
  const strangers = Object.keys(environment).filter((name) => !known.has(name)).map((name) => ({ name, meant: meantBy(name, known) })).filter(({ name, meant }) => meant !== undefined || ours.test(name))
  const parsed = shape.safeParse(given)
  const wrong = [
    ...strangers.map(({ name, meant }) => `${name}: not a variable of Hydrophone (${meant === undefined ? `known: ${[...known].filter((other) => other.split('_')[0] === name.split('_')[0]).join(', ') || 'see README'}` : `${meant} is`})`),
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)),
  ]
  if (!parsed.success || wrong.length > 0) throw new AppError('BAD_ENVIRONMENT', `The environment is wrong:\n  ${wrong.join('\n  ')}`, { retry: 'never' })
  return parsed.data
}
