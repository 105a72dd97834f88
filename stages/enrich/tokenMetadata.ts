/** Metadata of tokens first seen in a batch, from the chain's own nodes. */
import type { PublicClient } from 'viem'
import { z } from 'zod'
import { unavailable } from '../../schemas/errors.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import type { Context } from '../stage.js'
import { askTokens, refuses } from './askTokens.js'
import { insertTokens } from './insertTokens.js'

const newTokens = loadSql(import.meta.url, 'new_tokens.sql')
const Row = z.object({ address: z.string() })

/**
 * The `describeTokens` of a chain with these nodes, asked in order. A token that does not answer is stored without decimals, so that it
 * is asked once; with nodes that know no eth_call everything stays unknown. Waits (UPSTREAM_UNAVAILABLE) when no node can be reached.
 */
export const tokenDescriber = (clients: readonly PublicClient[]) => {
  const mute = new WeakSet<PublicClient>()
  return async (batch: BatchRef, { store, checkpoint }: Pick<Context, 'store' | 'checkpoint'>): Promise<void> => {
    const able = clients.filter((client) => !mute.has(client))
    if (able.length === 0) return
    const tokens = (await store.query(newTokens, { chain: batch.chain, from: batch.from, to: batch.to }, Row)).map(({ address }) => address)
    if (tokens.length === 0) return
    await checkpoint('before describing tokens')
    let fault: unknown
    for (const client of able) {
      try {
        const described = await askTokens(client, tokens)
        await insertTokens(store, described.map((token) => ({ chain: batch.chain, ...token, stable: false, source: 'node', version: 1 })))
        await store.execute('SYSTEM RELOAD DICTIONARY token_of')
        return
      } catch (thrown) {
        if (refuses(thrown)) mute.add(client)
        else fault = thrown
      }
    }
    if (fault !== undefined) throw unavailable('The node', fault)
  }
}
