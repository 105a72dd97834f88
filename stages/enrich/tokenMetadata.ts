/** Metadata of tokens first seen in a batch, from the chain's own nodes. */
import type { PublicClient } from 'viem'
import { z } from 'zod'
import { unavailable } from '../../schemas/errors.js'
import { isTip, type BatchRef } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import type { Context } from '../stage.js'
import { askTokens, refuses, unreachable, type Described, type Failed } from './askTokens.js'
import { insertTokens } from './insertTokens.js'

const newTokens = loadSql(import.meta.url, 'new_tokens.sql')
const Row = z.object({ address: z.string() })
/** Milliseconds for which a token is let be at which every node failed without an answer. */
const restMs = 600_000

/**
 * What tokens of a batch answer. At the tip they are asked at its block: a node that has not got it knows less than the batch does. One that has the block and
 * its state no more is asked at its newest, as for the blocks of a backfill: nodes need be no archives.
 */
async function* ask(client: PublicClient, tokens: readonly string[], batch: BatchRef): AsyncGenerator<Described | Failed> {
  if (!isTip(batch)) { yield* askTokens(client, tokens); return }
  const blockNumber = BigInt(batch.to), known = new Set<string>()
  try {
    for await (const token of askTokens(client, tokens, { blockNumber })) { known.add('failed' in token ? token.failed : token.address); yield token }
  } catch (thrown) {
    if (unreachable(thrown) || refuses(thrown) || (await client.getBlock({ blockNumber })).hash !== batch.hash) throw thrown
    yield* askTokens(client, tokens.filter((token) => !known.has(token)))
  }
}

/**
 * The `describeTokens` of a chain with these nodes, asked in order. A token that has code and does not answer is stored without decimals, so that it
 * is asked once; one that a node has no code of, or at which it failed itself, is asked of the next one, and again when it moves again: where no
 * answer came not for a while, for that takes long. With nodes that know no eth_call everything stays unknown. Waits (UPSTREAM_UNAVAILABLE) when no node can be reached, or none has the block.
 */
export const tokenDescriber = (clients: readonly PublicClient[], now: () => number = () => performance.now()) => {
  const mute = new WeakSet<PublicClient>()
  /** Until when a token at which nodes failed is let be. */
  const resting = new Map<string, number>()
  return async (batch: BatchRef, { store, checkpoint }: Pick<Context, 'store' | 'checkpoint'>): Promise<void> => {
    const able = clients.filter((client) => !mute.has(client))
    if (able.length === 0) return
    for (const [token, until] of resting) if (until <= now()) resting.delete(token)
    let tokens = (await store.query(newTokens, { chain: batch.chain, from: batch.from, to: batch.to }, Row)).map(({ address }) => address).filter((token) => !resting.has(token))
    if (tokens.length === 0) return
    await checkpoint('before describing tokens')
    const slow = new Set<string>()
    let fault: unknown, answered = false
    for (const client of able) {
      const known: Described[] = []
      try {
        for await (const token of ask(client, tokens, batch)) {
          if (!('failed' in token)) known.push(token)
          else if (token.slow) slow.add(token.failed)
        }
        answered = true
      } catch (thrown) {
        if (refuses(thrown)) mute.add(client)
        else fault = thrown
      }
      // What was answered is kept: a node that lets few requests through is asked for the rest.
      if (known.length > 0) {
        await insertTokens(store, known.map((token) => ({ chain: batch.chain, ...token, stable: false, source: 'node', version: 1 })))
        await store.execute('SYSTEM RELOAD DICTIONARY token_of')
        const told = new Set(known.map(({ address }) => address))
        tokens = tokens.filter((token) => !told.has(token))
      }
      if (tokens.length === 0) return
    }
    if (!answered && fault !== undefined) throw unavailable('The node', fault)
    for (const token of tokens) if (slow.has(token)) resting.set(token, now() + restMs)
  }
}
