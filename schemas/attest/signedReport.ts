/**
 * A signed report: one JSON object in canonical form. `content_hash` is SHA-256 of the report's canonical text, which is the object without its members
 * content_hash and attestation; HMAC-SHA256 and Ed25519 sign that same text, and `seal` (Ed25519) all of the object but itself.
 */
import { z } from 'zod'
import { Instant } from '../primitives.js'
import { canonicalOf, hashOf, Json } from './canonical.js'
import type { Signer } from './keys.js'

/** What a report of this service says it is: of which form its other members are. */
export const reportFormat = 'hydrophone-report/1'

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))
export const Attestation = z.strictObject({
  algorithm: z.literal('HMAC-SHA256'), key_id: z.string().describe('Of the HMAC secret and of the Ed25519 pair; public halves are at /attestation for ever'), signature: hex(64).describe('HMAC-SHA256 of the canonical text'), signed_at: Instant,
  ed25519: z.strictObject({ algorithm: z.literal('Ed25519'), public_key: z.string().describe('base64url'), signature: hex(128).describe('Of the canonical text') }),
  seal: hex(128).describe('Ed25519 of the whole signed report without this member, in canonical form'),
})
export type Attestation = z.infer<typeof Attestation>
export interface Signed { readonly content_hash: string; readonly canonical: string; readonly attestation: Attestation }

/** The canonical text of what the seal covers. */
export const sealedOf = (report: Json, hash: string, attestation: Json): string => {
  const { seal: _, ...rest } = attestation
  return canonicalOf({ ...report, content_hash: hash, attestation: rest })
}

/** Hashes and signs `report`, which has no members content_hash and attestation yet. `at`: Unix milliseconds. */
export const signReport = (report: Json, signer: Signer, at: number): Signed => {
  if ('content_hash' in report || 'attestation' in report) throw new TypeError('A report is signed once')
  const canonical = canonicalOf(report)
  const hash = hashOf(canonical)
  const open = {
    algorithm: 'HMAC-SHA256' as const, key_id: signer.key_id, signature: signer.hmac(canonical), signed_at: new Date(at).toISOString(),
    ed25519: { algorithm: 'Ed25519' as const, public_key: signer.point, signature: signer.ed25519(canonical) },
  }
  return { content_hash: hash, canonical, attestation: { ...open, seal: signer.ed25519(sealedOf(report, hash, open)) } }
}

/** The signed report as one object. */
export const wholeOf = ({ canonical, content_hash: hash, attestation }: Signed): Json => ({ ...Json.parse(JSON.parse(canonical)), content_hash: hash, attestation })

/** Bytes of the file that holds it: its canonical form and nothing else. */
export const fileOf = (signed: Signed): string => canonicalOf(wholeOf(signed))
