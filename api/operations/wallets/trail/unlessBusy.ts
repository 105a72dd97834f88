/** Funds of a service are other people's: an address that is too busy for one person's is not looked through. */
import { bound } from '../../../deadline.js'
import type { Ask } from '../../../operation.js'
import { knownBusyness, readBusyness, type Busyness } from './busyness.js'

/** From here on an address is taken for a service, and its funds for other people's. */
export const busyTransfers = 100_000

/** What `read` finds of an address (0x and 40 hex digits, lower case). It begins beside the count of what the address moved, and is ended where that is too much: null then. */
export const unlessBusy = async <Found>(address: string, chain: string, ask: Ask, read: (ask: Ask) => Promise<Found>): Promise<Found | null> => {
  const isTooMuch = ({ transfers }: Busyness): boolean => transfers > busyTransfers
  const known = await knownBusyness(address, chain, ask)
  if (known !== undefined) return isTooMuch(known) ? null : read(ask)
  const stop = new AbortController()
  const reading = read(bound(ask, AbortSignal.any([ask.signal, stop.signal])))
  reading.catch(() => undefined)
  try {
    return isTooMuch((await readBusyness([address], chain, ask))(address)) ? null : await reading
  } finally { stop.abort() }
}
