/** CSV in which a number that is none is null, as it is in JSON. */

/** What the server writes for NULL. */
const csvNull = '\\N'

/** The bytes of `rows` (CSV as the server writes it: numbers bare, every text in quotes), with nan and inf as NULL. */
export async function* finiteCsv(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held = Buffer.alloc(0), quoted = false
  // Of bytes as characters each stays what it is, whatever text they are a part of. A pair of quotes inside a text opens what it closes.
  const passed = (bytes: Buffer): Buffer => {
    const text = bytes.toString('latin1')
    if (!text.includes('nan') && !text.includes('inf')) { if (text.split('"').length % 2 === 0) quoted = !quoted; return bytes }
    return Buffer.from(text.replace(/"|(?<=^|[,\n])-?(?:inf|nan)(?=[,\n]|$)/g, (found) => {
      if (found === '"') quoted = !quoted
      return found === '"' || quoted ? found : csvNull
    }), 'latin1')
  }
  // Bytes without an end of a value that can go: inside a text all of them, but for a quote at their end, which closes it or is one of a pair.
  const withinText = (bytes: Buffer): number => {
    let isOpen = quoted
    for (let at = bytes.indexOf(34); at >= 0; at = bytes.indexOf(34, at + 1)) isOpen = !isOpen
    return isOpen ? bytes.length : bytes.at(-1) === 34 ? bytes.length - 1 : 0
  }
  for await (const chunk of rows) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const end = Math.max(bytes.lastIndexOf(','), bytes.lastIndexOf('\n')) + 1 || withinText(bytes)
    held = Buffer.from(bytes.subarray(end))
    if (end > 0) yield passed(bytes.subarray(0, end))
  }
  if (held.length > 0) yield passed(held)
}
