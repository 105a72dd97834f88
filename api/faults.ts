/** The refusals a caller can meet, each said once. How they look on the wire is in envelopes.ts. */
import { validChainIds } from '../schemas/chains.js'
import { AppError } from '../schemas/errors.js'
import type { Verdict, Window } from './limits.js'
import { beginning } from '../schemas/text.js'

/** One wrong parameter: `loc` is where it stands ('query', 'limit'). */
export interface Detail { readonly type: string; readonly loc: readonly (string | number)[]; readonly msg: string }

/** What one answer tells of wrong parameters: a caller can send a hundred thousand, and names of any length. */
const mostDetails = 20, mostOfName = 64

/** 422: a parameter is missing, unknown, repeated, of a wrong type or out of range. The first 20 are told, their names up to 64 characters; the rest are counted. */
export const invalid = (all: readonly Detail[]): AppError => {
  const details = all.slice(0, mostDetails).map(({ loc, ...rest }): Detail => ({ ...rest, loc: loc.map((part) => (typeof part === 'string' ? beginning(part, mostOfName) : part)) }))
  const names = [...new Set(details.map(({ loc }) => loc.join('.')))].join(', '), left = all.length - details.length
  return new AppError('VALIDATION_ERROR', `Invalid request: ${names}${left === 0 ? '' : ` and ${left} more`}`, { status: 422, body: { hint: details[0]?.msg ?? 'See the documentation of this operation', details } })
}
/** `thrown` with its place where it is a 422 that names none: `parameter` of its body, else the whole input. `where`: the place of a field ('query', 'body'). */
export const placed = (thrown: unknown, where: (field: string) => string): unknown => {
  if (!(thrown instanceof AppError) || thrown.status !== 422 || thrown.body['details'] !== undefined) return thrown
  const { code, message, status, retry, endpoint, body, cause } = thrown
  const { parameter = '', hint = message, ...rest } = body as { readonly parameter?: string; readonly hint?: string }
  const details: readonly Detail[] = [{ type: code.toLowerCase(), loc: [where(parameter), ...(parameter === '' ? [] : [parameter])], msg: message }]
  return new AppError(code, message, { status, retry, endpoint, body: { ...rest, hint, details }, cause })
}
/** 422 of one field of an operation's input, which only the operation could tell; `placed` says where it stands. */
export const unfit = (parameter: string, message: string): AppError => new AppError('VALIDATION_ERROR', message, { status: 422, body: { parameter } })
/** 401 without a key. */
export const keyRequired = (): AppError => new AppError('AUTH_REQUIRED', 'This route needs a key. POST /v1/keys gives one at once; send it as X-API-Key.', { status: 401 })
/** 401 with a key that is malformed, unknown, revoked or expired: one text for all of them. */
export const keyRefused = (): AppError => new AppError('AUTH_INVALID', 'The key is malformed, revoked or expired. POST /v1/keys, without a key, gives a new one.', { status: 401 })
/** 401 with HTTP Basic where it is not taken. */
export const basicRefused = (): AppError => new AppError('AUTH_INVALID', 'HTTP Basic is taken for looking at /admin/ and /metrics only. Send the key in the header X-API-Key.', { status: 401 })
/** 403: the key's role does not reach. */
export const roleRequired = (role: string): AppError => new AppError('ROLE_REQUIRED', `This route needs the role ${role}.`, { status: 403 })
/** 403: the key's tier does not reach. */
export const tierRequired = (tier: string): AppError => new AppError('TIER_REQUIRED', `This route needs a key of the tier ${tier} or above.`, {
  status: 403, body: { hint: 'GET /v1/billing/tiers lists what each tier adds.' },
})
/** 404, detail-wrapped: no such chain. */
export const unknownChain = (received: string, valid = validChainIds, hint = 'Use one of valid_chains; HL and ALL are accepted where the operation says so.'): AppError =>
  new AppError('UNKNOWN_CHAIN', 'Chain id not recognised', { status: 404, body: { received: beginning(received, 64), valid_chains: valid, hint } })
/** 404, detail-wrapped: a chain without blocks on a route about blocks, or one the operation does not cover. */
export const chainHasNoBlocks = (received: string): AppError => new AppError('CHAIN_NO_BLOCKS', 'Chain without blocks', {
  status: 404, body: { received, valid_chains: validChainIds, hint: 'HL is a perps venue: use /v1/feed/hl/recent, /v1/feed/hl/funding or the get_hl_* tools. ALL is an aggregate: name one chain.' },
})
/** 400, detail-wrapped: forged, foreign, malformed or expired. */
export const invalidCursor = (received: string): AppError => new AppError('INVALID_CURSOR', 'Cursor malformed or expired', {
  status: 400, body: { received: beginning(received, 64), valid_chains: validChainIds, hint: 'Drop the cursor and start again from the first page, with the same parameters.' },
})
/** 429 by `window`, which the answer tells of; `seconds` until it is worth asking again. */
export const rateLimited = (seconds: number, { name, limit, seconds: per }: Window, what = 'Too many requests'): AppError =>
  new AppError('RATE_LIMITED', `${what}. Ask again in ${seconds} s.`, { status: 429, retry: 'wait', body: { retry_after: seconds, window: { name, limit, seconds: per } } })
/** 429 by a window that is used up, until it ends. */
export const usedUp = (verdict: Verdict, what?: string): AppError => rateLimited(Math.max(1, Math.ceil(verdict.resetMs / 1_000)), verdict, what)
/** 409: what is asked for does not go with what is there. */
export const conflict = (code: string, message: string): AppError => new AppError(code, message, { status: 409 })
/** 404 about one thing the caller named (a key). */
export const notFound = (what: string): AppError => new AppError('NOT_FOUND', `${what} not found`, { status: 404 })
/** 499, seen only in the log: the caller went before the answer was there. */
export const callerGone = (): AppError => new AppError('CALLER_GONE', 'The caller has gone', { status: 499 })
