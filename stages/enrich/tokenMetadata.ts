/** Metadata of tokens first seen in a batch, from the chain's own nodes. */
import type { PublicClient } from 'viem'
import { z } from 'zod'
import { unavailable } from '../../schemas/errors.js'
import { isTip, type BatchRef } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import type { Context } from '../stage.js'
import { askTokens, refuses, unreachable, type Described } from './askTokens.js'
import { insertTokens } from './insertTokens.js'

const newTokens = loadSql(import.meta.url, 'new_tokens.sql')
const Row = z.object({ address: z.string() })

/**
 * What tokens of a batch answer. At the tip they are asked at its block: a node that has not got it knows less than the batch does. One that has the block and
 * its state no more is asked at its newest, as for the blocks of a backfill: nodes need be no archives.
 */
const ask = async (client: PublicClient, tokens: readonly string[], batch: BatchRef): Promise<Described[]> => {
  if (!isTip(batch)) return askTokens(client, tokens)
  const blockNumber = BigInt(batch.to)
  try {
    return await askTokens(client, tokens, { blockNumber })
  } catch (thrown) {
    if (unreachable(thrown) || refuses(thrown) || (await client.getBlock({ blockNumber })).hash !== batch.hash) throw thrown
    return askTokens(client, tokens)
  }
}

/**
 * The `describeTokens` of a chain with these nodes, asked in order. A token that has code and does not answer is stored without decimals, so that it
 * is asked once; one that a node has no code of is asked of the next one, and again when it moves again. With nodes that know no eth_call everything
 * stays unknown. Waits (UPSTREAM_UNAVAILABLE) when no node can be reached, or none has the block.
 */
export const tokenDescriber = (clients: readonly PublicClient[]) => {
  const mute = new WeakSet<PublicClient>()
  return async (batch: BatchRef, { store, checkpoint }: Pick<Context, 'store' | 'checkpoint'>): Promise<void> => {
    const able = clients.filter((client) => !mute.has(client))
    if (able.length === 0) return
    const tokens = (await store.query(newTokens, { chain: batch.chain, from: batch.from, to: batch.to }, Row)).map(({ address }) => address)
    if (tokens.length === 0) return
    await checkpoint('before describing tokens')
    const described = new Map<string, Described>()
    let fault: unknown, answered = false
    for (const client of able) {
      const left = tokens.filter((token) => !described.has(token))
      if (left.length === 0) break
      try {
        for (const token of await ask(client, left, batch)) described.set(token.address, token)
        answered = true
      } catch (thrown) {
        if (refuses(thrown)) mute.add(client)
        else fault = thrown
      }
    }
    if (!answered && fault !== undefined) throw unavailable('The node', fault)
    if (described.size === 0) return
    await insertTokens(store, [...described.values()].map((token) => ({ chain: batch.chain, ...token, stable: false, source: 'node', version: 1 })))
    await store.execute('SYSTEM RELOAD DICTIONARY token_of')
  }
}
