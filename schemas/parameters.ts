/** Parameters of any length: ClickHouse takes no more than 128 KiB of one, so a longer list travels in pieces that the statement puts together. */

/** Bytes of one piece as JSON: in an address each may take three, and it is those that are counted. */
const mostBytes = 40_000
/** Lists of fewer elements are not measured. */
const few = 8

const bytesOf = (one: unknown): number => Buffer.byteLength(JSON.stringify(one, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)) ?? '') + 1

/** A list cut where its pieces get too long; an element is never cut. */
const cut = (list: readonly unknown[]): unknown[][] => {
  const pieces: unknown[][] = []
  let room = 0
  for (const one of list) {
    const bytes = bytesOf(one)
    if (pieces.length === 0 || bytes > room) { pieces.push([]); room = mostBytes }
    pieces.at(-1)?.push(one)
    room -= bytes
  }
  return pieces
}

/** The statement and its parameters as they can be sent; long: whether a list was cut, so that an address would be too short for all of them. */
export const sendable = (text: string, params: Record<string, unknown>): { readonly text: string; readonly params: Record<string, unknown>; readonly long: boolean } => {
  const lists = Object.entries(params).flatMap(([name, value]) => {
    const pieces = Array.isArray(value) && value.length >= few ? cut(value) : []
    return pieces.length > 1 ? [{ name, pieces }] : []
  })
  if (lists.length === 0) return { text, params, long: false }
  const sent: Record<string, unknown> = { ...params }
  let whole = text
  for (const { name, pieces } of lists) {
    Reflect.deleteProperty(sent, name)
    for (const [place, piece] of pieces.entries()) sent[`${name}_${place}`] = piece
    whole = whole.replaceAll(new RegExp(`\\{${name}:([^}]+)\\}`, 'g'), (_, type: string) => `arrayConcat(${pieces.map((_, place) => `{${name}_${place}:${type}}`).join(', ')})`)
  }
  return { text: whole, params: sent, long: true }
}
