/** Arithmetic of stretches of blocks; bounds are inclusive. */
export interface Stretch { readonly from: number; readonly to: number }

/** Overlapping or touching stretches merged, lowest first; empty ones dropped. */
export const merge = (stretches: readonly Stretch[]): Stretch[] => {
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of [...stretches].filter((one) => one.from <= one.to).sort((left, right) => left.from - right.from)) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** What `wanted` has and `covered` has not, lowest first. */
export const gaps = (wanted: readonly Stretch[], covered: readonly Stretch[]): Stretch[] => {
  const holes: Stretch[] = []
  const blocks = merge(covered)
  for (const want of merge(wanted)) {
    let from = want.from
    for (const block of blocks) {
      if (block.to < from) continue
      if (block.from > want.to) break
      if (block.from > from) holes.push({ from, to: block.from - 1 })
      from = block.to + 1
      if (from > want.to) break
    }
    if (from <= want.to) holes.push({ from, to: want.to })
  }
  return holes
}

/** Stretches cut into pieces of at most `size` blocks that do not cross a multiple of `align`. */
export const cut = (stretches: readonly Stretch[], size: number, align: number): Stretch[] => stretches.flatMap((stretch) => {
  const pieces: Stretch[] = []
  for (let from = stretch.from; from <= stretch.to;) {
    const to = Math.min(stretch.to, from + size - 1, (Math.floor(from / align) + 1) * align - 1)
    pieces.push({ from, to })
    from = to + 1
  }
  return pieces
})
