/** The one form of a JSON value that is hashed and signed (RFC 8785): keys by UTF-16 code units, numbers as ECMAScript writes them, no white space. */
import { createHash } from 'node:crypto'
import { z } from 'zod'

export const Json = z.record(z.string(), z.unknown())
export type Json = z.infer<typeof Json>

/** A text as JSON.stringify writes it is a text as the standard wants it, unless half a surrogate pair is in it. */
const quoted = (text: string): string => {
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('A text with half a surrogate pair has no canonical form')
  return JSON.stringify(text)
}

/** Canonical text of `value`; throws where it has none: NaN, Infinity, half a surrogate pair, a circle, what is no JSON. Members that are undefined are left out. */
export const canonicalOf = (value: unknown): string => {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalOf).join(',')}]`
  if (typeof value !== 'object') throw new TypeError(`A ${typeof value} that JSON does not have`)
  // The default order of sort is that of UTF-16 code units.
  const members = Object.keys(value).sort().map((name) => [name, (value as Json)[name]] as const).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${quoted(name)}:${canonicalOf(member)}`).join(',')}}`
}

/** SHA-256 of the UTF-8 bytes of `text`, in lower-case hex. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
