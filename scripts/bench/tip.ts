/** From the moment the node has a block to the moment the API answers with it; and to the end of its index stage, by the ledger. */
import { z } from 'zod'
import { quantile } from './figures.js'
import type { Service } from './service.js'
import type { Stack } from './stack.js'

export interface TipResult { readonly blocks: number; readonly feed: readonly [number, number]; readonly index: readonly [number, number]; readonly slowest: number }

export const pollMs = 50
/** Milliseconds between two questions for the new block. An answer costs ten of CPU: asked without a pause, the questions would be half of what is measured. */
export const askMs = 25
const Landed = z.object({ block: z.coerce.number(), at: z.coerce.number() })
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Seconds from the answer with one block to the moment the node has the next. */
export const paceSeconds = 3

/** Milliseconds as [p50, p95]. Every block of `from`… must be in its own time; rejects when one takes over 30 seconds. */
export const benchTip = async (stack: Stack, service: Service, key: string, from: number, blocks: number, chain = 'ETH'): Promise<TipResult> => {
  const headers = { 'X-API-Key': key }
  const appeared = new Map<number, number>()
  const feed: number[] = []
  const until = async (number: number): Promise<void> => {
    for (const deadline = Date.now() + 30_000; ;) {
      const answer = await fetch(`${service.url}/v1/feed/block/${chain}/${number}`, { headers })
      const body = await answer.json() as { block?: { block_number?: number } | null }
      if (answer.status === 200 && body.block != null) return
      if (answer.status !== 200 || Date.now() > deadline) throw new Error(`bench: block ${number} is not answered: ${answer.status} ${JSON.stringify(body).slice(0, 200)}`)
      await pause(askMs)
    }
  }
  await until(from - 1)
  for (let number = from; number < from + blocks; number += 1) {
    await pause(paceSeconds * 1_000)
    appeared.set(number, Date.now())
    const started = performance.now()
    await stack.control({ head: number })
    await until(number)
    feed.push(performance.now() - started)
  }
  const index = `SELECT from_block AS block, toUnixTimestamp64Milli(min(finished_at)) AS at FROM batches
    WHERE chain = {chain:String} AND stage = 'index' AND from_block BETWEEN {from:UInt64} AND {to:UInt64} GROUP BY from_block`
  let landed: { block: number; at: number }[] = []
  for (const deadline = Date.now() + 30_000; landed.length < blocks && Date.now() < deadline; await pause(100)) {
    landed = await service.store.query(index, { chain, from, to: from + blocks - 1 }, Landed)
  }
  if (landed.length < blocks) throw new Error(`bench: ${landed.length} of ${blocks} blocks were indexed`)
  const indexed = landed.map(({ block, at }) => at - (appeared.get(block) ?? at))
  return { blocks, feed: [quantile(feed, 0.5), quantile(feed, 0.95)], index: [quantile(indexed, 0.5), quantile(indexed, 0.95)], slowest: Math.max(...feed) }
}
