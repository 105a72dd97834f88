/** What answers of JSON-RPC nodes say beside their results. */
import { textOf, type Body } from '../endpoint.js'

/** Answers below this many bytes are errors, nulls or header-sized; larger ones are data and pass unread. */
export const small = 2_048

/** Codes of too many requests, which providers give in the answer instead of its status. */
const limits = new Set([429, -32005, -32007])
/** What they say with the same codes of an answer that is too large, which it will be again. */
const tooLarge = /\b(size|large|big|results|range)\b/i

/** Some nodes answer a call they refuse with a status of 4xx or 5xx and the reason as JSON. */
export const isRpcAnswer = (status: number, type: string): boolean => status === 200 || (status !== 429 && status !== 503 && /\bjson\b/.test(type))

const withError = /^\s*\{(?=[\s\S]*"error"\s*:\s*\{)/

/** The error a small answer consists of; undefined when it holds none, 'garbled' when it is no JSON. */
export const errorIn = (body: Body): { readonly code: number; readonly message: string } | 'garbled' | undefined => {
  if (body.bytes.length >= small) return undefined
  const text = textOf(body)
  let parsed: unknown
  try { parsed = JSON.parse(text) } catch { return 'garbled' }
  if (!withError.test(text)) return undefined
  const { error } = parsed as { error?: { code?: unknown; message?: unknown } | string | null }
  return typeof error === 'object' && error !== null ? { code: Number(error.code ?? 0), message: String(error.message ?? '').slice(0, 200) } : undefined
}

/** What a node says of too many requests; undefined where it does not. */
export const limitOf = (error: { readonly code?: unknown; readonly message?: unknown } | undefined): string | undefined => (error !== undefined && limits.has(Number(error.code)) && !tooLarge.test(String(error.message ?? '')) ? `${String(error.code)} ${String(error.message ?? '').slice(0, 200)}` : undefined)

/** The same of an answer to a single call. */
export const limitIn = (body: Body): string | undefined => { const error = errorIn(body); return error === 'garbled' ? undefined : limitOf(error) }
