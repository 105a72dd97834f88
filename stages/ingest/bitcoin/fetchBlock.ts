/** One block from one endpoint: bytes where it gives bytes, JSON where it gives nothing else; what it gives is found out once. */
import { AppError } from '../../../schemas/errors.js'
import { noBody, textOf, type Answer, type Body } from '../endpoint.js'
import { rpcCode, type Endpoint } from './endpoint.js'

export type BlocksBy = 'auto' | 'rest' | 'raw' | 'json'

/** What an endpoint turned out to offer; undefined until it was asked once. */
export interface Abilities { block?: 'rest' | 'raw' | 'json3' | 'json2'; spent?: boolean }

/** A block as the node gave it: the bytes, the bytes as hex in a JSON-RPC answer, or JSON with transactions. `spent` is empty where it is not to be had. */
export interface Fetched { readonly shape: 'raw' | 'hex' | 'json'; readonly block: Body; readonly spent: Body }

const isBytes = ({ status, type }: Answer): boolean => status === 200 && /^application\/octet-stream/.test(type)
/** REST names the hash it lacks; a server without REST has only a status. */
const names = ({ status, body }: Answer, hash: string): boolean => status === 404 && body.bytes.length < 300 && textOf(body).includes(hash)

const gone = (endpoint: Endpoint, hash: string): AppError => new AppError('BLOCK_GONE', `${endpoint.name}: block ${hash} is not there (any more)`, { retry: 'wait', endpoint: endpoint.name })
const pruned = (endpoint: Endpoint, hash: string): AppError => new AppError('BLOCK_PRUNED', `${endpoint.name}: block ${hash} was pruned there`, { retry: 'attempt', endpoint: endpoint.name })

/** getblock, with what it says of a block it lacks put in our words. */
const getBlock = async (endpoint: Endpoint, hash: string, verbosity: number): Promise<Body> => {
  try { return await endpoint.data('getblock', [hash, verbosity]) } catch (thrown) {
    const code = rpcCode(thrown)
    if (code === -5) throw gone(endpoint, hash)
    if (code === -1 && /pruned/i.test((thrown as Error).message)) throw pruned(endpoint, hash)
    if (code === -1 && /not (found on disk|available)/i.test((thrown as Error).message)) throw gone(endpoint, hash)
    throw thrown
  }
}

/** Codes with which a node refuses a verbosity: the method or its parameter is not known. */
const refuses = (thrown: unknown): boolean => thrown instanceof AppError && (thrown.code === 'RPC_UNSUPPORTED' || thrown.code === 'RPC_REFUSED' || [-1, -3, -8, -32602].includes(rpcCode(thrown) ?? 0))

const byRest = async (endpoint: Endpoint, hash: string): Promise<Body | null> => {
  const answer = await endpoint.rest(`/rest/block/${hash}.bin`)
  if (isBytes(answer)) return answer.body
  if (names(answer, hash)) { if (/pruned/i.test(textOf(answer.body))) throw pruned(endpoint, hash); throw gone(endpoint, hash) }
  return null
}

/** The outputs a block's inputs spend; empty where the endpoint does not serve them, or has none of this block: what they are is then looked for in our own. */
const spentBy = async (endpoint: Endpoint, abilities: Abilities, hash: string): Promise<Body> => {
  if (abilities.spent === false) return noBody
  const answer = await endpoint.rest(`/rest/spenttxouts/${hash}.bin`)
  if (isBytes(answer)) { abilities.spent = true; return answer.body }
  if (!names(answer, hash)) abilities.spent = false
  return noBody
}

/** Finds out how the endpoint gives blocks, by asking for this one. */
const probe = async (endpoint: Endpoint, abilities: Abilities, by: BlocksBy, hash: string): Promise<Fetched> => {
  if (by === 'auto' || by === 'rest') {
    const block = await byRest(endpoint, hash)
    if (block !== null) {
      const spent = await spentBy(endpoint, abilities, hash)
      abilities.block = 'rest'
      return { shape: 'raw', block, spent }
    }
    if (by === 'rest') throw new AppError('RPC_UNSUPPORTED', `${endpoint.name}: it serves no blocks by REST (rest=1 is not set there)`, { retry: 'attempt', endpoint: endpoint.name })
  }
  if (by !== 'json') {
    try {
      const block = await getBlock(endpoint, hash, 0)
      abilities.block = 'raw'
      return { shape: 'hex', block, spent: noBody }
    } catch (thrown) { if (by === 'raw' || !refuses(thrown)) throw thrown }
  }
  try {
    const block = await getBlock(endpoint, hash, 3)
    abilities.block = 'json3'
    return { shape: 'json', block, spent: noBody }
  } catch (thrown) { if (!refuses(thrown)) throw thrown }
  const block = await getBlock(endpoint, hash, 2)
  abilities.block = 'json2'
  return { shape: 'json', block, spent: noBody }
}

/** Fetches the block with a hash (as people write it) in the cheapest shape the endpoint has, or the one `by` names. */
export const fetchBlock = async (endpoint: Endpoint, abilities: Abilities, by: BlocksBy, hash: string): Promise<Fetched> => {
  const known = abilities.block
  if (known === undefined) return probe(endpoint, abilities, by, hash)
  switch (known) {
    case 'rest': {
      const [block, spent] = await Promise.all([byRest(endpoint, hash), spentBy(endpoint, abilities, hash)])
      if (block === null) {
        // It gave bytes before: it was started anew without REST.
        delete abilities.block
        delete abilities.spent
        return probe(endpoint, abilities, by, hash)
      }
      return { shape: 'raw', block, spent }
    }
    case 'raw': return { shape: 'hex', block: await getBlock(endpoint, hash, 0), spent: noBody }
    case 'json3': return { shape: 'json', block: await getBlock(endpoint, hash, 3), spent: noBody }
    case 'json2': return { shape: 'json', block: await getBlock(endpoint, hash, 2), spent: noBody }
  }
}
