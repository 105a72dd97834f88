/** What a request to /mcp must be before the protocol looks at it. Refusals are envelope A. */
import type { Config } from '../../schemas/config.js'
import { AppError } from '../../schemas/errors.js'
import type { Context } from '../context.js'
import { invalid } from '../faults.js'
import { lanes, type Lane } from '../operation.js'
import { beginning } from '../../schemas/text.js'

const near = new Set(['localhost', '127.0.0.1', '[::1]'])
const hostnameOf = (url: string): string => { try { return new URL(url).hostname } catch { return '' } }

/** Throws 403 on an Origin that is neither ours, nor listed, nor on this machine; and, while only this machine is served, on a foreign Host. */
export const guardOrigin = (config: Pick<Config, 'HOST' | 'PUBLIC_URL' | 'CORS_ORIGINS' | 'TRUSTED_PROXIES'>): ((ctx: Context) => void) => {
  const listed = new Set([...config.CORS_ORIGINS, ...(config.PUBLIC_URL === undefined ? [] : [new URL(config.PUBLIC_URL).origin])])
  const local = near.has(config.HOST) || config.HOST === '::1'
  const hosts = new Set([...near, ...(config.PUBLIC_URL === undefined ? [] : [hostnameOf(config.PUBLIC_URL)])])
  return (ctx) => {
    const origin = ctx.get('Origin')
    if (origin !== '' && !listed.has(origin) && !(local && near.has(hostnameOf(origin)))) {
      throw new AppError('ORIGIN_REFUSED', 'Pages of this origin may not call the service. CORS_ORIGINS lists those that may.', { status: 403 })
    }
    // A name that an attacker's DNS points at this machine would pass as the page's own origin.
    if (local && config.TRUSTED_PROXIES === 0 && !hosts.has(hostnameOf(`http://${ctx.get('Host')}`))) {
      throw new AppError('HOST_REFUSED', 'This host name is not one of ours. Set PUBLIC_URL to the address under which the service is reached.', { status: 403 })
    }
  }
}

/** Throws 406 that names the header. */
export const guardAccept = (ctx: Context): void => {
  const accepted = ctx.get('Accept').toLowerCase()
  if (accepted.includes('application/json') && accepted.includes('text/event-stream')) return
  throw new AppError('NOT_ACCEPTABLE', 'The Accept header must name both types: send Accept: application/json, text/event-stream', { status: 406 })
}

export interface Wanted { readonly lanes: ReadonlySet<Lane> | null; readonly tokens: number }
const usualTokens = 4_000
/** Clients cut or refuse what is longer than some 25,000. */
const mostTokens = 20_000
const known: ReadonlySet<string> = new Set(lanes)

const refuse = (code: string, message: string, name: string): AppError =>
  new AppError(code, message, { status: 400, body: { hint: message, details: [{ type: 'invalid_value', loc: ['query', name], msg: message }] } })

/** `?lanes=` and `?max_tokens=`; throws 400 on a lane that is not one, 422 on another parameter. */
export const readWanted = (query: string): Wanted => {
  const given = new URLSearchParams(query)
  const strangers = [...given.keys()].filter((name) => name !== 'lanes' && name !== 'max_tokens')
  if (strangers.length > 0) throw invalid(strangers.map((name) => ({ type: 'unknown_parameter', loc: ['query', name], msg: `${beginning(name, 64)} is not a parameter of this endpoint: lanes, max_tokens` })))
  const asked = given.getAll('lanes').flatMap((text) => text.split(',')).map((text) => text.trim()).filter((text) => text !== '')
  if (!asked.every((lane): lane is Lane => known.has(lane))) throw refuse('UNKNOWN_LANE', `lanes is a comma-separated choice of: ${lanes.join(', ')}`, 'lanes')
  const tokens = given.get('max_tokens')
  if (tokens !== null && !(/^\d{4,5}$/.test(tokens) && Number(tokens) >= 1_000 && Number(tokens) <= mostTokens)) throw refuse('BAD_MAX_TOKENS', `max_tokens is a whole number, 1000 to ${mostTokens}`, 'max_tokens')
  return { lanes: asked.length === 0 ? null : new Set(asked as Lane[]), tokens: tokens === null ? usualTokens : Number(tokens) }
}
