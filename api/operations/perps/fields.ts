/** Fields the questions and records about the perps venue share. Prices and dollars are numbers, sizes decimal strings in units of the coin, ratios fractions of one. */
import { z } from 'zod'
import { EvmAddress, Instant } from '../../../schemas/primitives.js'
import { CoverageStatus } from '../../coverage.js'
import { untrusted } from '../../untrusted.js'

export const hoursField = (least: number, most: number, usual: number) => z.number().int().min(least).max(most).default(usual).describe('Hours back from now')
export const coinField = z.string().regex(/^[A-Za-z0-9:@/_.-]{1,32}$/).describe('Coin as the venue names it: BTC, @107, xyz:AAPL')
export const coinsField = z.string().regex(/^[A-Za-z0-9:@/_.-]{1,32}(,[A-Za-z0-9:@/_.-]{1,32}){0,49}$/).default('BTC,ETH,SOL,XRP,HYPE,DOGE,BNB,SUI,AVAX,LINK').describe('Coins, comma-separated, 50 at most')
export const traderField = z.string().regex(/^0x[0-9a-fA-F]{40}$/).describe('Account')

/** Named by whoever listed it. */
export const Coin = z.string().transform((text) => untrusted(text)).pipe(z.string())
export const Trader = EvmAddress
export const At = Instant
export const Price = z.number()
export const Usd = z.number()
export const Ratio = z.number()
export const Size = z.string().regex(/^-?\d+(\.\d+)?$/)
export const Side = z.enum(['long', 'short'])
/** Of the payments due while positions were open. */
export const FundingKnown = Ratio.nullable().describe('Share of funding heard; the rest is in no profit')
export const Style = z.enum(['SNIPER', 'DIRECTIONAL', 'STEAMROLLER', 'HEDGER'])
/** Why something was flagged: each rule that spoke, its points and what it saw. */
export const Evidence = z.array(z.object({ rule: z.string(), points: z.number(), detail: z.string() }))
/** What every answer about the venue opens with. */
export const venue = { chain: z.literal('HL'), coverage_status: CoverageStatus }
