/** Listings as they are kept: the address in its normal form, with what was mended or why it is in none. */
import { createHash } from 'node:crypto'
import { normalAddress } from '../../../../schemas/addresses/normalAddress.js'
import { cleanText } from '../../cleanText.js'
import type { Listing } from './list.js'

export interface Designation {
  readonly key: string; readonly list_id: string; readonly ticker: string; readonly address: string; readonly also: readonly string[]; readonly chain: string; readonly repaired: string; readonly unreadable: string
  readonly entity_name: string; readonly programme: string; readonly listed_on: string | null; readonly ends_on: string | null; readonly confidence: number
}

/** Tickers of chains that write addresses as Bitcoin does: there the ticker says the chain. */
const forks: ReadonlySet<string> = new Set(['BCH', 'BSV'])

const designationOf = ({ listId, ticker, address, entityName, programme, listedOn, endsOn }: Listing): Designation => {
  const read = normalAddress(address)
  return {
    key: read.key, list_id: cleanText(listId), ticker: cleanText(ticker, 20), address: cleanText(address, 200), also: read.also, chain: read.chain === 'BTC' && forks.has(ticker) ? ticker : read.chain,
    repaired: read.repaired ?? '', unreadable: read.reason ?? '', entity_name: cleanText(entityName, 300), programme: cleanText(programme, 300), listed_on: listedOn, ends_on: endsOn,
    // The text that was listed is found; that it is the address that was meant is less sure where it was mended or is in no form.
    confidence: read.reason !== null ? 0.9 : read.repaired !== null ? 0.95 : 1,
  }
}

const nameOf = (one: Designation): string => [one.key, one.list_id, one.ticker, one.address].join('\u0000')

/** Each listing once, in order; none is dropped for its form. content is the SHA-256 of all of them: two equal ones say the same. */
export const designationsOf = (listings: readonly Listing[]): { readonly rows: readonly Designation[]; readonly content: string } => {
  const rows = [...new Map(listings.map(designationOf).map((row) => [nameOf(row), row] as const))].sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)).map(([, row]) => row)
  return { rows, content: createHash('sha256').update(JSON.stringify(rows)).digest('hex') }
}
