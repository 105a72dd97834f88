/** The head the endpoints agree on, by viem. A dissenting endpoint is named, never followed. */
import type { Block } from 'viem'
import { AppError, messageOf } from '../../../schemas/errors.js'
import type { BlockHead } from '../../stage.js'
import type { Endpoint } from './endpoint.js'

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
    throw new AppError('RPC_DOWN', `${endpoint.name}: eth_getBlockByNumber: ${messageOf(thrown).split('\n')[0] ?? ''}`, { retry: 'wait', endpoint: endpoint.name, cause: thrown })
  }
}

const latestOf = async (endpoint: Endpoint): Promise<BlockHead | null> => {
  try {
    return toHead(await endpoint.viem.getBlock({ blockTag: 'latest', includeTransactions: false }))
  } catch (thrown) {
    if (notFound(thrown)) return null
    throw thrown
  }
}

export interface AgreedHead extends BlockHead { readonly endpoint: string; /** Endpoints that answered with another hash at this height. */ readonly dissenters: readonly string[] }

/**
 * The highest block on which more than half of the answering endpoints agree. With one endpoint: its latest. With several, each is
 * asked for its latest; the height compared is the median of them (one runaway or lagging node does not decide).
 */
export const agreedHead = async (endpoints: readonly Endpoint[]): Promise<AgreedHead> => {
  const latest = await Promise.allSettled(endpoints.map(latestOf))
  const alive = endpoints.flatMap((endpoint, index) => {
    const answer = latest[index]
    return answer?.status === 'fulfilled' && answer.value !== null ? [{ endpoint, head: answer.value }] : []
  })
  if (alive.length === 0) {
    const reason = latest.map((answer, index) => (answer.status === 'rejected' ? `${endpoints[index]?.name ?? ''}: ${messageOf(answer.reason).split('\n')[0] ?? ''}` : '')).filter((text) => text !== '').join('; ')
    throw new AppError('RPC_DOWN', `No endpoint gives its head: ${reason || 'no blocks'}`, { retry: 'wait' })
  }
  const heights = alive.map((entry) => entry.head.number).sort((left, right) => left - right)
  const height = heights[Math.floor((heights.length - 1) / 2)] ?? 0
  const votes = await Promise.all(alive.map(async ({ endpoint, head }) => ({
    endpoint, head: head.number === height ? head : await headerAt(endpoint, height).catch(() => null),
  })))
  const cast = votes.flatMap(({ endpoint, head }) => (head === null ? [] : [{ endpoint, head }]))
  const winner = cast.find(({ head }) => cast.filter((other) => other.head.hash === head.hash).length * 2 > cast.length)
  if (winner === undefined) {
    throw new AppError('HEAD_DISAGREEMENT', `Endpoints disagree about block ${height}: ${cast.map(({ endpoint, head }) => `${endpoint.name} says ${head.hash.slice(0, 12)}`).join(', ')}`, { retry: 'wait' })
  }
  const dissenters = cast.filter(({ head }) => head.hash !== winner.head.hash).map(({ endpoint }) => endpoint.name)
  return { ...winner.head, endpoint: winner.endpoint.name, dissenters }
}
