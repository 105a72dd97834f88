/** What answers of JSON-RPC nodes say beside their results. */
import { withoutSecrets } from '../../../schemas/secrets.js'
import { textOf, type Body } from '../endpoint.js'
import { beginning } from '../../../schemas/text.js'

/** Answers below this many bytes are errors, nulls or header-sized; larger ones are data and pass unread, but for those that begin as an error: some nodes give all their stack with it. */
const small = 2_048
/** Bytes an answer has before its result or its error at most, and those of the largest error that is read. */
const lead = 256, mostOfError = 1 << 20

/** Codes of too many requests, which providers give in the answer instead of its status. */
const limits = new Set([429, -32005, -32007])
/** The same in words, as some say it with codes that mean other things elsewhere. Not for calls of contracts, whose reverts say what they like. */
const tooMany = /too many requests|\b(request|rate|daily|credits?|compute units?)\b.{0,40}\b(limit|limited|exceeded|exhausted|reached)\b/i
/** What they say with the same codes of an answer that is too large, which it will be again. */
const tooLarge = /\b(size|large|big|results|range)\b/i

/** Some nodes answer a call they refuse with a status of 4xx or 5xx and the reason as JSON. */
export const isRpcAnswer = (status: number, type: string): boolean => status === 200 || (status !== 429 && status !== 503 && /\bjson\b/.test(type))

const withError = /^\s*\{(?=[\s\S]*"error"\s*:\s*\{)/
const beginsAsError = /^\s*\{(?:\s*"(?:jsonrpc|id|result)"\s*:\s*(?:"[^"]*"|\d+|null)\s*,)*\s*"error"\s*:\s*\{/

/** A message at most as long as errors quote it, cut where no secret is cut with it. */
const quoted = (message: unknown, most = 200): string => beginning(withoutSecrets(typeof message === 'string' ? message : JSON.stringify(message) ?? ''), most)

/** The error an answer consists of, and the beginning of what a node gives beside it; undefined when it holds none, 'garbled' when it is no JSON. */
export const errorIn = (body: Body): { readonly code: number; readonly message: string; readonly data: string } | 'garbled' | undefined => {
  const { length } = body.bytes
  if (length >= small && (length > mostOfError || !beginsAsError.test(body.bytes.toString('latin1', 0, lead)))) return undefined
  const text = textOf(body)
  let parsed: unknown
  try { parsed = JSON.parse(text) } catch { return 'garbled' }
  if (!withError.test(text)) return undefined
  const { error } = parsed as { error?: { code?: unknown; message?: unknown; data?: unknown } | string | null }
  return typeof error === 'object' && error !== null ? { code: Number(error.code ?? 0), message: quoted(error.message), data: quoted(error.data, small) } : undefined
}

/** What a node says of too many requests; undefined where it does not. `inWords`: also where the code alone does not say it. */
export const limitOf = (error: { readonly code?: unknown; readonly message?: unknown } | undefined, inWords: boolean): string | undefined => {
  if (error === undefined) return undefined
  const message = quoted(error.message)
  return (limits.has(Number(error.code)) || (inWords && tooMany.test(message))) && !tooLarge.test(message) ? `${String(error.code)} ${message}` : undefined
}

/** The same of an answer to a single call, or to several as if they were one. */
export const limitIn = (inWords: boolean) => (body: Body): string | undefined => { const error = errorIn(body); return error === 'garbled' ? undefined : limitOf(error, inWords) }
