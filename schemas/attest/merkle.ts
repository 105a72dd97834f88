/** A Merkle tree as RFC 6962 has it: leaves and nodes are hashed under prefixes of their own (0 and 1), so that neither passes for the other. */
import { createHash } from 'node:crypto'

const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const [leafPrefix, nodePrefix] = [Buffer.of(0), Buffer.of(1)]

/** Hash of a leaf with these bytes. */
export const leafOf = (bytes: Uint8Array): Buffer => sha256(leafPrefix, bytes)
const nodeOf = (left: Uint8Array, right: Uint8Array): Buffer => sha256(nodePrefix, left, right)
/** The largest power of two below `size` (at least 2): where a tree is split. */
const splitOf = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1)

/** Root over leaves' hashes in their order; that of no leaf is the hash of nothing. */
export const rootOf = (leaves: readonly Uint8Array[]): Buffer => {
  const [first] = leaves
  if (first === undefined) return sha256()
  if (leaves.length === 1) return Buffer.from(first)
  const split = splitOf(leaves.length)
  return nodeOf(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)))
}

/** Hashes that lead from leaf `index` to the root, the nearest first. */
export const pathOf = (index: number, leaves: readonly Uint8Array[]): Buffer[] => {
  if (leaves.length <= 1) return []
  const split = splitOf(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split ? [...pathOf(index, left), rootOf(right)] : [...pathOf(index - split, right), rootOf(left)]
}

/** Root to which `path` leads from `leaf` at `index` of `size`; null: no leaf of such a tree has a path of that length. */
export const rootFrom = (leaf: Uint8Array, index: number, size: number, path: readonly Uint8Array[]): Buffer | null => {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return null
  if (size === 1) return path.length === 0 ? Buffer.from(leaf) : null
  const [sibling] = path.slice(-1)
  if (sibling === undefined) return null
  const split = splitOf(size)
  const below = index < split ? rootFrom(leaf, index, split, path.slice(0, -1)) : rootFrom(leaf, index - split, size - split, path.slice(0, -1))
  return below === null ? null : index < split ? nodeOf(below, sibling) : nodeOf(sibling, below)
}
