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
  for await (const chunk of rows) {
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const end = Math.max(bytes.lastIndexOf(','), bytes.lastIndexOf('\n')) + 1
    held = Buffer.from(bytes.subarray(end))
    if (end > 0) yield passed(bytes.subarray(0, end))
  }
  if (held.length > 0) yield passed(held)
}
