/** The three shapes of an error, as zod for the description and as the one function that writes them. */
import { z } from 'zod'
import { AppError } from '../schemas/errors.js'
import type { Window } from './limits.js'

/** Shape A: 400 of what is no proper request, 401, 403, 405, 408, 409, 413, 414, 415, 417, 422, 429 and 5xx. */
export const NestedError = z.object({
  error: z.object({
    code: z.string(), message: z.string(), docs: z.string(), hint: z.string().optional(),
    details: z.array(z.object({ type: z.string(), loc: z.array(z.union([z.string(), z.number()])), msg: z.string() })).optional(),
    request_id: z.string().optional(),
  }),
})
/** Shape B: unknown path. */
export const FlatError = z.object({ error: z.literal('NOT_FOUND'), path: z.string(), method: z.string(), hint: z.string() })
/** Shape C: unknown or inapplicable chain, unusable cursor. */
export const DetailError = z.object({
  detail: z.object({ error: z.enum(['UNKNOWN_CHAIN', 'CHAIN_NO_BLOCKS', 'INVALID_CURSOR']), received: z.string(), valid_chains: z.array(z.string()), hint: z.string() }),
})

/** `refusal`: the window that refused, and until when. */
export interface Rendered { readonly status: number; readonly body: unknown; readonly headers: Readonly<Record<string, string>>; readonly refusal?: { readonly window: Window; readonly seconds: number } }

const detailCodes = new Set(['UNKNOWN_CHAIN', 'CHAIN_NO_BLOCKS', 'INVALID_CURSOR'])

/** What the caller sees of anything thrown. A 5xx tells its request id and nothing of the inside. */
export const render = (thrown: unknown, docs: string, requestId: string): Rendered => {
  const fault = thrown instanceof AppError ? thrown : undefined
  if (fault !== undefined && detailCodes.has(fault.code)) return { status: fault.status, headers: {}, body: { detail: { error: fault.code, ...fault.body } } }
  if (fault === undefined || fault.status >= 500) {
    const down = fault?.status === 503
    return {
      status: down ? 503 : 500, headers: down ? { 'Retry-After': '5' } : {},
      body: { error: down
        ? { code: 'UPSTREAM_UNAVAILABLE', message: 'A part of the service does not answer at the moment. Ask again in a few seconds.', docs, request_id: requestId }
        : { code: 'INTERNAL', message: 'Something went wrong on our side. The request id names the event in our log.', docs, request_id: requestId } },
    }
  }
  const { hint, details, retry_after: retryAfter, window, allow } = fault.body as { hint?: string; details?: unknown; retry_after?: number; window?: Window; allow?: string }
  const headers: Record<string, string> = {}
  if (retryAfter !== undefined) headers['Retry-After'] = String(retryAfter)
  if (allow !== undefined) headers['Allow'] = allow
  if (fault.status === 401) headers['WWW-Authenticate'] = 'Bearer realm="hydrophone"'
  return {
    status: fault.status, headers, ...(window === undefined || retryAfter === undefined ? {} : { refusal: { window, seconds: retryAfter } }),
    body: { error: { code: fault.code, message: fault.message, docs, ...(hint === undefined ? {} : { hint }), ...(details === undefined ? {} : { details }) } },
  }
}
