/** A range that ends before it begins holds nothing, and who asks for it did not mean that: it is refused. */
import { millis } from './fields.js'

const placeOf = (value: unknown): number | null => (typeof value === 'number' ? value : typeof value === 'string' ? millis(value) : null)

/** Names of the ends of every range of an input (parsed) that is the wrong way round; [] where none is. */
export const reversedIn = (input: Readonly<Record<string, unknown>>): readonly string[] => [['since', 'until'], ['from_block', 'to_block']].flatMap(([from = '', to = '']) => {
  const [begin, end] = [placeOf(input[from]), placeOf(input[to])]
  return begin !== null && end !== null && begin > end ? [from, to] : []
})

/** What is said of each of them. */
export const reversedText = 'The range is the wrong way round: since is not later than until, from_block not above to_block'
