/** Sheets of a report: fonts, colours, headings, paragraphs, tables that break over pages. The same content makes the same bytes. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import { untrusted } from '../../../untrusted.js'

const { resolve } = createRequire(import.meta.url)
const fontFile = (name: string): Buffer => readFileSync(resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`))
const files = { plain: fontFile('DejaVuSans'), bold: fontFile('DejaVuSans-Bold'), mono: fontFile('DejaVuSansMono') }
export type Font = keyof typeof files

export const ink = { text: '#1b2733', soft: '#5c6b7a', line: '#d5dde5', band: '#12344d', zebra: '#f4f7fa', red: '#b3261e', amber: '#a15c00', green: '#1d6b3a', blue: '#1f5f99', purple: '#6b3fa0', white: '#ffffff' } as const
export const page = { left: 46, right: 549, width: 503, top: 46, bottom: 782 } as const

export type Doc = PDFKit.PDFDocument
export interface Column { readonly title: string; readonly width: number; readonly font?: Font; readonly align?: 'left' | 'right'; readonly size?: number }
interface Faced { readonly _font: { readonly font: { hasGlyphForCodePoint(code: number): boolean } } }

export const openSheet = (title: string, at: Date): Doc => {
  const doc = new PDFDocument({ size: 'A4', margins: { top: page.top, bottom: 40, left: page.left, right: 595 - page.right }, bufferPages: true, pdfVersion: '1.7', lang: 'en', displayTitle: true, info: { Title: title, Author: 'Hydrophone', Producer: 'Hydrophone', Creator: 'Hydrophone', CreationDate: at } })
  for (const [name, file] of Object.entries(files)) doc.registerFont(name, file)
  return doc.font('plain').fillColor(ink.text)
}

/** `text` as it can be printed: nothing unseen, at most `most` characters, code points instead of what the font does not have. */
export const printable = (doc: Doc, text: string, most = 240): string => {
  const { font } = (doc as unknown as Faced)._font
  return [...untrusted(text, most)].map((one) => (font.hasGlyphForCodePoint(one.codePointAt(0) ?? 0) ? one : `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`)).join('')
}

/** Begins a new page where less than `height` points are left on this one. */
export const room = (doc: Doc, height: number): void => { if (doc.y + height > page.bottom) { doc.addPage(); doc.y = page.top } }

export const heading = (doc: Doc, text: string, follows = 60): void => {
  room(doc, 26 + follows)
  doc.moveDown(0.9).font('bold').fontSize(11).fillColor(ink.band).text(text, page.left, doc.y, { width: page.width })
  doc.moveTo(page.left, doc.y + 2).lineTo(page.right, doc.y + 2).lineWidth(0.8).strokeColor(ink.line).stroke()
  doc.y += 7
}

export const paragraph = (doc: Doc, text: string, { size = 8, color = ink.text as string, font = 'plain' as Font, most = 2_000 } = {}): void => {
  doc.font(font).fontSize(size)
  const words = printable(doc, text, most)
  room(doc, Math.min(40, doc.heightOfString(words, { width: page.width })))
  doc.fillColor(color).text(words, page.left, doc.y, { width: page.width, lineGap: 1.5 })
}

/** Rows of cells under a head, which is repeated on every page. */
export const table = (doc: Doc, columns: readonly Column[], rows: readonly (readonly string[])[]): void => {
  const xs = columns.map((_, at) => page.left + columns.slice(0, at).reduce((sum, { width }) => sum + width, 0))
  const face = ({ font = 'plain', size = 7 }: Column): Doc => doc.font(font).fontSize(size)
  const head = (): void => {
    const y = doc.y
    doc.rect(page.left, y, page.width, 14).fill(ink.band)
    for (const [at, { title, width, align = 'left' }] of columns.entries()) doc.font('bold').fontSize(6.8).fillColor(ink.white).text(title, (xs[at] ?? 0) + 4, y + 3.4, { width: width - 8, align, lineBreak: false })
    doc.y = y + 14
  }
  room(doc, 44)
  head()
  for (const [place, row] of rows.entries()) {
    const cells = columns.map((column, at) => { face(column); return printable(doc, row[at] ?? '', 400) })
    const height = Math.max(...columns.map((column, at) => face(column).heightOfString(cells[at] ?? '', { width: column.width - 8, lineGap: 0.6 }))) + 5
    if (doc.y + height > page.bottom) { doc.addPage(); doc.y = page.top; head() }
    const y = doc.y
    if (place % 2 === 1) doc.rect(page.left, y, page.width, height).fill(ink.zebra)
    for (const [at, column] of columns.entries()) face(column).fillColor(ink.text).text(cells[at] ?? '', (xs[at] ?? 0) + 4, y + 2.6, { width: column.width - 8, align: column.align ?? 'left', lineGap: 0.6, height: height - 2, ellipsis: true })
    doc.y = y + height
  }
  doc.moveTo(page.left, doc.y).lineTo(page.right, doc.y).lineWidth(0.6).strokeColor(ink.line).stroke()
  doc.y += 4
}

/** Names and values, one a line, values in the mono font. */
export const pairs = (doc: Doc, rows: readonly (readonly [string, string])[], width = 108): void => {
  for (const [name, value] of rows) {
    doc.font('mono').fontSize(6.6)
    const shown = printable(doc, value, 900)
    const height = doc.heightOfString(shown, { width: page.width - width, lineGap: 1 }) + 3.4
    room(doc, height)
    const y = doc.y
    doc.font('bold').fontSize(7).fillColor(ink.soft).text(name, page.left, y, { width: width - 6, lineBreak: false })
    doc.font('mono').fontSize(6.6).fillColor(ink.text).text(shown, page.left + width, y + 0.4, { width: page.width - width, lineGap: 1 })
    doc.y = y + height
  }
}

/** Writes `line` and the page's number at the foot of every page, and ends the document; its bytes. */
export const close = (doc: Doc, line: string): Promise<Uint8Array> => {
  const { count } = doc.bufferedPageRange()
  for (let at = 0; at < count; at += 1) {
    doc.switchToPage(at)
    // What stands in the margin must not begin a page of its own.
    doc.page.margins.bottom = 0
    doc.moveTo(page.left, 800).lineTo(page.right, 800).lineWidth(0.5).strokeColor(ink.line).stroke()
    doc.font('mono').fontSize(6.2).fillColor(ink.soft).text(line, page.left, 806, { lineBreak: false })
    doc.font('plain').fontSize(7).text(`Page ${at + 1} of ${count}`, page.right - 90, 805.4, { width: 90, align: 'right', lineBreak: false })
  }
  const chunks: Buffer[] = []
  const whole = new Promise<Uint8Array>((done, failed) => { doc.on('data', (chunk: Buffer) => chunks.push(chunk)); doc.on('end', () => { done(Buffer.concat(chunks)) }); doc.on('error', failed) })
  doc.end()
  return whole
}
