/** Whether a name of the environment is meant to be one of ours: its words are the same but for plurals and order, or a letter or two of its long ones are wrong. */

/** Names of up to so many letters are as long as those of other programs: one wrong letter alone makes them ours. */
const shortName = 10
/** Words of up to so many letters are names of other things with one of them changed: BSC_RPC_URL is no misspelt BTC_RPC_URL. */
const shortWord = 4

/** The least number of letters to add, leave out, replace or exchange with the next one that make `one` of `other`. */
const distance = (one: string, other: string): number => {
  let before: number[] = [], last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1]
      const least = Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1, (last[to - 1] ?? 0) + (same ? 0 : 1))
      const swapped = at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      row.push(swapped ? Math.min(least, (before[to - 2] ?? 0) + 1) : least)
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

const stems = (name: string): string => name.split('_').map((word) => word.replace(/IES$/, 'Y').replace(/S$/, '')).sort().join('_')

/** Letters that are wrong in `words` of what should be `others`, as many; without limit where a short word is another. */
const wrongIn = (words: readonly string[], others: readonly string[]): number =>
  words.reduce((sum, word, at) => { const other = others[at] ?? ''; return word === other ? sum : sum + (other.length <= shortWord ? Infinity : distance(word, other)) }, 0)

/** The one of `known` that `name` is meant to be; undefined: none. Names of one word (PORT, HOST) are nobody's own. */
export const meantBy = (name: string, known: Iterable<string>): string | undefined => {
  const words = name.split('_')
  const own = [...known].filter((one) => one.includes('_') && one.split('_').length === words.length)
  return own.find((one) => stems(one) === stems(name)) ?? own.find((one) => wrongIn(words, one.split('_')) <= (one.length <= shortName ? 1 : 2))
}
