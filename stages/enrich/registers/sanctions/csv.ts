/** CSV with quotes (RFC 4180), small enough to be in memory. */

/** Rows of fields; a byte order mark goes. */
export const readCsv = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = []
  let [row, field, quoted] = [[] as string[], '', false]
  const plain = text.replace(/^\ufeff/, '')
  for (let at = 0; at < plain.length; at += 1) {
    const letter = plain[at] ?? ''
    if (quoted) {
      if (letter !== '"') field += letter
      else if (plain[at + 1] === '"') { field += '"'; at += 1 } else quoted = false
    } else if (letter === '"' && field === '') quoted = true
    else if (letter === ',') { row.push(field); field = '' }
    else if (letter === '\n') { row.push(field.replace(/\r$/, '')); rows.push(row); row = []; field = '' }
    else field += letter
  }
  if (field !== '' || row.length > 0) rows.push([...row, field])
  return rows
}
