/** Whether a list may take the place of the one in force. A list that lost much of what it had is more likely damaged than emptied. */
import { normalAddress } from '../../../../schemas/addresses/normalAddress.js'
import type { Designation } from './designation.js'

/** Share of its addresses that a list may lose at once. */
export const mostLost = 0.05

const dayMs = 86_400_000
/** A list is measured against all that it held for so long: one that loses a little with every version does not get by. */
export const measuredMs = 30 * dayMs

/** What a list held: a content that was in force. */
export interface Kept { readonly version: string; readonly keys: ReadonlySet<string> }
export interface InForce { /** Contents of the last days, the one in force among them. */ readonly kept: readonly Kept[]; /** YYYY-MM-DD; null where the list does not say. */ readonly publishedAt: string | null }

/** Why `rows` are refused; null: they are not. `shrunk` true: an operator looked at what is gone and takes it; what names no canary at all is another list even then. */
export const refusal = (rows: readonly Designation[], publishedAt: string | null, canaries: readonly string[], before: InForce | null, shrunk: boolean, now: number = Date.now()): string | null => {
  const keys = new Set(rows.map(({ key }) => key))
  if (keys.size === 0) return 'It names no address'
  // Once in force, a mistaken date would keep every list after it out. East of Greenwich a day begins earlier, by up to 14 hours.
  if (publishedAt !== null && Date.parse(publishedAt) > now + dayMs) return `It is of ${publishedAt}, a day to come`
  const lost = canaries.filter((address) => !keys.has(normalAddress(address).key))
  if (lost.length > 0 && (!shrunk || lost.length === canaries.length)) return `It does not name ${lost.join(', ')}, which this list has named for years: it is damaged or another list`
  if (before === null) return null
  if (publishedAt !== null && before.publishedAt !== null && publishedAt < before.publishedAt) return `It is of ${publishedAt}, older than the one in force, of ${before.publishedAt}`
  for (const { version, keys: had } of shrunk ? [] : before.kept) {
    const gone = [...had].filter((key) => !keys.has(key)).length
    if (gone > had.size * mostLost) return `${gone} of ${had.size} addresses of version ${version} are gone, more than ${100 * mostLost} %`
  }
  return null
}
