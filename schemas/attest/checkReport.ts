/** The check of a signed report by whoever holds it: by its bytes and public keys alone. */
import { z } from 'zod'
import { canonicalOf, hashOf, type Json } from './canonical.js'
import { isSignedBy, thumbprintOf } from './publicKeys.js'
import { Attestation, reportFormat, sealedOf } from './signedReport.js'

export const checkNames = ['form', 'content_hash', 'key', 'signature', 'seal', 'hmac', 'inclusion'] as const
export const Check = z.object({ check: z.enum(checkNames), passed: z.boolean().nullable().describe('null: could not be checked'), detail: z.string() })
export type Check = z.infer<typeof Check>
export const verdicts = ['valid', 'invalid', 'unknown_signer'] as const
export interface Checked {
  /** unknown_signer: whole and unchanged since somebody signed it, by a key nobody vouched for. */
  readonly verdict: (typeof verdicts)[number]
  readonly checks: readonly Check[]
  /** What is said to be signed; null where it cannot be read. */
  readonly report: { readonly body: Json; readonly canonical: string; readonly content_hash: string; readonly attestation: Attestation } | null
}

const failed = (detail: string): Checked => ({ verdict: 'invalid', checks: [{ check: 'form', passed: false, detail }], report: null })
const Whole = z.looseObject({ format: z.string(), content_hash: z.string(), attestation: Attestation })

/** `bytes` as UTF-8; null where they are not. */
const textIn = (bytes: Uint8Array): string | null => { try { return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) } catch { return null } }
const parsed = (text: string): unknown => { try { return JSON.parse(text) as unknown } catch { return undefined } }
const canonicalIn = (value: unknown): string | null => { try { return canonicalOf(value) } catch { return null } }

/** Checks a report that was parsed; `points` as for checkFile. */
export const checkWhole = (value: unknown, points: readonly string[] | null): Checked => {
  const shape = Whole.safeParse(value)
  if (!shape.success) return failed(`Not a signed report: ${shape.error.issues[0]?.path.join('.') ?? ''} ${shape.error.issues[0]?.message ?? ''}`.trim())
  const { content_hash: hash, attestation, ...body } = value as Json & { readonly content_hash: string; readonly attestation: Attestation }
  if (body['format'] !== reportFormat) return failed(`A report of an unknown form: ${JSON.stringify(body['format']).slice(0, 80)}`)
  const canonical = canonicalIn(body)
  if (canonical === null) return failed('It has no canonical form')
  const { public_key: point, signature } = attestation.ed25519
  const vouched = points === null ? null : points.includes(point)
  const own = thumbprintOf(point) === attestation.key_id
  const checks: Check[] = [
    { check: 'content_hash', passed: hashOf(canonical) === hash, detail: 'SHA-256 of the canonical text is the content hash' },
    { check: 'key', passed: own && vouched, detail: !own ? 'The key id is not the thumbprint of the key in the report' : vouched === null ? `Signed by the key ${attestation.key_id}, which nobody vouched for: give the public key` : vouched ? `Signed by the key ${attestation.key_id}, as given` : `Signed by the key ${attestation.key_id}, which is none of those given` },
    { check: 'signature', passed: isSignedBy(point, canonical, signature), detail: 'Ed25519 over the canonical text' },
    { check: 'seal', passed: isSignedBy(point, sealedOf(body, hash, attestation), attestation.seal), detail: 'Ed25519 over the whole signed report' },
  ]
  return { verdict: checks.some(({ passed }) => passed === false) ? 'invalid' : checks.every(({ passed }) => passed === true) ? 'valid' : 'unknown_signer', checks, report: { body, canonical, content_hash: hash, attestation } }
}

/** Checks the bytes of a file, every one of which counts; `points`: public keys (base64url) that may have signed, null where none is known. */
export const checkFile = (bytes: Uint8Array, points: readonly string[] | null): Checked => {
  const text = textIn(bytes)
  if (text === null) return failed('The bytes are no UTF-8')
  const value = parsed(text)
  if (value === undefined) return failed('The text is no JSON')
  if (canonicalIn(value) !== text) return failed('The file is not in canonical form: it was changed, or reformatted, after it was signed')
  const checked = checkWhole(value, points)
  return checked.report === null ? checked : { ...checked, checks: [{ check: 'form', passed: true, detail: 'A signed report in canonical form (RFC 8785)' }, ...checked.checks] }
}
