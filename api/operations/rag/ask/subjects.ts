/** What a question may be about: the one table of phrases. */

/** `phrases`: what stands for it, as parts of a pattern that match whole words only. `topic`: of chunks about it. `example`: how to ask. */
interface About { readonly phrases: readonly string[]; readonly topic?: string; readonly example: string }

const table = {
  risk: { phrases: ['risk(s|y|iness)?', '(?<!gnosis )safe', 'scams?', 'scammers?', 'phish(ing|ers?)?', 'hack(s|ed|ers?)?', 'exploit(s|ed|ers?)?', 'suspicious', 'malicious', 'abuse', 'fraud(ulent)?', 'stolen', 'compliance', 'illicit'], example: 'Is this address risky: 0x…?' },
  origins: { phrases: ['(come|came|comes|coming) from', 'source of (the |its |their |his |her )?(funds?|money)', 'origins?', 'funded by', 'who funded'], example: 'Where did the money of this address come from: 0x…?' },
  trails: { phrases: ['trac(e|ed|es|ing)', 'follow(ing|ed)? the (money|funds)', 'where\\b.{1,80}\\b(go|goes|went|gone)', 'destinations?'], example: 'Where did the money of this address go: 0x…?' },
  mev: { phrases: ['mev', 'sandwich(es|ed|ing)?', 'arbitrage(s|urs?)?', '(front|back)[- ]?run(s|ning|ners?)?'], example: 'Were there sandwich attacks?' },
  coinjoins: { phrases: ['coin ?joins?', 'wasabi', 'whirlpool', 'joinmarket'], example: 'Were there CoinJoin transactions?' },
  traders: { phrases: ['traders?', 'leaderboards?', 'profitable', 'pnl'], example: 'Which traders on Hyperliquid are profitable?' },
  emerging: { phrases: ['emerging', 'momentum', '(new|early) tokens?'], example: 'Which tokens are emerging?' },
  whales: { phrases: ['whales?', '(large|big|huge|biggest|largest) (transfers?|movements?|transactions?|moves?)'], topic: 'whale_transfer', example: 'What are whales moving?' },
  exchanges: { phrases: ['exchanges?', 'cex', 'inflows?', 'outflows?', 'deposits?', 'withdrawals?', 'net ?flows?'], topic: 'exchange_flow', example: 'How much went into exchanges?' },
  stablecoins: { phrases: ['stablecoins?', 'mint(ed|s|ing)?', 'burn(ed|s|ing|t)?', 'depeg(ged)?', 'frozen', 'freezes?'], topic: 'stablecoin', example: 'Is USDC being minted or burned?' },
  mixers: { phrases: ['mixers?', 'tornado', 'laundering', 'laundered'], topic: 'mixer', example: 'Did anyone use a mixer?' },
  pools: { phrases: ['pools?', 'liquidity'], topic: 'pool', example: 'Which new pools are there?' },
  liquidations: { phrases: ['liquidat(ed|ions?|or|ing)'], topic: 'liquidation', example: 'Were there liquidations?' },
  swaps: { phrases: ['swaps?', 'swapped', 'dex(es)?', 'traded', 'trades?', 'uniswap', 'curve', 'sushiswap', 'balancer'], topic: 'swap', example: 'What was swapped?' },
  gas: { phrases: ['gas', 'base fee', 'gwei', 'priority fee', 'fees?'], example: 'What does gas cost?' },
  perps: { phrases: ['perps?', 'perpetuals?', 'hyperliquid', '(the|this|perps?) venue', 'open interest', 'leverage', 'longs?', 'shorts?'], example: 'How are perps doing?' },
  funding: { phrases: ['funding'], example: 'What is the funding of BTC on Hyperliquid?' },
  sanctions: { phrases: ['sanction(s|ed)?', 'ofac', 'sdn', 'compliance', 'blacklist(ed)?', 'illicit'], example: 'Is this address sanctioned: 0x…?' },
  trending: { phrases: ['trending', 'trends?', 'hot tokens?'], example: 'Which tokens are trending?' },
  alerts: { phrases: ['alerts?', 'alarms?', 'signals?'], example: 'Which alerts are there?' },
  blocks: { phrases: ['(latest|newest|recent|last|new) blocks?'], topic: 'block', example: 'What is in the newest blocks?' },
  smart_money: { phrases: ['smart[ -]money'], example: 'What does smart money buy?' },
  market: { phrases: ['market', 'prices?', 'volumes?'], example: 'How is the market?' },
} as const satisfies Readonly<Record<string, About>>
export type Subject = keyof typeof table
export const subjects: Readonly<Record<Subject, About>> = table

/** What chunks are of: all that stages/index writes. */
export const topics: readonly string[] = Object.values(subjects).flatMap(({ topic }) => topic ?? []).sort()

const names = Object.keys(table) as readonly Subject[]
/** Whole words: neither a letter, a digit nor an underscore beside the phrase. */
const whole = (phrases: readonly string[], flags: string, before = ''): RegExp => new RegExp(`${before}\\b(${phrases.join('|')})\\b`, flags)
const patterns = names.map((name) => [name, whole(subjects[name].phrases, 'i')] as const)
/** "no gas", "without the whales"; "are there no liquidations" asks for them. */
const negated = whole(names.flatMap((name) => subjects[name].phrases), 'gi', '\\b(?<!\\bthere )(?:no|not|without|except|excluding|ignoring) (?:the |any |about )*')

/** The text without what it says it is not about. */
export const withoutNegated = (text: string): string => text.replace(/\s+/g, ' ').replace(negated, ' ')
/** Subjects by the phrases that stand in the text. */
export const isAbout = (text: string): readonly Subject[] => patterns.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)
/** Questions that are understood, one for each subject. */
export const examples: readonly string[] = names.map((name) => subjects[name].example)
