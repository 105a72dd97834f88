/** Headers of a Bitcoin endpoint, in the shape every chain's have. */
import { z } from 'zod'
import { AppError } from '../../../schemas/errors.js'
import type { BlockHead } from '../../stage.js'
import { rpcCode, type Endpoint } from './endpoint.js'

const Hash = z.string().regex(/^[0-9a-f]{64}$/)
const Header = z.object({ hash: Hash, height: z.number().int().min(0), previousblockhash: Hash.default('0'.repeat(64)), time: z.number().int() })

const parsed = <Value>(endpoint: Endpoint, method: string, type: z.ZodType<Value>, answer: unknown): Value => {
  const result = type.safeParse(answer)
  if (!result.success) throw new AppError('RPC_GARBLED', `${endpoint.name}: ${method}: ${result.error.issues[0]?.message ?? 'not what was asked'}`, { retry: 'attempt', endpoint: endpoint.name })
  return result.data
}

/** What a call gives, null where the node says with one of `codes` that it has none. */
const unless = async <Value>(codes: readonly number[], call: Promise<Value>): Promise<Value | null> => {
  try { return await call } catch (thrown) {
    if (codes.includes(rpcCode(thrown) ?? 0)) return null
    throw thrown
  }
}

/** Hash, as people write it, of the block at a height of one endpoint's chain; null above its tip. */
export const hashAt = async (endpoint: Endpoint, number: number): Promise<string | null> => {
  const hash = await unless([-8], endpoint.rpc('getblockhash', number))
  return hash === null ? null : parsed(endpoint, 'getblockhash', Hash, hash)
}

const headerOf = async (endpoint: Endpoint, hash: string): Promise<BlockHead | null> => {
  const answer = await unless([-5], endpoint.rpc('getblockheader', hash, true))
  if (answer === null) return null
  const header = parsed(endpoint, 'getblockheader', Header, answer)
  if (header.hash !== hash) throw new AppError('RPC_GARBLED', `${endpoint.name}: getblockheader: of another block`, { retry: 'attempt', endpoint: endpoint.name })
  return { number: header.height, hash: `0x${hash}`, parentHash: `0x${header.previousblockhash}`, time: header.time }
}

const Info = z.object({ pruned: z.boolean().default(false), pruneheight: z.number().int().min(0).default(0) })

/** The lowest block that an endpoint still has whole; 0 of one that was not pruned, and of one that does not say. */
export const lowestAt = async (endpoint: Endpoint): Promise<number> => {
  try {
    const { pruned, pruneheight } = parsed(endpoint, 'getblockchaininfo', Info, await endpoint.rpc('getblockchaininfo'))
    return pruned ? pruneheight : 0
  } catch (thrown) {
    if (thrown instanceof AppError && ['RPC_UNSUPPORTED', 'RPC_REFUSED'].includes(thrown.code)) return 0
    throw thrown
  }
}

/** Asks an endpoint for headers of its present chain; the newest is read again only when its hash has changed. `announced`: a hash that may be the newest one's, whose header is then asked for beside the question which that is. */
export const openHeads = (endpoint: Endpoint, announced: () => string | undefined = () => undefined) => {
  let newest: BlockHead | null = null, tried: string | undefined
  return {
    latest: async (): Promise<BlockHead | null> => {
      // Asked first: where few requests are let through it has its turn before the header.
      const told = announced(), best = endpoint.rpc('getbestblockhash')
      const ahead = told === undefined || told === tried || newest?.hash === `0x${told}` ? undefined : headerOf(endpoint, told).catch(() => null)
      // Once: what was announced may have become an orphan.
      tried = told
      const hash = parsed(endpoint, 'getbestblockhash', Hash, await best)
      if (newest?.hash !== `0x${hash}`) newest = (hash === told ? await ahead : undefined) ?? await headerOf(endpoint, hash)
      return newest
    },
    at: async (number: number): Promise<BlockHead | null> => {
      const hash = await hashAt(endpoint, number)
      if (hash === null) return null
      return newest?.hash === `0x${hash}` ? newest : headerOf(endpoint, hash)
    },
  }
}
