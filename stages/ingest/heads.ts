/** The head the endpoints of a chain agree on. A dissenting endpoint is named, never followed; one that is late is not waited for, and is no dissenter for that. */
import { AppError, messageOf } from '../../schemas/errors.js'
import type { BlockHead } from '../stage.js'

/** An endpoint that can be asked for headers of its present chain; null where it has none. */
export interface HeadAsked { readonly name: string; latest(): Promise<BlockHead | null>; at(number: number): Promise<BlockHead | null> }
export interface AgreedHead extends BlockHead {
  readonly endpoint: string
  /** Endpoints that answered with another hash at this height. */
  readonly dissenters: readonly string[]
  /** Those among the endpoints nobody waited for, once they have answered or failed; never rejects. */
  readonly lateDissenters: Promise<readonly string[]>
}

/** What one endpoint has said so far; `head` is null while it has not, and where it has none. */
interface Ballot {
  readonly endpoint: HeadAsked
  readonly done: Promise<void>
  head: BlockHead | null
  pending: boolean
  fault: string
  /** Its header at a height; undefined while it is asked for, null where it has none. */
  at(number: number): BlockHead | null | undefined
}

const openBallot = (endpoint: HeadAsked, changed: () => void): Ballot => {
  const asked = new Map<number, BlockHead | null | undefined>()
  const ballot: Ballot = {
    endpoint, head: null, pending: true, fault: '',
    done: Promise.resolve().then(() => endpoint.latest()).then((head) => { ballot.head = head }, (thrown: unknown) => { ballot.fault = messageOf(thrown).split('\n')[0] ?? '' }).then(() => { ballot.pending = false; changed() }),
    at: (number) => {
      if (ballot.head?.number === number) return ballot.head
      if (!asked.has(number)) {
        asked.set(number, undefined)
        void endpoint.at(number).catch(() => null).then((head) => { asked.set(number, head); changed() })
      }
      return asked.get(number)
    },
  }
  return ballot
}

interface Vote { readonly endpoint: HeadAsked; readonly head: BlockHead }
interface Result { readonly winner: Vote; readonly dissenters: readonly Vote[] }

/** What the ballots say: undefined while more of them must be awaited. With `late`, none is. */
const count = (ballots: readonly Ballot[], late: boolean): Result | undefined => {
  const given = ballots.filter(({ head }) => head !== null), open = late ? 0 : ballots.filter(({ pending }) => pending).length
  if (given.length === 0 && open === 0) {
    const reason = ballots.filter(({ fault }) => fault !== '').map(({ endpoint, fault }) => `${endpoint.name}: ${fault}`).join('; ')
    throw new AppError('RPC_DOWN', `No endpoint gives its head: ${reason || 'no blocks'}`, { retry: 'wait' })
  }
  // The highest height more than half have reached; those still open could raise it up to `possible`.
  const most = Math.floor((given.length + open) / 2) + 1
  const heights = given.map(({ head }) => head?.number ?? 0).sort((left, right) => right - left)
  const height = heights[most - 1], possible = heights[most - 1 - open]
  if (height === undefined || possible !== height) return undefined
  const said = given.map(({ endpoint, at }) => ({ endpoint, head: at(height) }))
  const cast = said.flatMap(({ endpoint, head }) => (head === null || head === undefined ? [] : [{ endpoint, head }]))
  const awaited = open + (late ? 0 : said.filter(({ head }) => head === undefined).length)
  const winner = cast.find(({ head }) => cast.filter((other) => other.head.hash === head.hash).length * 2 > cast.length + awaited)
  if (winner !== undefined) return { winner, dissenters: cast.filter(({ head }) => head.hash !== winner.head.hash) }
  if (awaited > 0) return undefined
  throw new AppError('HEAD_DISAGREEMENT', `Endpoints disagree about block ${height}: ${cast.map(({ endpoint, head }) => `${endpoint.name} says ${head.hash.slice(0, 12)}`).join(', ')}`, { retry: 'wait' })
}

/** Names of those that say after the vote what the winner, asked again, still does not: what they saw later may be a reorg of all. */
const dissentLater = async (ballots: readonly Ballot[], { endpoint, head }: Vote): Promise<readonly string[]> => {
  const others = await Promise.all(ballots.map(async (ballot) => {
    await ballot.done
    if (ballot.head === null || ballot.head.number < head.number) return []
    const own = ballot.head.number === head.number ? ballot.head : await ballot.endpoint.at(head.number).catch(() => null)
    return own === null || own.hash === head.hash ? [] : [ballot.endpoint.name]
  }))
  const names = others.flat()
  if (names.length === 0) return names
  const again = await endpoint.at(head.number).catch(() => null)
  return again?.hash === head.hash ? names : []
}

/**
 * The highest block on which more than half of the answering endpoints agree. With one endpoint: its latest. With several, each is
 * asked for its latest; the height compared is the median of them (one runaway or lagging node does not decide). Nobody waits for
 * answers that cannot change it; and for no answer longer than `patienceMs` after the first: then those that are there decide.
 */
export const agreedHead = (endpoints: readonly HeadAsked[], patienceMs: number): Promise<AgreedHead> => new Promise((resolve, reject) => {
  let over = false, late = false, timer: NodeJS.Timeout | undefined
  const end = (): void => { over = true; clearTimeout(timer) }
  const look = (): void => {
    if (over) return
    if (ballots.some(({ head }) => head !== null)) timer ??= setTimeout(() => { late = true; look() }, patienceMs)
    try {
      const result = count(ballots, late)
      if (result === undefined) return
      end()
      const { winner, dissenters } = result
      resolve({ ...winner.head, endpoint: winner.endpoint.name, dissenters: dissenters.map(({ endpoint }) => endpoint.name), lateDissenters: dissentLater(ballots.filter(({ pending }) => pending), winner) })
    } catch (thrown) { end(); reject(thrown as Error) }
  }
  const ballots = endpoints.map((endpoint) => openBallot(endpoint, look))
  // Nobody's answer would ever bring it to an end.
  if (ballots.length === 0) look()
})
