/** Israel's NBCTF: seizure orders. The page has tables of wallets and of orders; wallets of older orders stand in PDFs, whose transcription is bundled. */
import { AppError } from '../../../../schemas/errors.js'
import { readCsv } from './csv.js'
import { ilPage, orderOf } from './ilPage.js'
import { bundledBytes, dayOf, wholeOf, type Listing, type ReadList, type SanctionsList } from './list.js'

const file = 'il_nbctf_seizures_2026-08-21.csv.gz'
const needed = ['schema', 'order_id', 'start_date', 'end_date', 'name', 'wallet_address', 'currency']

/** Why a row of a transcription cannot stand; null: it can. An address that is none is told with the list; a wallet without one would make its order look read. */
const problemOf = (field: (name: string) => string): string | null => {
  const day = [field('start_date'), field('end_date')].find((text) => { const [year = '', month = '', on = ''] = text.split('-'); return text !== '' && dayOf(year, month, on) !== text })
  if (day !== undefined) return `has ${day} where a day stands, YYYY-MM-DD`
  if (orderOf(field('order_id')) === '') return 'names no order: order_id holds its number, such as 18/26'
  return /wallet/i.test(field('schema')) && field('wallet_address').trim() === '' ? 'is a wallet without wallet_address' : null
}

/** Reads the transcription: rows with a wallet; those with an account at an exchange have no address. Throws LIST_UNREADABLE. */
export const readTranscription = async (bytes: AsyncIterable<Buffer>): Promise<ReadList & { readonly orders: ReadonlySet<string> }> => {
  const [header = [], ...rows] = readCsv((await wholeOf(bytes)).toString('utf8'))
  if (!needed.every((name) => header.includes(name))) throw new AppError('LIST_UNREADABLE', `The transcription lacks ${needed.filter((name) => !header.includes(name)).join(', ')}`, { retry: 'never' })
  const of = (row: readonly string[], name: string): string => row[header.indexOf(name)] ?? ''
  for (const [at, row] of rows.entries()) {
    const why = problemOf((name) => of(row, name))
    if (why !== null) throw new AppError('LIST_UNREADABLE', `Row ${at + 2} of the transcription ${why}`, { retry: 'never' })
  }
  const listings = rows.flatMap((row): Listing[] => {
    const field = (name: string): string => of(row, name)
    return field('wallet_address').trim() === '' ? [] : [{
      listId: `ASO ${orderOf(field('order_id'))}`, ticker: field('currency'), address: field('wallet_address').trim(), entityName: field('name'), programme: 'Anti-Terrorism Law 5776-2016',
      listedOn: field('start_date') || null, endsOn: field('end_date') || null,
    }]
  })
  return { publishedAt: null, entries: new Set(listings.map(({ listId }) => listId)).size, listings, orders: new Set(rows.map((row) => orderOf(of(row, 'order_id')))) }
}

/**
 * Reads the page. Wallets of orders that the page still names but shows no wallets of come from what was transcribed of them, by an operator or in the bundled
 * copy, the newest of each order; what an operator transcribed of an order that the page shows is added to it. An order that is in none is told in notes.
 * The page says no day of its own. Throws LIST_UNREADABLE, also where the page is one that keeps programs out.
 */
export const readPage = async (bytes: AsyncIterable<Buffer>, annexes: readonly string[] = []): Promise<ReadList> => {
  const { wallets, orders } = ilPage((await wholeOf(bytes)).toString('utf8'))
  if (wallets.length === 0 || orders.size === 0) throw new AppError('LIST_UNREADABLE', 'The page has no tables of wallets and orders: it may keep programs out', { retry: 'never' })
  const shown = new Set(wallets.map(({ listId }) => orderOf(listId)))
  const transcribed = [await readTranscription(bundledBytes(file)), ...await Promise.all(annexes.map((text) => readTranscription(bytesOf(text))))]
  /** Which transcription holds an order: the newest that names it. */
  const from = new Map(transcribed.flatMap((one) => [...one.orders].map((order) => [order, one] as const)))
  const onPage = new Set(wallets.map(({ listId, address }) => `${orderOf(listId)} ${address}`))
  /** The days of an order as the page says them now; where it says none, `own`. */
  const dated = (listing: Listing, own: Pick<Listing, 'listedOn' | 'endsOn'>): Listing => { const order = orders.get(orderOf(listing.listId)); return { ...listing, listedOn: order?.from ?? own.listedOn, endsOn: order?.until ?? own.endsOn } }
  const carried = transcribed.flatMap((one, at) => one.listings.filter(({ listId, address }) => {
    const order = orderOf(listId)
    return orders.has(order) && from.get(order) === one && (shown.has(order) ? at > 0 && !onPage.has(`${order} ${address}`) : true)
  }).map((listing) => dated(listing, listing)))
  const held = new Set([...shown, ...from.keys()])
  const missing = [...orders.keys()].filter((order) => !held.has(order))
  const listings = [...wallets.map((wallet) => dated(wallet, { listedOn: null, endsOn: null })), ...carried]
  return { publishedAt: null, entries: new Set(listings.map(({ listId }) => listId)).size, listings, notes: missing.length === 0 ? [] : [`Orders whose annexes are not read here: ${missing.join(', ')}`] }
}

const bytesOf = async function* (text: string): AsyncGenerator<Buffer> { yield await Promise.resolve(Buffer.from(text)) }

const url = 'https://nbctf.mod.gov.il/he/MinisterSanctions/PropertyPerceptions/Pages/Blockchain.aspx'

export const il: SanctionsList = {
  register: 'IL_NBCTF', name: 'Administrative seizure orders', authority: 'Israel National Bureau for Counter Terror Financing',
  canaries: ['TWB9xgNG9nmJuwW4etsQEb9RRnrnVnoNnJ', '1EfmRn6Bp3cjrTBubaH8MzRRc2ikSjNGXw'],
  official: { url, aggregator: 'NBCTF page', bytes: 20_000_000, milliseconds: 120_000, open: async (outbound) => Promise.resolve({ source: url, bytes: outbound.stream(url) }), read: readPage },
  bundled: { file, aggregator: 'transcription of orders by OpenSanctions', publishedAt: '2026-08-21', read: readTranscription },
  ordersIn: async (text) => [...(await readTranscription(bytesOf(text))).orders],
}
