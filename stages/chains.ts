/** The chains that have a pipeline here. Adding one: its source in ingest/, its statements in normalize/, a line below. */
import { AppError } from '../schemas/errors.js'
import { findChain } from '../schemas/chains.js'
import type { Config } from '../schemas/config.js'
import { tokenDescriber } from './enrich/tokenMetadata.js'
import { openBitcoinSource } from './ingest/bitcoin/source.js'
import { openEthereumSource } from './ingest/ethereum/source.js'
import { openHyperliquidSource } from './ingest/hyperliquid/source.js'
import { bitcoinParameters } from './normalize/bitcoin/parameters.js'
import { normalizeBitcoin, presentBitcoin, stillRead } from './normalize/bitcoin/statements.js'
import { normalizeEthereum, presentEthereum } from './normalize/ethereum/statements.js'
import { normalizeHyperliquid } from './normalize/hyperliquid/statements.js'
import type { ChainModule, Statements } from './stage.js'

/** How a chain's answers become rows, and how many of them are there: what needs no node. */
export type Reading = Pick<ChainModule, 'normalize' | 'whole' | 'stillRead'>

const readings = {
  ETH: { normalize: normalizeEthereum, whole: presentEthereum },
  BTC: { normalize: normalizeBitcoin, whole: presentBitcoin, stillRead },
  HL: { normalize: normalizeHyperliquid },
} satisfies Readonly<Record<string, Reading>>

/** That of a chain; undefined where it has no pipeline. */
export const readingOf = (chain: string): Reading | undefined => (readings as Readonly<Record<string, Reading>>)[chain]

type Tell = (chain: string, reason: string) => void

const ethereum = (config: Config, tell: Tell): ChainModule | undefined => {
  const chain = findChain('ETH')
  if (config.ETH_RPC_URL === undefined || chain === undefined) return undefined
  const source = openEthereumSource(config, config.ETH_RPC_URL, (reason) => { tell('ETH', reason) })
  return {
    chain, source, ...readings.ETH, finality: config.ETH_FINALITY, pollMs: config.ETH_POLL_MS, maxBatch: config.ETH_MAX_BATCH,
    startBlock: config.ETH_START_BLOCK, describeTokens: tokenDescriber(source.endpoints().map((endpoint) => endpoint.viem)),
  }
}

const bitcoin = (config: Config, tell: Tell): ChainModule | undefined => {
  const chain = findChain('BTC')
  if (config.BTC_RPC_URL === undefined || chain === undefined) return undefined
  return {
    chain, source: openBitcoinSource(config, config.BTC_RPC_URL, (reason) => { tell('BTC', reason) }), ...readings.BTC, parameters: bitcoinParameters(config), finality: config.BTC_FINALITY, pollMs: config.BTC_POLL_MS, maxBatch: config.BTC_MAX_BATCH,
    startBlock: config.BTC_START_BLOCK,
  }
}

/** Milliseconds between batches of what the venue said: a batch costs five stages however little is in it, and the newest trades are answered before. */
const batchMs = 2_000

/** A segment is final when it stands: `finality` only says what counts as the tip. */
const hyperliquid = (config: Config, tell: Tell): ChainModule | undefined => {
  const chain = findChain('HL')
  if ((config.HL_API_URL === undefined && config.HL_FILES_DIR === undefined) || chain === undefined) return undefined
  return { chain, source: openHyperliquidSource(config, (reason) => { tell('HL', reason) }), ...readings.HL, finality: 64, pollMs: 100, maxBatch: 64, startBlock: 1, together: { everyMs: batchMs } }
}

/** Each chain's normalizing statements, for `npm run map`. */
export const normalizers: Readonly<Record<string, Statements>> = Object.fromEntries(Object.entries(readings).map(([chain, { normalize }]) => [chain, normalize]))

/** Parameters of a chain's own statements; undefined where they have none. */
export const parametersOf = (chain: string, config: Config): ChainModule['parameters'] => (chain === 'BTC' ? bitcoinParameters(config) : undefined)

/** Opens the chains the environment names nodes for; an error when it names none. `tell` is told what a source cannot hear, and which endpoints it does without. */
export const openChains = (config: Config, tell: Tell): readonly ChainModule[] => {
  const modules = [ethereum(config, tell), bitcoin(config, tell), hyperliquid(config, tell)].filter((module) => module !== undefined)
  if (modules.length === 0) throw new AppError('BAD_ENVIRONMENT', 'No chain has a node: set ETH_RPC_URL, BTC_RPC_URL, HL_API_URL or HL_FILES_DIR (npm run up starts a replay of recorded blocks where they are unset).')
  return modules
}
