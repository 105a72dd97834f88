/** Dexes of the venue: its own, named '', and those of others (HIP-3), after which their coins are named: xyz:AAPL. */
interface StateOf { readonly user: `0x${string}`; readonly dex?: string }

/** The venue's own, then those that `coins` are of. */
export const dexesOf = (coins: Iterable<string>): string[] => ['', ...new Set([...coins].filter((coin) => coin.includes(':')).map((coin) => coin.slice(0, coin.indexOf(':'))))]

/** The question about an account's margin and positions on a dex: the venue's own goes without a name. */
export const stateOf = (user: string, dex: string): StateOf => ({ user: user as `0x${string}`, ...(dex === '' ? {} : { dex }) })

/** What it asks about, in words. */
export const named = ({ user, dex }: StateOf): string => (dex === undefined ? user : `${user} on ${dex}`)
