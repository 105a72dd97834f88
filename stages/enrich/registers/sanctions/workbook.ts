/** Cells of a workbook (XLSX) as text, sheet by sheet. Readings that stand beside Japanese letters (rPh) are left out. */
import { AppError } from '../../../../schemas/errors.js'
import { readXml } from './xml.js'
import { openZip } from './zip.js'

/** A row's cells by column letter. */
export type Row = Readonly<Record<string, string>>
export interface Sheet { readonly name: string; readonly rows: readonly Row[] }

const textsOf = async (xml: Buffer): Promise<readonly string[]> => {
  const texts: string[] = []
  await readXml(once(xml), {
    open: (path) => { if (path === 'sst/si') texts.push('') },
    close: (path, text) => { if (path === 'sst/si/t' || path === 'sst/si/r/t') texts.push((texts.pop() ?? '') + text) },
  })
  return texts
}

const once = async function* (bytes: Buffer): AsyncGenerator<Buffer> { yield await Promise.resolve(bytes) }

const rowsOf = async (xml: Buffer, texts: readonly string[]): Promise<readonly Row[]> => {
  const rows: Record<string, string>[] = []
  let [column, type] = ['', '']
  await readXml(once(xml), {
    open: (path, attributes) => {
      if (path === 'worksheet/sheetData/row') rows.push({})
      if (path === 'worksheet/sheetData/row/c') { column = /^[A-Z]+/.exec(attributes['r'] ?? '')?.[0] ?? ''; type = attributes['t'] ?? '' }
    },
    close: (path, text) => {
      const row = rows.at(-1)
      if (row === undefined || column === '') return
      if (path === 'worksheet/sheetData/row/c/v') row[column] = type === 's' ? texts[Number(text)] ?? '' : text
      else if (path === 'worksheet/sheetData/row/c/is/t' || path === 'worksheet/sheetData/row/c/is/r/t') row[column] = (row[column] ?? '') + text
    },
  })
  return rows
}

/** All sheets in order. Throws LIST_UNREADABLE. */
export const readWorkbook = async (bytes: Buffer): Promise<readonly Sheet[]> => {
  const zip = await openZip(bytes)
  const need = async (name: string): Promise<Buffer> => {
    const file = await zip.read(name)
    if (file === null) throw new AppError('LIST_UNREADABLE', `The workbook lacks ${name}`, { retry: 'never' })
    return file
  }
  const targets = new Map<string, string>()
  await readXml(once(await need('xl/_rels/workbook.xml.rels')), { open: (_, { Id: id, Target: target }) => { if (id !== undefined && target !== undefined) targets.set(id, target) }, close: () => undefined })
  const listed: { name: string; id: string }[] = []
  await readXml(once(await need('xl/workbook.xml')), { open: (path, attributes) => { if (path === 'workbook/sheets/sheet') listed.push({ name: attributes['name'] ?? '', id: attributes['r:id'] ?? '' }) }, close: () => undefined })
  const strings = await zip.read('xl/sharedStrings.xml')
  const texts = strings === null ? [] : await textsOf(strings)
  const sheets: Sheet[] = []
  for (const { name, id } of listed) sheets.push({ name, rows: await rowsOf(await need(`xl/${(targets.get(id) ?? '').replace(/^\/?(xl\/)?/, '')}`), texts) })
  return sheets
}
