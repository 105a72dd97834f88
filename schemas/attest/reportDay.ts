/** A day of reports that is over: the root of their Merkle tree, in a signed statement that names the hash of the statement before it. */
import { z } from 'zod'
import { canonicalOf, hashOf } from './canonical.js'
import { leafOf, pathOf, rootFrom, rootOf } from './merkle.js'
import { isSignedBy, thumbprintOf } from './publicKeys.js'

export const dayFormat = 'hydrophone-report-day/1'
const Hex = z.string().regex(/^[0-9a-f]{64}$/)
const Statement = z.strictObject({ format: z.literal(dayFormat), day: z.iso.date(), tree_size: z.number().int().min(1), root: Hex, previous: Hex.nullable() })
/** How a report's content hash, as bytes, is a leaf of its day's tree (RFC 6962). */
export const Proof = z.object({
  day: z.iso.date(), tree_size: z.number().int(), leaf_index: z.number().int(), leaf_hash: Hex.describe('SHA-256 of 0x00 and the 32 bytes of the content hash'), audit_path: z.array(Hex).describe('Hashes of siblings, the nearest first; a node is SHA-256 of 0x01, left and right'),
  root: Hex, statement: z.string().describe('Canonical JSON: day, tree_size, root, and previous: SHA-256 of the statement before, null for the first'), key_id: z.string(), public_key: z.string(), signature: z.string().describe('Ed25519 of the statement, hex'),
})
export type Proof = z.infer<typeof Proof>
export interface Day { readonly day: string; readonly leaves: readonly string[]; readonly statement: string; readonly key_id: string; readonly public_key: string; readonly signature: string }

const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'hex')
const leavesOf = (hashes: readonly string[]): Buffer[] => hashes.map((hash) => leafOf(bytesOf(hash)))

/** Root over `hashes` in their order, in hex. */
export const rootOfDay = (hashes: readonly string[]): string => rootOf(leavesOf(hashes)).toString('hex')

/** The statement to sign; `previous`: the statement closed before it, null for the first. */
export const statementOf = (day: string, hashes: readonly string[], previous: string | null): string =>
  canonicalOf({ format: dayFormat, day, tree_size: hashes.length, root: rootOfDay(hashes), previous: previous === null ? null : hashOf(previous) })

/** The proof that `hash` is among those of `day`; null: it is not. */
export const proofOf = (hash: string, { leaves: hashes, ...day }: Day): Proof | null => {
  const index = hashes.indexOf(hash)
  if (index < 0) return null
  const leaves = leavesOf(hashes)
  return {
    day: day.day, tree_size: hashes.length, leaf_index: index, leaf_hash: leafOf(bytesOf(hash)).toString('hex'), audit_path: pathOf(index, leaves).map((one) => one.toString('hex')), root: rootOf(leaves).toString('hex'),
    statement: day.statement, key_id: day.key_id, public_key: day.public_key, signature: day.signature,
  }
}

/** Why `proof` does not show that `hash` is in a tree signed by one of `points` (null: any key); null: it does. */
export const flawOf = (proof: unknown, hash: string, points: readonly string[] | null): string | null => {
  const shape = Proof.safeParse(proof)
  if (!shape.success) return 'It is no proof of inclusion'
  const { leaf_index: index, tree_size: size, leaf_hash: leaf, audit_path: path, root, statement, public_key: point, key_id: id, signature, day } = shape.data
  if (!/^[0-9a-f]{64}$/.test(hash) || leafOf(bytesOf(hash)).toString('hex') !== leaf) return 'The leaf is not that of this report'
  if (rootFrom(bytesOf(leaf), index, size, path.map(bytesOf))?.toString('hex') !== root) return 'The path does not lead to the root'
  const said = (() => { try { return Statement.safeParse(JSON.parse(statement)).data } catch { return undefined } })()
  if (said === undefined || said.root !== root || said.tree_size !== size || said.day !== day) return 'The statement is of another tree'
  if (thumbprintOf(point) !== id || !isSignedBy(point, statement, signature)) return 'The statement is not signed by the key it names'
  return points === null || points.includes(point) ? null : 'The statement is signed by a key that is none of those given'
}
