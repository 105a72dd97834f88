/** Bitcoin's nodes as the pipeline sees them. */
import { networkOf } from '../../../schemas/bitcoinNetworks.js'
import type { Config } from '../../../schemas/config.js'
import { AppError } from '../../../schemas/errors.js'
import { plain } from '../../../schemas/slots.js'
import type { Source } from '../../stage.js'
import { openSource, type Asked } from '../source.js'
import { openAnnouncements, type Announcements } from './announcements.js'
import { openChecker, type Checker } from './checker.js'
import { openEndpoint, type Endpoint } from './endpoint.js'
import { fetchBlock, type Abilities } from './fetchBlock.js'
import { hashAt, lowestAt, openHeads } from './heads.js'
import { land, type Landing } from './land.js'

/** The compact target no block of the main chain may be easier than. */
const mainEasiest = 0x1d00ffff

const asked = (endpoint: Endpoint, checker: Checker, config: Config, announced: () => string | undefined): Asked<Landing> => {
  const { BTC_GENESIS: genesis, BTC_CHECK_WORK: work } = config
  const { name, mweb } = networkOf(genesis)
  const easiest = name === 'Bitcoin' ? mainEasiest : null
  let abilities: Abilities = {}
  return {
    name: endpoint.name, busy: endpoint.busy, close: endpoint.close, ...openHeads(endpoint, announced), lowest: () => lowestAt(endpoint),
    check: async () => {
      // The node behind a name may be another one than before.
      abilities = {}
      const first = await hashAt(endpoint, 0)
      if (first !== genesis) throw new AppError('WRONG_CHAIN', `${endpoint.name} is on the chain of block ${first ?? '(none)'}, not of ${genesis}: it is not used`, { retry: 'attempt', endpoint: endpoint.name })
    },
    fetch: async (number, known) => {
      const hash = known === '' ? await hashAt(endpoint, number) : known.replace(/^0x/, '')
      if (hash === null) throw new AppError('BLOCK_GONE', `${endpoint.name}: block ${number} is not there (any more)`, { retry: 'wait', endpoint: endpoint.name })
      const { shape, block, spent } = await fetchBlock(endpoint, abilities, config.BTC_BLOCKS, hash)
      const found = await checker.check({ shape, block, spent, demand: { hash, work, easiest, mweb } })
      if (found.problem !== '') {
        found.block.release()
        found.spent.release()
        throw new AppError('BAD_ANSWER', `${endpoint.name}: block ${number}: ${found.problem}`, { retry: 'attempt', endpoint: endpoint.name })
      }
      return { number, hash, parent: found.parent, endpoint: endpoint.name, block: found.block, receipts: found.spent, traces: plain(Buffer.from(found.txids.buffer)), tracesKind: shape === 'json' ? 'btc_json' : 'btc_raw' }
    },
  }
}

/** `tell` is told of endpoints that are not used while others are, and when they are again. */
export const openBitcoinSource = (config: Config, urls: readonly string[], tell?: (reason: string) => void): Source => {
  const checker = openChecker(), network = networkOf(config.BTC_GENESIS)
  const endpoints = urls.map((url, index) => openEndpoint(url, index, { concurrency: config.BTC_CONCURRENCY, perSecond: config.BTC_REQUESTS_PER_SECOND, timeoutMs: 60_000 }))
  // A block is a call for its hash and one or two for its bytes.
  const lanes = Math.ceil(config.BTC_CONCURRENCY / 2)
  let announcements: Promise<Announcements> | undefined, listening: Announcements | undefined
  const source = openSource({ asked: endpoints.map((endpoint) => asked(endpoint, checker, config, () => listening?.newest())), finality: config.BTC_FINALITY, lanes, land: (store, batch, source, attempt, checkpoint) => land(store, batch, source, attempt, network, checkpoint), foresees: true, tell, linked: ({ hash, parent }) => ({ hash, parent }) })
  const zmq = config.BTC_ZMQ_URL
  return {
    ...source,
    ...(zmq === undefined ? {} : { announced: async (over) => { listening = await (announcements ??= openAnnouncements(zmq)); await listening.next(over) } }),
    close: async () => {
      (await announcements?.catch(() => undefined))?.close()
      await source.close()
      await checker.close()
    },
  }
}
