/** Parameters of Bitcoin's own statements. */
import { minerTags } from '../../../schemas/bitcoinMiners.js'
import { networkOf, type Network } from '../../../schemas/bitcoinNetworks.js'
import type { Config } from '../../../schemas/config.js'

/** What a network's statements get: how it writes addresses, when its subsidy halves, by what its miners are known. */
export const networkParameters = (network: Network): Readonly<Record<string, unknown>> => ({ ...network, ...minerTags })

export const bitcoinParameters = (config: Config): Readonly<Record<string, unknown>> => networkParameters(networkOf(config.BTC_GENESIS))
