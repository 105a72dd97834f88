/** What the server serves: a chain of bytes. The recorded one has gaps between its heights. */
import { recorded } from './fixtures.js'
import { openTemplate, type Body, type Kind, type Template } from './template.js'

export interface ReplayChain {
  readonly first: number
  readonly last: number
  /** Newest height at or below `height` that has a block; undefined below the first. */
  at(height: number): number | undefined
  hashOf(height: number): string | undefined
  heightOf(hash: string): number | undefined
  /** Bytes of an answer's `result`; undefined where there is no such block or answer. */
  body(height: number, kind: Kind): Buffer | undefined
  /** What `body` is made of: one object for all copies of a recorded block, whose elements lie where theirs do. */
  mould(height: number, kind: Kind): Body | undefined
  /** Bytes of one transaction (`block`) or receipt (`receipts`). */
  element(height: number, kind: 'block' | 'receipts', index: number): Buffer | undefined
  find(transactionHash: string): { readonly height: number; readonly index: number } | undefined
  /** Another branch from `height` on; false where this chain cannot fork. */
  fork(height: number): boolean
}

/** The recorded blocks, byte for byte. */
export const recordedChain = (): ReplayChain => {
  const templates = new Map<number, Template>()
  const heights = recorded.map((block) => block.height)
  const byHeight = new Map(recorded.map((block) => [block.height, block]))
  const byHash = new Map(recorded.map((block) => [block.hash, block.height]))
  let places: Map<string, { height: number; index: number }> | undefined
  const template = (height: number): Template | undefined => {
    const block = byHeight.get(height)
    if (block !== undefined && !templates.has(height)) templates.set(height, openTemplate(block))
    return templates.get(height)
  }
  return {
    first: heights[0] ?? 0,
    last: heights.at(-1) ?? 0,
    at: (height) => heights.findLast((candidate) => candidate <= height),
    hashOf: (height) => byHeight.get(height)?.hash,
    heightOf: (hash) => byHash.get(hash),
    body: (height, kind) => template(height)?.body(kind)?.bytes,
    mould: (height, kind) => template(height)?.body(kind),
    element: (height, kind, index) => {
      const body = template(height)?.body(kind)
      const range = body?.elements[index]
      return range === undefined ? undefined : body?.bytes.subarray(...range)
    },
    find: (transactionHash) => {
      places ??= new Map(heights.flatMap((height) => (template(height)?.transactions ?? []).map((hash, index) => [hash, { height, index }])))
      return places.get(transactionHash)
    },
    fork: () => false,
  }
}
