/** The page of the NBCTF: a table of orders (kind, day, validity) and a table of wallets, in which a row with one cell says whose order follows. */
import { normalAddress } from '../../../../schemas/addresses/normalAddress.js'
import { dayOf, type Listing } from './list.js'

/** Number of an order ('18/26') in whatever words it stands, its year with two digits or four; '': there is none. */
export const orderOf = (text: string): string => { const [, number, year] = /(?<!\d)(\d{1,3})\/(?:20)?(\d{2})(?!\d)/.exec(text) ?? []; return number === undefined ? '' : `${number}/${year ?? ''}` }

export interface Order { readonly from: string | null; readonly until: string | null }
export interface IlPage { readonly wallets: readonly Listing[]; readonly orders: ReadonlyMap<string, Order> }

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: '\'', nbsp: ' ' }
const plain = (html: string): string => html.replace(/<br\s*\/?>/gi, ' ').replace(/<[^<>]*>/g, '').replace(/&(#x?[0-9a-f]{1,6}|\w{2,6});/gi, (whole, name: string) => {
  const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : name.startsWith('#') ? Number(name.slice(1)) : NaN
  return Number.isNaN(code) ? named[name.toLowerCase()] ?? whole : code <= 0x10ffff ? String.fromCodePoint(code) : ''
}).replace(/[\s\u200b\u00a0]+/gu, ' ').trim()

/** Tables of a page as rows of cells; a page is not XML, so it is cut by its tags. */
const tablesOf = (html: string): readonly (readonly (readonly string[])[])[] => html.split(/<table\b/i).slice(1).map((table) => (table.split(/<\/table>/i)[0] ?? '').split(/<tr\b/i).slice(1)
  .map((row) => (row.split(/<\/tr>/i)[0] ?? '').split(/<t[dh]\b/i).slice(1).map((cell) => plain((cell.split(/<\/t[dh]>/i)[0] ?? '').replace(/^[^>]*>/, '')))))

/** DD.MM.YYYY. */
const ilDay = (text: string): string | null => { const [, day, month, year] = /(\d{1,2})\.(\d{1,2})\.(\d{4})/.exec(text) ?? []; return day === undefined ? null : dayOf(year ?? '', month ?? '', day) }

/** Reads the page; what is not there is empty. Exchange account numbers in the column of wallets are no addresses and are left out. */
export const ilPage = (html: string): IlPage => {
  const tables = tablesOf(html)
  const headed = (word: string) => tables.find(([header = []]) => header.some((cell) => cell.includes(word)))
  const orders = new Map<string, Order>()
  for (const [kind = '', day = '', validity = ''] of headed('תוקף הצו')?.slice(1) ?? []) {
    const number = orderOf(kind)
    if (number !== '' && !orders.has(number)) orders.set(number, { from: ilDay(day), until: ilDay(validity) })
  }
  const wallets: Listing[] = []
  const [header = [], ...rows] = headed('הארנק') ?? []
  const column = header.findIndex((cell) => cell.includes('הארנק'))
  const [name, currency] = [header.findIndex((cell) => cell.includes('שם')), header.findIndex((cell) => cell.includes('מטבע'))]
  let order = ''
  for (const row of rows) {
    const filled = row.filter((cell) => cell !== '')
    if (filled.length === 1 && orderOf(filled[0] ?? '') !== '' && (filled[0] ?? '').length < 60) { order = `ASO ${orderOf(filled[0] ?? '')}`; continue }
    const address = row[column] ?? ''
    // An account number is short or of digits alone; what is neither and no address is kept and told as unreadable.
    if (address.length < 20 && normalAddress(address).reason !== null) continue
    if (/^\d+$/.test(address)) continue
    wallets.push({ listId: order, ticker: row[currency] ?? '', address, entityName: row[name] ?? '', programme: 'Anti-Terrorism Law 5776-2016', listedOn: null, endsOn: null })
  }
  return { wallets, orders }
}
