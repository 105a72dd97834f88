import { AppError, unavailable } from '../../schemas/errors.js'
import type { Middleware, Parts } from '../context.js'
import { documents } from '../documents/list.js'
import { basicRefused, keyRefused, usedUp } from '../faults.js'
import { needsKey } from '../invoke.js'
import { keyPrefix } from '../keyFormat.js'
import type { KeyRecord } from '../keys.js'
import { isNearScrape } from '../measurements.js'
import type { Operation, Principal } from '../operation.js'
import { matcher } from '../routes.js'
import { ipOf } from './caller.js'

const principalOf = (record: KeyRecord, ip: string): Principal => ({
  keyId: record.public_id, owner: record.lineage, quota: record.quota, name: record.name, role: record.role, tier: record.tier, scopes: record.scopes, ip, perMinute: record.rate_limit,
  daily: record.daily_cap === 0 ? null : record.daily_cap,
})

/** What HTTP Basic is taken for: a browser sends it unasked with whatever any page makes it send, so it may look at pages for browsers and act nowhere. */
const forBrowsers = (method: string, path: string): boolean => (method === 'GET' || method === 'HEAD') && (path === '/metrics' || path.startsWith('/admin/'))

/** The password of HTTP Basic, by which a browser sends a key; '' when there is none. */
const basicPassword = (authorization: string): string => {
  const encoded = /^Basic +(\S+)$/i.exec(authorization)?.[1]
  return encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8').replace(/^[^:]*:/, '')
}

/** Whether what is asked has one answer for everybody, with a key or without: a document, or a public operation that does not say otherwise (byCaller). */
const openAlike = (operations: readonly Operation[]): ((method: string, path: string) => boolean) => {
  const papers: ReadonlySet<string> = new Set(documents.map(({ path }) => path))
  const find = matcher(operations.map((operation) => { const [method = '', path = ''] = operation.route.split(' '); return { method, path, target: method === 'GET' && !needsKey(operation) && operation.byCaller !== true } }))
  return (method, path) => {
    if (method !== 'GET' && method !== 'HEAD') return false
    if (papers.has(path)) return true
    const found = find('GET', path)
    return found !== null && 'target' in found && found.target
  }
}

/** Milliseconds for which an answer that is everybody's waits to know whose key was given: above those after which Redis, where looks are counted, is given up. */
const lookMs = 1_000
const soon = async <Value>(look: Promise<Value>): Promise<Value> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    // Behind what has come while this process was busy.
    timer = setTimeout(() => { setImmediate(() => { reject(unavailable('ClickHouse', new Error(`no key within ${lookMs} ms`))) }) }, lookMs)
  })
  try { return await Promise.race([look, late]) } finally { clearTimeout(timer) }
}

/** Finds out who calls. Why a key is refused is not thrown here: the caller's address is counted first (rateLimit). */
export const auth = ({ config, services, bearer, operations }: Pick<Parts, 'config' | 'services' | 'bearer' | 'operations'>): Middleware => {
  const isAlike = openAlike(operations)
  const lookFrom = async (ip: string): Promise<void> => {
    const look = await services.limits.take('key_look', ip, config.PUBLIC_RATE, 60)
    if (!look.allowed) throw usedUp(look)
  }
  return async (ctx, next) => {
    const ip = ipOf(ctx, config.TRUSTED_PROXIES)
    ctx.state.principal = { keyId: null, owner: '', quota: ip, name: 'public', role: 'public', tier: 'none', scopes: [], ip, perMinute: config.PUBLIC_RATE, daily: null }
    const { headers } = ctx.req
    const header = String(headers['x-api-key'] ?? '')
    const authorization = headers.authorization ?? ''
    if (header === '' && authorization === '') return next()
    if (header === '' && /^Basic\b/i.test(authorization) && !forBrowsers(ctx.method, ctx.path)) {
      ctx.state.refused = basicRefused()
      return next()
    }
    const given = header !== '' ? header : (/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? basicPassword(authorization))
    const token = header === '' && !given.startsWith(keyPrefix) && bearer !== undefined ? await bearer(given, ip) : null
    let record: KeyRecord | null = null
    const alike = isAlike(ctx.method, ctx.path) || isNearScrape(ctx)
    try {
      // Each made-up key costs a look into the store, so an address gets no more of those than it gets requests without a key.
      const look = token === null ? services.keys.check(given, { from: ip, count: () => lookFrom(ip) }) : null
      record = alike && look !== null ? await soon(look) : await look
    } catch (thrown) {
      // The store cannot tell whose key it is: who needs none for this is answered, and counted, as one who gave none.
      if (alike && thrown instanceof AppError && thrown.status >= 500) return next()
      ctx.state.refused = thrown as Error
      return next()
    }
    if (token !== null) ctx.state.principal = token
    else if (record !== null) ctx.state.principal = principalOf(record, ip)
    else ctx.state.refused = keyRefused()
    return next()
  }
}
