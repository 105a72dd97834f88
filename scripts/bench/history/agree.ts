/** Whether two stores say the same: lines of columns apart by |, amounts to the last digit, dollars to eight digits. */

/** Ours are added up in millionths of a dollar, of which each movement's are whole; theirs are floats, which depend on the order of adding. */
const near = (one: number, other: number): boolean => Math.abs(one - other) <= Math.max(1e-4, 1e-8 * Math.abs(other))
/** Only a number with a point is dollars; whole numbers and amounts are compared as texts. */
const same = (one: string, other: string): boolean => one === other || (/[.e]/.test(one + other) && one !== '' && other !== '' && near(Number(one), Number(other)))

/** The first difference in words; null where there is none. */
export const differenceOf = (ours: readonly string[], theirs: readonly string[]): string | null => {
  for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) {
    const [one = 'nothing', other = 'nothing'] = [ours[at], theirs[at]]
    const [left, right] = [one.split('|'), other.split('|')]
    if (left.length !== right.length || !left.every((value, place) => same(value, right[place] ?? ''))) return `row ${at + 1}: ours ${one}, theirs ${other}`
  }
  return null
}
