/**
 * The chains this service knows, as data. `finality` (blocks) has no default on purpose: a wrong guess either rewrites history
 * silently or stops the chain. `hasBlocks: false` is a venue without blocks of its own.
 */
export interface Chain {
  readonly id: string
  readonly name: string
  readonly aliases: readonly string[]
  /** live: a pipeline here; perps-only: a venue; pending: known, pipeline not built; unbacked: only recognised. */
  readonly status: 'live' | 'perps-only' | 'pending' | 'unbacked' | 'aggregate'
  readonly hasBlocks: boolean
  /** Blocks after which a block is final; null where the chain has none of its own. A deeper reorg stops the chain. */
  readonly finality: number | null
  /** Age of the newest block, in seconds, past which data counts as stale. */
  readonly staleAfterSeconds: number
  /** Blocks per segment: the unit in which aggregates are recomputed. */
  readonly segmentBlocks: number
  readonly node: string
  /** true: an installation may be without a node of it; until one was heard it counts as pending. */
  readonly optional?: boolean
}

export const chains: readonly Chain[] = [
  { id: 'ETH', name: 'Ethereum', aliases: ['ETHEREUM'], status: 'live', hasBlocks: true, finality: 64, staleAfterSeconds: 120, segmentBlocks: 64, node: 'archive' },
  { id: 'BTC', name: 'Bitcoin', aliases: ['BITCOIN'], status: 'live', hasBlocks: true, finality: 6, staleAfterSeconds: 7200, segmentBlocks: 6, node: 'full', optional: true },
  { id: 'HL', name: 'Hyperliquid', aliases: ['HYPERLIQUID'], status: 'perps-only', hasBlocks: false, finality: null, staleAfterSeconds: 60, segmentBlocks: 1, node: 'venue' },
  { id: 'ALL', name: 'All live chains', aliases: [], status: 'aggregate', hasBlocks: false, finality: null, staleAfterSeconds: 120, segmentBlocks: 1, node: 'mixed' },
  { id: 'MATIC', name: 'Polygon', aliases: ['POLYGON'], status: 'pending', hasBlocks: true, finality: null, staleAfterSeconds: 120, segmentBlocks: 64, node: 'none' },
  { id: 'ARB', name: 'Arbitrum', aliases: [], status: 'unbacked', hasBlocks: true, finality: null, staleAfterSeconds: 120, segmentBlocks: 64, node: 'none' },
  { id: 'AVAX', name: 'Avalanche', aliases: [], status: 'unbacked', hasBlocks: true, finality: null, staleAfterSeconds: 120, segmentBlocks: 64, node: 'none' },
  { id: 'BASE', name: 'Base', aliases: [], status: 'unbacked', hasBlocks: true, finality: null, staleAfterSeconds: 120, segmentBlocks: 64, node: 'none' },
  { id: 'OP', name: 'Optimism', aliases: [], status: 'unbacked', hasBlocks: true, finality: null, staleAfterSeconds: 120, segmentBlocks: 64, node: 'none' },
  { id: 'SOL', name: 'Solana', aliases: [], status: 'unbacked', hasBlocks: true, finality: null, staleAfterSeconds: 120, segmentBlocks: 64, node: 'none' },
]

/** The chain a caller means, by id or alias in any case; undefined when it is not known. */
export const findChain = (received: string): Chain | undefined => {
  const wanted = received.toUpperCase()
  return chains.find((chain) => chain.id === wanted || chain.aliases.includes(wanted))
}

/** Whether a chain has accounts, tokens and swaps. Rules of labels, models and leaders look at these: chains without them have nothing for them. */
export const hasAccounts = (id: string): boolean => id === 'ETH'

/** The ids UNKNOWN_CHAIN lists, as the specification has them: chains with blocks, in alphabetical order. */
export const validChainIds: readonly string[] = chains.filter((chain) => chain.hasBlocks).map((chain) => chain.id).sort()
