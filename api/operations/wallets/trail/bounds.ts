/** What a trail is told about the store: how high it looks and whether queues of balances can be whole. */
import type { Ask } from '../../../operation.js'
import { endOfTime } from '../../../fields.js'
import { isWhole } from '../../../reach.js'
import type { Bounds } from './branches.js'

export interface Wanted { readonly source: boolean; readonly since: number | null; readonly until: number | null; readonly limit: number; readonly assumeComplete: boolean; readonly upto?: number }

/** Bounds of a trail on a stored chain; null: nothing is indexed. */
export const boundsOf = async (chain: string, { source, since, until, limit, assumeComplete, upto }: Wanted, ask: Ask): Promise<Bounds | null> => {
  const bounds = (await ask.services.coverage.view()).bounds.get(chain)
  if (bounds === undefined && upto === undefined) return null
  return {
    chain, source, since: since ?? 0, until: until ?? endOfTime, limit, upto: upto ?? bounds?.newest ?? 0,
    whole: assumeComplete || isWhole(bounds), traced: assumeComplete || (bounds !== undefined && bounds.untraced === 0),
  }
}
