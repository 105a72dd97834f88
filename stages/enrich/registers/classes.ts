/** What kind of thing an address is, and how sure a source is of it. */

/** Classes an address may have; 'unknown' where no source says. */
export const addressClasses = [
  'exchange', 'dex', 'lending', 'bridge', 'stablecoin', 'token', 'contract', 'fund', 'miner', 'service', 'gambling', 'market',
  'mixer', 'scam', 'hack', 'ransomware', 'extremism', 'blacklisted', 'sanctioned', 'unknown',
] as const
export type AddressClass = (typeof addressClasses)[number]

const graphsense: Readonly<Record<string, AddressClass>> = {
  exchange: 'exchange', defi_dex: 'dex', defi_lending: 'lending', defi_bridge: 'bridge', defi: 'contract', miner: 'miner', service: 'service', wallet_service: 'service',
  organization: 'service', payment_processor: 'service', hosting: 'service', gambling: 'gambling', market: 'market', mixing_service: 'mixer', coinjoin: 'mixer', black_list: 'blacklisted',
  sanction: 'sanctioned', terrorism: 'extremism', extremism: 'extremism', ransomware: 'ransomware', service_hack: 'hack',
  scam: 'scam', phishing: 'scam', ponzi_scheme: 'scam', pyramid_scheme: 'scam', investment_fraud: 'scam',
}

/** The class of a GraphSense abuse (which weighs more) or category. */
export const classOf = (abuse: string | undefined, category: string | undefined): AddressClass => graphsense[abuse ?? ''] ?? graphsense[category ?? ''] ?? 'unknown'

/** The scale of confidence, 0–100 by level; the table confidence_levels says what each means. */
export const confidenceLevels = {
  ownership: 100, override: 100, ledger_immanent: 100, manual_transaction: 90, service_api: 70, forensic_investigation: 70, authority_data: 60, trusted_provider: 50,
  service_data: 50, forensic: 50, untrusted_transaction: 40, web_crawl: 20, heuristic: 10, unknown: 5,
} as const
export type ConfidenceLevel = keyof typeof confidenceLevels

const isLevel = (name: string): name is ConfidenceLevel => Object.hasOwn(confidenceLevels, name)
/** The level a tag names; 'unknown' where it names none of the scale. */
export const levelOf = (name: string | undefined): ConfidenceLevel => (name !== undefined && isLevel(name) ? name : 'unknown')
