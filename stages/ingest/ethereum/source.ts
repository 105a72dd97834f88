/** Ethereum's nodes as the pipeline sees them: head, headers, and the ingest of a batch across several endpoints. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../../../schemas/config.js'
import { AppError } from '../../../schemas/errors.js'
import type { BatchRef } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Context, Outcome, Source } from '../../stage.js'
import { openEndpoint, type Endpoint } from './endpoint.js'
import { fetchBlock, type Abilities, type Answers } from './fetchBlock.js'
import { agreedHead, headerAt } from './heads.js'
import { land } from './land.js'

const verifySql = loadSql(import.meta.url, 'verify.sql')
const neighbourSql = loadSql(import.meta.url, 'neighbour.sql')
const Numbers = z.array(z.coerce.number())
const Verified = z.object({
  missing: Numbers, forked: z.coerce.number(), broken: Numbers, tip_hash: z.string(), first_parent: z.string(), problem: z.string().nullable(), endpoint: z.string().nullable(),
})

/** What is known of a batch of which nothing has landed. */
const nothing: z.infer<typeof Verified> = { missing: [], forked: 0, broken: [], tip_hash: '', first_parent: '', problem: null, endpoint: null }

interface Known { readonly endpoint: Endpoint; readonly abilities: Abilities; chainChecked: boolean; readonly refusedUntil: { time: number } }

/** Milliseconds an endpoint that answered wrongly is asked last. */
const distrust = 10_000

export const openEthereumSource = (config: Config, urls: readonly string[]): Source & { endpoints(): readonly Endpoint[] } => {
  const known: Known[] = urls.map((url, index) => ({
    endpoint: openEndpoint(url, index, { concurrency: config.ETH_CONCURRENCY, perSecond: config.ETH_REQUESTS_PER_SECOND, timeoutMs: 30_000 }),
    abilities: {}, chainChecked: false, refusedUntil: { time: 0 },
  }))

  const checkChain = async (one: Known): Promise<void> => {
    if (one.chainChecked) return
    let id: number
    try { id = await one.endpoint.viem.getChainId() } catch (thrown) {
      throw new AppError('RPC_DOWN', `${one.endpoint.name}: eth_chainId does not answer`, { retry: 'wait', endpoint: one.endpoint.name, cause: thrown })
    }
    if (id !== config.ETH_CHAIN_ID) throw new AppError('WRONG_CHAIN', `${one.endpoint.name} is on chain ${id}, not ${config.ETH_CHAIN_ID}: it is not used`, { retry: 'attempt', endpoint: one.endpoint.name })
    one.chainChecked = true
  }

  /** Endpoints of the right chain; rejects with what is wrong when there is none. */
  const usable = async (): Promise<Known[]> => {
    const checks = await Promise.allSettled(known.map(checkChain))
    const good = known.filter((one) => one.chainChecked)
    if (good.length > 0) return good
    throw checks.find((check) => check.status === 'rejected')?.reason ?? new AppError('RPC_DOWN', 'No endpoint answers', { retry: 'wait' })
  }

  /** Least busy first, distrusted last; one try per endpoint, and one more where there is a single one. */
  const fetchOne = async (number: number, hash: string): Promise<Answers> => {
    let last: unknown
    const good = await usable()
    const order = [...good].sort((left, right) => Number(left.refusedUntil.time > Date.now()) - Number(right.refusedUntil.time > Date.now()) || left.endpoint.busy() - right.endpoint.busy())
    for (const one of good.length === 1 ? [...order, ...order] : order) {
      try {
        return await fetchBlock(one.endpoint, one.abilities, number, hash, config.ETH_TRACES === 'auto')
      } catch (thrown) {
        last = thrown
        one.refusedUntil.time = Date.now() + distrust
        // After an outage the node behind a name may be another one.
        if (thrown instanceof AppError && thrown.code === 'RPC_DOWN') one.chainChecked = false
      }
    }
    throw last
  }

  async function* fetchAll(numbers: readonly number[], hash: string, failures: unknown[]): AsyncGenerator<Answers> {
    // A block is two calls or more: further ones would only hold answers that wait to be sent on.
    const lanes = Math.ceil(config.ETH_CONCURRENCY / 2)
    const running = new Map<number, Promise<{ number: number; answers?: Answers }>>()
    let next = 0
    const start = (): void => {
      const number = numbers[next]
      if (number === undefined) return
      next += 1
      running.set(number, fetchOne(number, hash).then((answers) => ({ number, answers }), (thrown: unknown) => { failures.push(thrown); return { number } }))
    }
    while (running.size < Math.min(lanes, numbers.length)) start()
    while (running.size > 0) {
      const done = await Promise.race(running.values())
      running.delete(done.number)
      if (failures.length === 0) start()
      if (done.answers !== undefined) yield done.answers
    }
  }

  const verify = async (batch: BatchRef, context: Context) => {
    const [row] = await context.store.query(verifySql, { chain: batch.chain, from: batch.from, to: batch.to, generation: batch.generation }, Verified)
    return row ?? nothing
  }

  const distrustByName = (name: string | null): void => { for (const one of known) if (one.endpoint.name === name) one.refusedUntil.time = Date.now() + distrust }

  return {
    endpoints: () => known.map((one) => one.endpoint),
    head: async () => {
      const good = await usable()
      const head = await agreedHead(good.map((one) => one.endpoint))
      for (const name of head.dissenters) distrustByName(name)
      return { ...head, finalized: Math.max(0, head.number - config.ETH_FINALITY) }
    },
    header: async (number) => {
      const good = await usable()
      const failures: unknown[] = []
      for (const one of good) {
        try {
          const header = await headerAt(one.endpoint, number)
          if (header !== null) return header
        } catch (thrown) { failures.push(thrown); one.chainChecked = false }
      }
      // One that does not answer may have it: lacking is only what all of them say they lack.
      if (failures.length > 0) throw failures[0]
      return null
    },
    names: () => known.map((one) => one.endpoint.name),
    ingest: async (batch, context): Promise<Outcome> => {
      // A single block is asked for by its hash: a node that has moved on says so instead of giving another block.
      const hash = batch.from === batch.to ? batch.hash : ''
      const before = context.again ? await verify(batch, context) : nothing
      const failures: unknown[] = []
      let bytes = 0
      let endpoint = ''
      if (before.missing.length > 0 || before.tip_hash === '') {
        const numbers = before.tip_hash === '' ? Array.from({ length: batch.to - batch.from + 1 }, (_, index) => batch.from + index) : before.missing
        const source = async function* () {
          for await (const answers of fetchAll(numbers, hash, failures)) {
            bytes += answers.block.size + answers.receipts.size + answers.traces.size
            endpoint = answers.endpoint
            yield answers
          }
        }
        await context.checkpoint('before land')
        await land(context.store, batch, source(), randomUUID())
        await context.checkpoint('after land')
      }
      if (failures.length > 0) throw failures[0]
      const [after, [below]] = await Promise.all([
        before.missing.length > 0 || before.tip_hash === '' ? verify(batch, context) : before,
        context.store.query(neighbourSql, { chain: batch.chain, from: batch.from }, z.object({ hash: z.string() })),
      ])
      const refuse = async (code: string, message: string, name: string): Promise<never> => {
        distrustByName(name)
        await context.store.execute('DELETE FROM raw_payloads WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}', { chain: batch.chain, from: batch.from, to: batch.to, generation: batch.generation })
        throw new AppError(code, message, { retry: 'attempt', endpoint: name })
      }
      const name = after.endpoint ?? endpoint
      if (after.missing.length > 0) return refuse('BAD_ANSWER', `${name}: ${after.problem ?? `block ${String(after.missing[0])} did not arrive`}`, name)
      if (after.forked > 0 || after.broken.length > 0) return refuse('NODE_CONTRADICTS', `${name}: blocks ${batch.from}–${batch.to} do not hang together${after.broken.length > 0 ? ` (at ${String(after.broken[0])})` : ''}`, name)
      if (`0x${after.tip_hash}` !== batch.hash) return refuse('BLOCK_REPLACED', `${name}: block ${batch.to} is 0x${after.tip_hash.slice(0, 12)}…, planned ${batch.hash.slice(0, 14)}…`, name)
      if (below !== undefined && below.hash !== `0x${after.first_parent}`) return refuse('NODE_CONTRADICTS', `${name}: block ${batch.from} does not stand on block ${batch.from - 1}`, name)
      return { rows: batch.to - batch.from + 1, bytes, endpoint }
    },
    close: async () => { await Promise.all(known.map((one) => one.endpoint.close())) },
  }
}
