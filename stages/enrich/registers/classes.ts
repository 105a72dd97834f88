/** What kind of thing an address is, and how sure a source is of it. */
import { riskyClasses } from '../../../schemas/riskyClasses.js'
import { cleanText } from '../cleanText.js'

/** Classes an address may have; 'unknown' where no source says. */
export const addressClasses = [
  'exchange', 'dex', 'lending', 'bridge', 'stablecoin', 'token', 'contract', 'fund', 'whale', 'mev_bot', 'miner', 'service', ...riskyClasses, 'unknown',
] as const
export type AddressClass = (typeof addressClasses)[number]
type RiskyClass = (typeof riskyClasses)[number]

/** What somebody did, by the names that TagPacks and vendors have for it. */
const abuses: Readonly<Record<string, RiskyClass>> = {
  ...(Object.fromEntries(riskyClasses.map((name) => [name, name])) as Record<RiskyClass, RiskyClass>),
  sanction: 'sanctioned', sanctions: 'sanctioned', terrorism: 'extremism', terrorism_financing: 'extremism', ransom: 'ransomware', black_list: 'blacklisted', enforcement_action: 'blacklisted',
  service_hack: 'hack', exploit: 'hack', theft: 'hack', stolen_funds: 'hack', stolen_coins: 'hack', dark_market: 'market', darknet_market: 'market', dark_service: 'market', illegal_service: 'market',
  sextortion: 'scam', extortion: 'scam', fraud: 'scam', phishing: 'scam', ponzi_scheme: 'scam', pyramid_scheme: 'scam', investment_fraud: 'scam', fraudulent_exchange: 'scam', mixing_service: 'mixer', coinjoin: 'mixer',
}
/** What somebody is; an abuse may stand here, too. */
const categories: Readonly<Record<string, AddressClass>> = {
  ...abuses, ...(Object.fromEntries(addressClasses.map((name) => [name, name])) as Record<AddressClass, AddressClass>),
  exchange_hot: 'exchange', exchange_cold: 'exchange', exchange_deposit: 'exchange', defi_dex: 'dex', liquidity_pool: 'dex', liquidity_pools: 'dex', defi_lending: 'lending', defi_bridge: 'bridge', defi: 'contract',
  hedge_fund: 'fund', mining_service: 'miner', wallet_service: 'service', wallet: 'service', organization: 'service', payment_processor: 'service', payment: 'service', hosting: 'service', vpn: 'service', atm: 'service',
  donation: 'service', marketplace: 'service', user: 'unknown',
}

const plain = (name: string | undefined): string => (name ?? '').trim().toLowerCase().replace(/[\s-]+/g, '_')
/** YAML's ways to say nothing: a tag takes back so what its pack says of all. */
const nothing: ReadonlySet<string> = new Set(['', '~', 'null'])
const among = <Class>(names: Readonly<Record<string, Class>>, name: string | undefined): Class | undefined => (Object.hasOwn(names, plain(name)) ? names[plain(name)] : undefined)

/** The class of an abuse (which weighs more) or category. An abuse that is not known is not passed over for the category: that may weigh nothing. */
export const classOf = (abuse: string | undefined, category: string | undefined): AddressClass =>
  among(abuses, abuse) ?? (nothing.has(plain(abuse)) ? among(categories, category) : undefined) ?? 'unknown'

const refusal = (field: string, name: string | undefined, names: Readonly<Record<string, string>>): string =>
  (nothing.has(plain(name)) || among(names, name) !== undefined ? '' : `${field} ${cleanText(name ?? '', 40)} is none of ${Object.keys(names).join(', ')}`)
/** Why an abuse cannot be taken; '' where it can. */
export const wrongAbuse = (name: string | undefined): string => refusal('abuse', name, abuses)
/** The same of a category. */
export const wrongCategory = (name: string | undefined): string => refusal('category', name, categories)

/** The scale of confidence, 0–100 by level; the table confidence_levels says what each means. */
export const confidenceLevels = {
  ownership: 100, override: 100, ledger_immanent: 100, manual_transaction: 90, service_api: 70, forensic_investigation: 70, authority_data: 60, trusted_provider: 50,
  service_data: 50, forensic: 50, untrusted_transaction: 40, web_crawl: 20, heuristic: 10, unknown: 5,
} as const
export type ConfidenceLevel = keyof typeof confidenceLevels

const isLevel = (name: string): name is ConfidenceLevel => Object.hasOwn(confidenceLevels, name)
/** The level a tag names; 'unknown' where it names none of the scale. */
export const levelOf = (name: string | undefined): ConfidenceLevel => (name !== undefined && isLevel(name) ? name : 'unknown')
