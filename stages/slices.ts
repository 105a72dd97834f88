/** All addresses in slices: what keeps something of each of them has a bound on its memory and its time only where it is given a part of them. */

/** The first and the last address of a slice, 40 hexadecimal digits each. */
export interface Slice { readonly first: string; readonly last: string }

const most = 65_536
const begin = (value: number): string => value.toString(16).padStart(4, '0')

/** As many slices of equal width as `rows` has `rowsEach`, up to a power of two, 65,536 at most. Addresses are hashes: slices of equal width hold as many each. */
export const slicesOf = (rows: number, rowsEach: number): readonly Slice[] => {
  const count = Math.min(most, 2 ** Math.ceil(Math.log2(Math.max(1, rows / rowsEach))))
  return Array.from({ length: count }, (_, index) => ({ first: begin(index * most / count).padEnd(40, '0'), last: begin((index + 1) * most / count - 1).padEnd(40, 'f') }))
}
