/** What a key may ask for, by tier: the one table behind /v1/billing/tiers, new keys and refusals. Prices in USD a month; null: none published or no cap. */
import type { Config } from '../schemas/config.js'

const ids = ['free', 'pro', 'compliance', 'enterprise'] as const
export type TierId = (typeof ids)[number]

export interface Tier {
  readonly id: TierId
  readonly name: string
  readonly price: number | null
  readonly priceText: string
  readonly perMinute: number
  readonly daily: number | null
  readonly adds: readonly string[]
  readonly scopes: readonly string[]
}

/**
 * The tier table, lowest first: each tier has what those below it add. The free tier's numbers are those of an instant key.
 * 'dashboards' stands here as the specification has it, yet no operation asks for a tier by it: /v1/dashboard/* is marked keyed and no
 * more, its questions are MCP tools too, and a free key reaches every tool.
 */
export const tiers = (config: Pick<Config, 'INSTANT_KEY_RATE' | 'INSTANT_KEY_DAILY'>): readonly Tier[] => [
  { id: 'free', name: 'Free', price: 0, priceText: 'none', perMinute: config.INSTANT_KEY_RATE, daily: config.INSTANT_KEY_DAILY, adds: ['all MCP tools', '90-day key'], scopes: ['read', 'screen', 'tags'] },
  { id: 'pro', name: 'Pro', price: 99, priceText: '99 per month', perMinute: 600, daily: 1_000_000, adds: ['managed chat', 'OAuth', 'dashboards', 'named keys'], scopes: ['read', 'chat', 'screen', 'tags'] },
  { id: 'compliance', name: 'Compliance', price: 1000, priceText: '1,000 per month', perMinute: 100, daily: 100_000, adds: ['signed reports', 'continuous monitoring'], scopes: ['read', 'chat', 'screen', 'tags', 'reports'] },
  { id: 'enterprise', name: 'Enterprise', price: null, priceText: 'custom', perMinute: 5_000, daily: null, adds: ['sales-led'], scopes: ['read', 'chat', 'screen', 'tags', 'reports'] },
]

/** The row of `id`. */
export const tierOf = (config: Parameters<typeof tiers>[0], id: TierId): Tier => {
  const tier = tiers(config).find((one) => one.id === id)
  if (tier === undefined) throw new Error(`no tier ${id}`)
  return tier
}

/** `text` as a tier; undefined where it names none. */
export const tierNamed = (text: string): TierId | undefined => ids.find((id) => id === text)

/** Whether a key of tier `has` may do what `needed` adds; a tier nobody knows reaches nothing. */
export const reaches = (has: string, needed: TierId): boolean => (ids as readonly string[]).indexOf(has) >= ids.indexOf(needed)

/** Scopes of the key a fresh install prints. */
export const adminScopes = ['read', 'chat', 'screen', 'reports', 'tags', 'pipeline', 'admin'] as const
export const keyLifetimeDays = 90
export const keysPerIpPerDay = 50
/** Live keys of one account. */
export const keysPerAccount = 100
