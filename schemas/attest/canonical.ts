/** The one form of a JSON value that is hashed and signed (RFC 8785): keys by UTF-16 code units, numbers as ECMAScript writes them, no white space. */
import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { z } from 'zod'

export const Json = z.record(z.string(), z.unknown())
export type Json = z.infer<typeof Json>

/** Canonical text of `value`; throws where it has none: NaN, Infinity, a lone surrogate, a circle, nothing at all. */
export const canonicalOf = (value: unknown): string => {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('This is no JSON value')
  return text
}

/** SHA-256 of the UTF-8 bytes of `text`, in lower-case hex. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
