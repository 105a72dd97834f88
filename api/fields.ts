/** Input fields that many operations share, and the chain rules of routes about blocks. */
import { z } from 'zod'
import { findChain, type Chain } from '../schemas/chains.js'
import { chainHasNoBlocks, unknownChain } from './faults.js'

/** A whole number; one that is none, or that no number here holds, is told once. */
const whole = () => z.number().int({ abort: true })

/** A chain by id or alias. What the description leaves out is refused, or has nothing of the kind, as the operation says. */
const chainsTold = (told: string) => z.string().min(1).max(64).describe(told)
export const chainField = chainsTold('ETH, BTC, HL or ALL')
/** Of chains whose movements are stored; of those with accounts; of Ethereum's own; of blocks. */
export const storedField = chainsTold('ETH, BTC or ALL'), accountsField = chainsTold('ETH or ALL'), ethField = chainsTold('ETH'), blocksField = chainsTold('ETH or BTC')
export const limitField = (most: number, usual: number) => whole().min(1).max(most).default(usual).describe('Rows')
export const offsetField = whole().min(0).default(0).describe('Rows to skip; cursor is stable')
/** A time back that is said in a word: 1h to 168h, or 1d to 7d. */
export const windowField = z.string().regex(/^(([1-9]|[1-9]\d|1[0-5]\d|16[0-8])h|[1-7]d)$/)
/** The hours of such a word; undefined where it is none. */
export const hoursOfWord = (word: unknown): number | undefined => {
  const { success, data } = windowField.safeParse(word)
  return success ? Number.parseInt(data, 10) * (data.endsWith('d') ? 24 : 1) : undefined
}

/** Of lists that are short, and whole without it. */
export const skipField = whole().min(0).default(0).describe('Rows to skip')
export const cursorField = z.string().optional().describe('Last next_cursor')
export const addressField = z.string().regex(/^[0-9A-Za-z:._-]{14,128}$/).describe('Address as its chain writes it')
export const heightField = whole().min(0).describe('Height of the block')
export const hoursField = (most: number, usual: number) => whole().min(1).max(most).default(usual).describe('Hours back')
export const usdField = (usual: number) => z.number().min(0).default(usual).describe('Least worth in USD')

/** An optional moment. */
/** Later than any block and anything written down, in Unix milliseconds. */
export const endOfTime = Date.UTC(2200, 0)

export const instantField = (text: string) => z.iso.datetime({ offset: true, local: true, abort: true }).refine((value) => { const at = Date.parse(toUtc(value)); return at >= 0 && at < endOfTime }, { message: 'a time between 1970 and 2200' }).optional().describe(text)
export const sinceField = instantField('Not before, ISO 8601')
export const untilField = instantField('Not after, ISO 8601')
const toUtc = (text: string): string => (/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`)

/** Unix milliseconds of an input time; null where none was given. */
export const millis = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(toUtc(text)))

/** The chain meant by an id or alias; throws UNKNOWN_CHAIN. */
export const chainOf = (received: string): Chain => {
  const chain = findChain(received)
  if (chain === undefined) throw unknownChain(received)
  return chain
}

/** The chain on a route about blocks; throws UNKNOWN_CHAIN, or CHAIN_NO_BLOCKS for venues and aggregates. */
export const blockChainOf = (received: string): Chain => {
  const chain = chainOf(received)
  if (!chain.hasBlocks) throw chainHasNoBlocks(chain.id)
  return chain
}
