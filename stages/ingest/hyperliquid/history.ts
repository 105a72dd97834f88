/** What accounts dealt before they were followed, as far as the venue keeps it: asked for once. What it does not keep is told, and so is, until all was asked for, that it has yet to be. */
import { gap } from './buffer.js'
import type { Heard } from './journal.js'
import { fillsKept, fillsPage } from './missed.js'
import { askPages } from './pages.js'

type Page = readonly { readonly time: number }[]
/** The question stands under this one however often it is asked. */
const open = { from: 0, to: 0, reason: 'what was dealt before it was followed' }

/** Asks about `account` by `ask`, oldest first, and what is asked `also`. Rejects as these do: then it stays to be asked. */
export const askHistory = async (account: string, ask: (startTime: number) => Promise<Page>, also: () => Promise<unknown>, hear: (one: Heard) => void): Promise<void> => {
  hear(gap(open, 'history', account, 'waits'))
  const { items, oldest, newest, stuck } = await askPages(ask, 0, fillsPage)
  if (items >= fillsKept || stuck) hear(gap({ from: 0, to: stuck ? newest : oldest, reason: 'the venue keeps no fills from before' }, 'history', account))
  await also()
  hear(gap(open, 'history', account, 'over'))
}
