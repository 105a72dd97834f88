/** What a key may ask for, by tier. Prices in USD a month; null: none published or no cap. */
import type { Config } from '../schemas/config.js'

export interface Tier {
  readonly id: 'free' | 'pro' | 'compliance' | 'enterprise'
  readonly name: string
  readonly price: number | null
  readonly priceText: string
  readonly perMinute: number
  readonly daily: number | null
  readonly adds: readonly string[]
  readonly scopes: readonly string[]
}

/** The tier table; the free tier's numbers are those of an instant key. */
export const tiers = (config: Config): readonly Tier[] => [
  { id: 'free', name: 'Free', price: 0, priceText: 'none', perMinute: config.INSTANT_KEY_RATE, daily: config.INSTANT_KEY_DAILY, adds: ['all MCP tools', '90-day key'], scopes: ['read', 'chat', 'screen', 'tags'] },
  { id: 'pro', name: 'Pro', price: 99, priceText: '99 per month', perMinute: 600, daily: 1_000_000, adds: ['managed chat', 'OAuth', 'dashboards', 'named keys'], scopes: ['read', 'chat', 'screen', 'tags'] },
  { id: 'compliance', name: 'Compliance', price: 1000, priceText: '1,000 per month', perMinute: 100, daily: 100_000, adds: ['signed reports', 'continuous monitoring'], scopes: ['read', 'chat', 'screen', 'tags', 'reports'] },
  { id: 'enterprise', name: 'Enterprise', price: null, priceText: 'custom', perMinute: 5_000, daily: null, adds: ['sales-led'], scopes: ['read', 'chat', 'screen', 'tags', 'reports'] },
]

/** Scopes of the key a fresh install prints. */
export const adminScopes = ['read', 'chat', 'screen', 'reports', 'tags', 'pipeline', 'admin'] as const
export const keyLifetimeDays = 90
export const keysPerIpPerDay = 50
