import { bitcoinText } from '../../../../schemas/bitcoin.js'
import { isAbout, subjects, withoutNegated, type Subject } from './subjects.js'

/** What a question names, by strict patterns: nothing is guessed. */
export interface Understood {
  readonly txs: readonly string[]
  readonly addresses: readonly string[]
  readonly bitcoinAddresses: readonly string[]
  readonly blocks: readonly number[]
  /** Upper-case words that look like tokens. */
  readonly symbols: readonly string[]
  /** Words that look like coins of the perps venue, as it writes them: BTC, kPEPE, xyz:AAPL. */
  readonly coins: readonly string[]
  /** Subjects, by the words that stand for them. */
  readonly subjects: ReadonlySet<Subject>
  /** How far back it asks, where it says so in hours, days or weeks; null: it does not. */
  readonly hours: number | null
  /** Other words worth looking for in a chunk. */
  readonly words: readonly string[]
}
/** Words that say nothing about what is looked for. */
const plain = new Set(('the and for are was were what when where which who whom why how did does doing done has have had any all from into onto over than that this these those there their them they with without about above below more most less least '
  + 'show give tell find list get see look please can could would should will just now today yesterday hour hours day days week recent recently latest last new happened happening happen going chain ethereum bitcoin block blocks transaction transactions '
  + 'address addresses token tokens wallet wallets large larger biggest big moved move movement movements transfer transfers amount value much many some you your our its his her not only also between during since until me my of to in on at is it by be an or as do').split(' '))
const notTokens = new Set(['HL', 'ALL', 'USD', 'UTC', 'OFAC', 'SDN', 'DEX', 'CEX', 'TX', 'TXS', 'OK', 'AI', 'API', 'MCP', 'NFT', 'DEFI', 'MEV', 'EOA', 'ERC', 'TVL', 'OI', 'PNL', 'US', 'UK', 'EU', 'WHO', 'WHAT', 'WHEN', 'HOW', 'WHY', 'THE', 'IS', 'ARE', 'IN', 'ON', 'OF', 'TO', 'AND'])

/** Of a height: more is none. */
const mostDigits = 10

const some = <Value>(values: Iterable<Value>, most: number): readonly Value[] => [...new Set(values)].slice(0, most)
const placed = (text: string, pattern: RegExp): readonly (readonly [at: number, one: string])[] => [...text.matchAll(pattern)].map((match) => [match.index, match[1] ?? match[0]])
const found = (text: string, pattern: RegExp): readonly string[] => placed(text, pattern).map(([, one]) => one)

const height = /(\d{1,3}(?:[,_ ]\d{3})+|\d{1,10})(?!\d)/g
/** The height behind the word, and all of those behind its plural: blocks 5, 6 and 9. */
const oneBlock = new RegExp(`\\bblocks?\\s*(?:number|height|no\\.?)?\\s*#?\\s*${height.source}`, 'gi'), severalBlocks = new RegExp(`\\bblocks\\s*#?\\s*(?:${height.source.replace('(', '(?:')}(?:\\s*(?:,|and|&|or|to|-|–)\\s*)*#?)+`, 'gi')

/** "the last hour", "past 3 days", "24h": more than the longest window of any tool is the longest. */
const hoursIn = { h: 1, d: 24, w: 168 } as const
const hoursOf = (text: string): number | null => {
  const [, told = '', unit = ''] = /\b(?:last|past|previous)\s+(\d{1,4})?\s*(h|d|w|hours?|days?|weeks?)\b/i.exec(text) ?? /\b(\d{1,4})\s?(h|hours?|days?|weeks?)\b/i.exec(text) ?? []
  const each = hoursIn[unit.charAt(0).toLowerCase() as keyof typeof hoursIn] as number | undefined, count = told === '' ? 1 : Number(told)
  return each === undefined || count === 0 ? null : Math.min(168, each * count)
}

/** A coin that no token is called like: of a thousand, of another dex of the venue, or made up. */
const ofVenue = /(?<![\w$@:/.-])\$?((?:(?!(?:token|coin|symbol|asset|ticker|pair|chain|eth|btc)s?:)[a-z][a-z0-9]{1,9}:k?|SYN-k?|k)[A-Z][A-Z0-9]{1,9})(?![\w:-])/g

export const understand = (question: string): Understood => {
  const txs = some(found(question, /\b(?:0x)?([0-9a-fA-F]{64})\b/g).map((one) => `0x${one.toLowerCase()}`), 4)
  const addresses = some(found(question, /\b0x[0-9a-fA-F]{40}\b/g).map((one) => one.toLowerCase()), 4)
  const bitcoinAddresses = some(found(question, /\b(bc1[02-9ac-hj-np-z]{11,71}|BC1[02-9AC-HJ-NP-Z]{11,71}|[13][1-9A-HJ-NP-Za-km-z]{25,33})\b/g).map(bitcoinText), 4)
  const blocks = some([...found(question, oneBlock), ...found(question, severalBlocks).flatMap((list) => found(list, height))].map((one) => one.replace(/\D/g, '')).filter((digits) => digits.length <= mostDigits).map(Number), 8)
  const rest = withoutNegated(question.replace(/\b(?:0x[0-9a-fA-F]+|[0-9a-fA-F]{64})\b/g, ' '))
  const named = placed(rest.replace(ofVenue, (one) => ' '.repeat(one.length)), /(?:\$|\b)([A-Z][A-Z0-9]{1,9})\b/g).filter(([, one]) => !notTokens.has(one))
  const symbols = some(named.map(([, one]) => one), 4)
  const coins = some([...placed(rest, ofVenue), ...named].sort(([one], [other]) => one - other).map(([, one]) => one), 4)
  const words = some(found(rest.toLowerCase(), /\b[a-z][a-z0-9]{2,24}\b/g).filter((one) => !plain.has(one)), 8)
  return { txs, addresses, bitcoinAddresses, blocks, symbols, coins, words, hours: hoursOf(rest), subjects: new Set(isAbout(rest)) }
}

/** Topics of chunks that the subjects stand for. */
export const topicsOf = ({ subjects: asked }: Understood): readonly string[] => [...asked].flatMap((subject) => subjects[subject].topic ?? [])

/** Whether nothing in the question was understood: then only its other words are looked for. */
export const isUnknown = ({ txs, addresses, bitcoinAddresses, blocks, coins, subjects: asked }: Understood): boolean =>
  txs.length + addresses.length + bitcoinAddresses.length + blocks.length + coins.length + asked.size === 0
