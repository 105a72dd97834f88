/** The head the endpoints of a chain agree on. A dissenting endpoint is named, never followed. */
import { AppError, messageOf } from '../../schemas/errors.js'
import type { BlockHead } from '../stage.js'

/** An endpoint that can be asked for headers of its present chain; null where it has none. */
export interface HeadAsked { readonly name: string; latest(): Promise<BlockHead | null>; at(number: number): Promise<BlockHead | null> }
export interface AgreedHead extends BlockHead { readonly endpoint: string; /** Endpoints that answered with another hash at this height. */ readonly dissenters: readonly string[] }

/**
 * The highest block on which more than half of the answering endpoints agree. With one endpoint: its latest. With several, each is
 * asked for its latest; the height compared is the median of them (one runaway or lagging node does not decide).
 */
export const agreedHead = async (endpoints: readonly HeadAsked[]): Promise<AgreedHead> => {
  const latest = await Promise.allSettled(endpoints.map((endpoint) => endpoint.latest()))
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
    endpoint, head: head.number === height ? head : await endpoint.at(height).catch(() => null),
  })))
  const cast = votes.flatMap(({ endpoint, head }) => (head === null ? [] : [{ endpoint, head }]))
  const winner = cast.find(({ head }) => cast.filter((other) => other.head.hash === head.hash).length * 2 > cast.length)
  if (winner === undefined) {
    throw new AppError('HEAD_DISAGREEMENT', `Endpoints disagree about block ${height}: ${cast.map(({ endpoint, head }) => `${endpoint.name} says ${head.hash.slice(0, 12)}`).join(', ')}`, { retry: 'wait' })
  }
  const dissenters = cast.filter(({ head }) => head.hash !== winner.head.hash).map(({ endpoint }) => endpoint.name)
  return { ...winner.head, endpoint: winner.endpoint.name, dissenters }
}
