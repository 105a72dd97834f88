/** A plain PDF of lines of text: A4, Courier 8, as many pages as it takes. */

const columns = 96
const rows = 74

/** A PDF string holds bytes of the font's encoding: what is not printable ASCII is written as its code point. */
const escaped = (text: string): string => text.replace(/[^ -~]/gu, (one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`).replace(/[\\()]/g, '\\$&')

/** `line` in pieces that fit, those after the first indented. */
const cut = (line: string): string[] => [line.slice(0, columns), ...(line.slice(columns).match(/.{1,92}/gsu) ?? []).map((rest) => `    ${rest}`)]

const page = (lines: readonly string[]): string => {
  const stream = `BT /F1 8 Tf 10.5 TL 40 800 Td\n${lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n')}\nET`
  return `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`
}

/** The file, under `title`. Every character is one byte, so lengths and offsets are those of the text. */
export const pdfOf = (title: string, lines: readonly string[]): Uint8Array => {
  const all = [title, '', ...lines].flatMap(cut)
  const pages = Array.from({ length: Math.ceil(all.length / rows) }, (_, at) => all.slice(at * rows, (at + 1) * rows))
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] >>`, '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
    ...pages.flatMap((text, at) => [`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`, page(text)]),
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => { const offset = body.length; body += `${at + 1} 0 obj\n${object}\nendobj\n`; return offset })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(`${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`, 'latin1')
}
