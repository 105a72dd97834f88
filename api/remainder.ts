/** What an answer without pages leaves out where it is cut to the size an agent can read, and how that is asked for. */
import { AppError } from '../schemas/errors.js'

export interface Remainder {
  /** Arguments of the call that goes on; null: there is none. */
  readonly next: Readonly<Record<string, unknown>> | null
  readonly hint: string
  /** Members of the answer that are not true of its first rows alone, as they are then. */
  readonly instead?: Readonly<Record<string, unknown>>
}

/** An offset that leaves nothing of what there is, for which an empty list would say that there is nothing. */
export const passedOver = (rows?: number): AppError => new AppError('VALIDATION_ERROR', `${rows === undefined ? '' : `There are ${rows} rows: `}offset passes over all${rows === undefined ? ' rows there are' : ' of them'}`, { status: 422, body: { parameter: 'offset' } })

/** `rows` without the first `offset`; throws VALIDATION_ERROR where that leaves none of them: an empty list would say that there are none. */
export const rowsAfter = <Row>(rows: readonly Row[], offset: number): Row[] => {
  if (offset > 0 && offset >= rows.length) throw passedOver(rows.length)
  return rows.slice(offset)
}

/** Of `there` rows that follow an offset, of which the first `given` are there; `others`: arguments that are others then. */
export const remainderAfter = (args: Readonly<Record<string, unknown>>, there: number, given: number, others: Readonly<Record<string, unknown>> = {}): Remainder => (given < there
  ? { next: { ...args, ...others, offset: Number(args['offset'] ?? 0) + given }, hint: 'Call next for the rows after these, or connect with ?max_tokens= for longer answers.' }
  : { next: null, hint: 'Connect with ?max_tokens= for longer answers.' })

/** Of rows that `input` asks for one by one; `names`: what it takes for each of them, in their order, of which the first `given` are there. */
export const remainderBy = (input: string, names: readonly string[], given: number): Remainder => {
  // Asked for one alone it would give the same again.
  if (new Set(names).size < 2) return { next: null, hint: 'Connect with ?max_tokens= for longer answers.' }
  const [first, ...others] = [...new Set(names.slice(given))]
  return first === undefined ? { next: null, hint: `Ask for one with ${input}, or connect with ?max_tokens= for longer answers.` }
    : { next: { [input]: first }, hint: `Left out: ${[first, ...others].join(', ')}. Each is asked for with ${input}; next is the first of them.` }
}
