/** What speaks against a token, or against reading its balances off its transfers; a flag that is not there was not found, which proves nothing. */
import { z } from 'zod'

export const Flag = z.object({ flag: z.enum(['fake_symbol', 'rebasing', 'fee_on_transfer', 'no_decimals', 'not_listed']), why: z.string() })
export type Flag = z.infer<typeof Flag>

/** Counts are of the last 24 hours; rebases_as is the name of a token that is known to rebase, '' of others; imitates is the listed token whose symbol it bears. */
interface Signs { readonly listed: boolean; readonly imitates: string | null; readonly is_described: boolean; readonly decimals: number | null; readonly rebases: number; readonly rebases_as: string; readonly buys_compared: number; readonly buys_lessened: number; readonly made: boolean; readonly broken: number }

/** The flags that the signs of a token bear out. */
export const flagsOf = ({ listed, imitates, is_described: described, decimals, rebases, rebases_as: known, buys_compared: compared, buys_lessened: lessened, made, broken }: Signs): Flag[] => {
  const flags: Flag[] = []
  if (imitates !== null) flags.push({ flag: 'fake_symbol', why: `Its symbol looks like that of ${imitates}, which a bundled list names` })
  if (rebases > 0) flags.push({ flag: 'rebasing', why: `${rebases} events of a rebase in 24 hours` })
  else if (known !== '') flags.push({ flag: 'rebasing', why: `${known} is known to change balances without a transfer` })
  else if (made && broken > 0) flags.push({ flag: 'rebasing', why: `${broken} holders gave more than they were sent` })
  if (lessened >= 3 && lessened * 2 >= compared) flags.push({ flag: 'fee_on_transfer', why: `In ${lessened} of ${compared} purchases less arrived than the pool gave` })
  if (described && decimals === null) flags.push({ flag: 'no_decimals', why: 'The decimals are not known: amounts have no value' })
  if (!listed) flags.push({ flag: 'not_listed', why: 'No bundled list names it' })
  return flags
}
