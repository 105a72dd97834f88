/** Headers of an Ethereum endpoint, by viem. */
import type { Block } from 'viem'
import { AppError, messageOf } from '../../../schemas/errors.js'
import type { BlockHead } from '../../stage.js'
import type { Endpoint } from './endpoint.js'
import { wireFault } from './pacedTransport.js'

const toHead = (block: Block): BlockHead | null =>
  block.number === null || block.hash === null ? null : { number: Number(block.number), hash: block.hash, parentHash: block.parentHash, time: Number(block.timestamp) }

/** The block is not there, or was pruned (EIP-4444: code 4444). */
const notFound = (thrown: unknown): boolean => thrown instanceof Error && (thrown.name === 'BlockNotFoundError' || /pruned|history (is )?unavailable/i.test(thrown.message))

/** The header at a height of one endpoint's chain, null where it has none. */
export const headerAt = async (endpoint: Endpoint, number: number): Promise<BlockHead | null> => {
  try {
    return toHead(await endpoint.viem.getBlock({ blockNumber: BigInt(number), includeTransactions: false }))
  } catch (thrown) {
    if (notFound(thrown)) return null
    throw new AppError('RPC_DOWN', wireFault(thrown)?.message ?? `${endpoint.name}: eth_getBlockByNumber: ${messageOf(thrown).split('\n')[0] ?? ''}`, { retry: 'wait', endpoint: endpoint.name, cause: thrown })
  }
}

/** The newest header of one endpoint's chain, null where it has none. */
export const latestOf = async (endpoint: Endpoint): Promise<BlockHead | null> => {
  try {
    return toHead(await endpoint.viem.getBlock({ blockTag: 'latest', includeTransactions: false }))
  } catch (thrown) {
    if (notFound(thrown)) return null
    throw wireFault(thrown) ?? thrown
  }
}
