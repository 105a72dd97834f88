/** What `up` shows: one updating line while it works on a terminal, lines elsewhere; at the end, what to do next. */
import type { OpenStore } from './stores.js'

export interface Screen {
  /** A line that stays. */
  say(line: string): void
  /** A line the next one replaces (elsewhere than on a terminal: one every few seconds). */
  progress(line: string): void
}

export const openScreen = (out: { isTTY?: boolean; columns?: number; write(text: string): unknown }, everyMs = 3_000): Screen => {
  let open = false
  let last = 0
  let shown = ''
  const clear = '\r\u001b[2K'
  return {
    say: (line) => {
      out.write(`${open ? clear : ''}${line}\n`)
      open = false
    },
    progress: (line) => {
      if (out.isTTY === true) {
        out.write(`${clear}${line.slice(0, (out.columns ?? 80) - 1)}`)
        open = true
      } else if (line !== shown && Date.now() - last >= everyMs) {
        out.write(`${line}\n`)
        shown = line
        last = Date.now()
      }
    },
  }
}

/** A URL without its password, a path that is a secret (an embedded server's is) and what is asked in it: they are the operator's own to know. */
const masked = (url: string): string => {
  const shown = new URL(url)
  if (shown.password !== '') shown.password = '***'
  shown.pathname = shown.pathname.replace(/[^/]{12,}/g, '***')
  if (shown.search !== '') shown.search = '?***'
  return shown.href.replace(/\/$/, '')
}

/** A store's URL as a shell takes it: out of its file, or as the operator gave it. */
const named = ({ url, file }: OpenStore): string => (file === null ? masked(url) : `"$(cat '${file.replaceAll("'", "'\\''")}')"`)

/** What is listened to: chains by name on nodes of the operator's, and the perps venue, which is there for everybody. */
export const followedState = (chains: readonly string[], venue: boolean): string =>
  chains.length === 0 && !venue ? 'No node is set: give ETH_RPC_URL, BTC_RPC_URL, HL_API_URL or HL_FILES_DIR to listen to a chain.'
    : `It ${[...(chains.length === 0 ? [] : [`follows ${chains.join(' and ')} on your nodes`]), ...(venue ? ['listens to Hyperliquid'] : [])].join(' and ')}.`

/** The screen at the end; `key` is the one the printed commands use (null: there is none yet), `workerMetrics` where the worker tells Prometheus of the pipeline (null: none runs). */
export const summary = (url: string, own: string | null, state: string, stores: { clickhouse: OpenStore; redis: OpenStore }, workerMetrics: string | null): string => {
  const key = own ?? 'YOUR_KEY'
  const mcp = { mcpServers: { hydrophone: { type: 'http', url: `${url}/mcp`, headers: { 'X-API-Key': key } } } }
  return `
Hydrophone is up. ${state}

  API        ${url}/v1
  Queues     ${url}/admin/queues   (any name, the admin key as password)
  MCP        ${url}/mcp
  Reference  ${url}/redoc   (${url}/openapi.json)
  Metrics    ${url}/metrics   (requests)${workerMetrics === null ? '' : `
             ${workerMetrics}   (stages and BullMQ's queues)`}
  Stores     CLICKHOUSE_URL=${named(stores.clickhouse)} REDIS_URL=${named(stores.redis)}   (for digest, replay, backfill)

Try it:${own === null ? `
  curl -s -X POST '${url}/v1/keys'   (gives a key; the API gave none to this start)` : ''}
  curl -s -H 'X-API-Key: ${key}' '${url}/v1/blocks/latest?chain=ETH'

An MCP client's configuration:
${JSON.stringify(mcp, null, 2).replace(/^/gm, '  ')}
`
}
