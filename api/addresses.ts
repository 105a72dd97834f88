/** Addresses that callers give: their text in one form, and the id under which a chain's tables know them. */
import { bitcoinId, bitcoinScriptType, bitcoinText } from '../schemas/bitcoin.js'
import { networkOf } from '../schemas/bitcoinNetworks.js'
import { chains, type Chain } from '../schemas/chains.js'
import type { Config } from '../schemas/config.js'
import { EvmAddress } from '../schemas/primitives.js'

/** The address as its chain writes it: hex in lower case, segwit in lower case, anything else as given. */
export const plainAddress = (received: string): string => (/^0x/i.test(received) ? received.toLowerCase() : bitcoinText(received))

/** The chain an address without one is of, by its form. */
export const chainOfForm = (address: string): 'ETH' | 'BTC' => (address.startsWith('0x') ? 'ETH' : 'BTC')

/** The chain to look for `address` on: ALL is the one whose addresses look like it, since an address is of one chain alone. */
export const chainOfAddress = (asked: Chain, address: string): Chain => (asked.status !== 'aggregate' ? asked : chains.find(({ id }) => id === chainOfForm(address)) ?? asked)

/** What stands for a script of Bitcoin that has no address, as a bare key: script and the SHA-256 of the script. */
const isScript = (address: string): boolean => /^script[0-9a-f]{64}$/.test(address)

/** What is followed under the id of Bitcoin: the network that the configuration names. */
export interface Configured { readonly config: Pick<Config, 'BTC_GENESIS'> }
/** Whether `address` (as plainAddress gives it) is written as an address of Bitcoin, of the network that is followed. */
export const isBitcoin = (address: string, { config }: Configured): boolean => bitcoinScriptType(address, networkOf(config.BTC_GENESIS)) !== null
/** Whether `address` (as plainAddress gives it) can be one of the chain `stored`. */
export const fits = (address: string, stored: string, configured: Configured): boolean => (stored === 'BTC' ? isBitcoin(address, configured) || isScript(address) : EvmAddress.safeParse(address).success)

/** What labels and dictionaries call `address` of `stored`: 0x and 40 hex digits on chains with tables of movements, the text elsewhere. Labels may be of any network. */
export const labelKey = (address: string, stored: string): string => (stored === 'BTC' && (bitcoinScriptType(address) !== null || isScript(address)) ? bitcoinId(address) : address)

/** Hex without 0x under which tables of `stored` know `address`; it must fit. */
export const idOf = (address: string, stored: string): string => labelKey(address, stored).slice(2)
