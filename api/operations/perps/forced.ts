/** Whether silence about liquidations means that there were none: a node's files alone tell of all accounts, the socket of those that are followed. */
import type { Ask } from '../../operation.js'

/** Makes of a sum of what was closed by force since `from` (Unix milliseconds) null, unknown, where it is 0 and no file was read since. */
export const forcedKnown = async (ask: Pick<Ask, 'services'>): Promise<(sum: number, from: number) => number | null> => {
  const read = (await ask.services.coverage.view()).files?.get('HL') ?? 0
  return (sum, from) => (sum === 0 && read < from ? null : sum)
}
