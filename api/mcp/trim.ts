/** Cuts an answer to a size. Sizes are characters of JSON, of which those of hashes, addresses and cursors count half as much again: models split them finer. Nothing here knows what the rows mean. */
import { beginning } from '../../schemas/text.js'

export type Payload = Record<string, unknown>

const dense = /[0-9A-Za-z]{20,}/g
export const sizeOf = (value: unknown): number => {
  const text = (JSON.stringify(value) as string | undefined) ?? ''
  let size = text.length
  for (const [run] of text.matchAll(dense)) size += run.length / 2
  return Math.ceil(size)
}

/** The list to cut first: `named` where it is one, else the largest at the top; '' where there is none. */
export const listOf = (payload: Payload, named: string | undefined): string => {
  if (named !== undefined && Array.isArray(payload[named])) return named
  let best = ''
  let most = 0
  for (const [name, value] of Object.entries(payload)) {
    const size = Array.isArray(value) ? sizeOf(value) : 0
    if (size > most) { best = name; most = size }
  }
  return best
}

/** The list at `path`, its members parted by dots; undefined where there is none. */
export const listAt = (payload: Payload, path: string): readonly unknown[] | undefined => {
  const found = path.split('.').reduce<unknown>((value, name) => (typeof value === 'object' && value !== null ? (value as Payload)[name] : undefined), payload)
  return Array.isArray(found) ? found : undefined
}
const withList = (payload: Payload, [name = '', ...inner]: readonly string[], list: readonly unknown[]): Payload =>
  ({ ...payload, [name]: inner.length === 0 ? list : withList(payload[name] as Payload, inner, list) })

/** The first `rows` of each of `fields`. */
export const firstOf = (payload: Payload, fields: readonly string[], rows: number): Payload =>
  fields.reduce((made, field) => withList(made, field.split('.'), (listAt(payload, field) ?? []).slice(0, rows)), payload)

/** How many rows of each of the lists `fields` of `payload` (at least one) fit into `most` characters beside the rest. */
export const rowsThatFit = (payload: Payload, fields: readonly string[], most: number): number => {
  const lists = fields.map((field) => listAt(payload, field) ?? [])
  let left = most - sizeOf(firstOf(payload, fields, 0))
  const longestList = Math.max(...lists.map(({ length }) => length))
  let fit = 0
  for (; fit < longestList; fit += 1) {
    for (const rows of lists) if (fit < rows.length) left -= sizeOf(rows[fit]) + 1
    if (left < 0) break
  }
  return Math.max(1, fit)
}

const longest = 1_000

const prune = (value: unknown, most: number, path: string, cut: Set<string>): unknown => {
  if (typeof value === 'string') {
    if (value.length <= longest) return value
    cut.add(path)
    return beginning(value, longest)
  }
  if (Array.isArray(value)) {
    if (value.length > most) cut.add(path)
    return value.slice(0, most).map((item) => prune(item, most, `${path}[]`, cut))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, prune(item, most, path === '' ? name : `${path}.${name}`, cut)]))
}

/** `payload` with every list shortened, and long texts cut, until it fits; says which paths were. */
export const pruned = (payload: Payload, most: number): { readonly payload: Payload; readonly cut: readonly string[] } => {
  let made = payload
  let cut = new Set<string>()
  for (let rows = 64; rows >= 1; rows = Math.floor(rows / 2)) {
    cut = new Set<string>()
    made = prune(payload, rows, '', cut) as Payload
    if (sizeOf(made) <= most) break
  }
  return { payload: made, cut: [...cut] }
}

/** `payload` with all but the lists `fields` pruned, where that is longer than `most`. */
export const prunedBeside = (payload: Payload, fields: readonly string[], most: number): ReturnType<typeof pruned> => {
  const { payload: beside, cut } = pruned(firstOf(payload, fields, 0), most)
  return { payload: fields.reduce((made, field) => withList(made, field.split('.'), listAt(payload, field) ?? []), beside), cut }
}
