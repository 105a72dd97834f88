/** Ethereum's nodes as the pipeline sees them. */
import type { Config } from '../../../schemas/config.js'
import { AppError } from '../../../schemas/errors.js'
import type { Source } from '../../stage.js'
import { openSource, type Asked } from '../source.js'
import { openEndpoint, type Endpoint } from './endpoint.js'
import { fetchBlock, hasNoTraces, type Abilities, type Answers } from './fetchBlock.js'
import { headerAt, latestOf } from './heads.js'
import { land } from './land.js'

const asked = (endpoint: Endpoint, config: Config): Asked<Answers> => {
  const wanted = config.ETH_TRACES === 'auto'
  let abilities: Abilities = {}
  return {
    name: endpoint.name, busy: endpoint.busy, close: endpoint.close,
    latest: () => latestOf(endpoint),
    at: (number) => headerAt(endpoint, number),
    fetch: (number, hash) => fetchBlock(endpoint, abilities, number, hash, wanted),
    isPart: ({ tracesKind }) => wanted && tracesKind === '',
    givesPart: (number, hash) => wanted && hasNoTraces(abilities, number, hash === ''),
    check: async () => {
      // The node behind a name may be another one than before.
      abilities = {}
      let id: number
      try { id = await endpoint.viem.getChainId() } catch (thrown) {
        throw new AppError('RPC_DOWN', `${endpoint.name}: eth_chainId does not answer`, { retry: 'wait', endpoint: endpoint.name, cause: thrown })
      }
      if (id !== config.ETH_CHAIN_ID) throw new AppError('WRONG_CHAIN', `${endpoint.name} is on chain ${id}, not ${config.ETH_CHAIN_ID}: it is not used`, { retry: 'attempt', endpoint: endpoint.name })
    },
  }
}

/** `tell` is told of endpoints that are not used while others are, and when they are again. */
export const openEthereumSource = (config: Config, urls: readonly string[], tell?: (reason: string) => void): Source & { endpoints(): readonly Endpoint[] } => {
  const endpoints = urls.map((url, index) => openEndpoint(url, index, { concurrency: config.ETH_CONCURRENCY, perSecond: config.ETH_REQUESTS_PER_SECOND, timeoutMs: 30_000 }))
  // A block is two calls or more.
  const lanes = Math.ceil(config.ETH_CONCURRENCY / 2)
  return { ...openSource({ asked: endpoints.map((endpoint) => asked(endpoint, config)), finality: config.ETH_FINALITY, lanes, land, tell }), endpoints: () => endpoints }
}
