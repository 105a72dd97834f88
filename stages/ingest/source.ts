/** A chain's nodes as the pipeline sees them: head, headers, and the ingest of a batch across several endpoints. */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { AppError } from '../../schemas/errors.js'
import type { BatchRef } from '../../schemas/primitives.js'
import { loadSql } from '../../schemas/sql.js'
import type { BlockHead, Context, Outcome, Source } from '../stage.js'
import type { Body } from './endpoint.js'
import { agreedHead } from './heads.js'
import { openStanding, usualPatience, type Checked } from './standing.js'

const verifySql = loadSql(import.meta.url, 'verify.sql')
const neighbourSql = loadSql(import.meta.url, 'neighbour.sql')
const Numbers = z.array(z.coerce.number())
const Verified = z.object({
  missing: Numbers, forked: z.coerce.number(), broken: Numbers, tip_hash: z.string(), first_parent: z.string(), problem: z.string().nullable(), endpoint: z.string().nullable(),
})

type Verified = z.infer<typeof Verified>

/** What is known of a batch of which nothing has landed. */
const nothing: Verified = { missing: [], forked: 0, broken: [], tip_hash: '', first_parent: '', problem: null, endpoint: null }

/** What verify.sql would say of a single block that was asked for by its hash, checked, and has landed. */
const verifiedBy = (link: Link | undefined, { from }: BatchRef): Verified => (link === undefined ? { ...nothing, missing: [from] } : { ...nothing, tip_hash: link.hash, first_parent: link.parent })

/** The answers about one block, as they land side by side. */
export interface Answers { readonly number: number; readonly endpoint: string; readonly block: Body; readonly receipts: Body; readonly traces: Body; readonly tracesKind: string }

/** One endpoint as a source asks it. */
export interface Asked<Got extends Answers> extends Checked {
  /** A block's answers, by hash where it is known ('' else); BLOCK_GONE when it has no such block. */
  fetch(number: number, hash: string): Promise<Got>
  /** Whether answers lack what another endpoint may have of the block: traces. */
  isPart?(answers: Got): boolean
  /** Whether it is known that its answers about a block would; of one by hash ('' else), which is rare, by that very block. */
  givesPart?(number: number, hash: string): boolean
  /** The lowest block it still has whole: of those below, it was pruned. */
  lowest?(): Promise<number>
  /** Calls under way. */
  busy(): number
  close(): Promise<void>
}

export interface SourceOptions<Got extends Answers> {
  readonly asked: readonly Asked<Got>[]
  readonly finality: number
  /** Blocks fetched side by side: further ones would only hold answers that wait to be sent on. */
  readonly lanes: number
  readonly land: (store: Store, batch: BatchRef, source: AsyncIterable<Got>, attempt: string, checkpoint: () => Promise<void>) => Promise<Landed | null>
  /** Where answers are checked before they land: the hashes (as hex) of a block and its parent. A single block then need not be read back. */
  readonly linked?: (answers: Got) => Link
  /** Whether a head right on top of the last one is fetched at once, beside its planning: for blocks that are rare and cheap to the node, as every process that plans does so. */
  readonly foresees?: boolean
  /** Is told of endpoints that are not used while others are, and when they are again. */
  readonly tell?: ((reason: string) => void) | undefined
  /** Milliseconds an endpoint may take longer than another before it is not waited for. */
  readonly patienceMs?: number
}

/** What is to be done with what landed: one of both is called, once. */
export interface Landed { /** All of it was found right. */ right(): void; /** It was not, or that is not known. */ wrong(): void }

interface Link { readonly hash: string; readonly parent: string }

/** Milliseconds an endpoint that answered wrongly is asked last: by a clock that nobody sets. */
const distrust = 10_000

export const openSource = <Got extends Answers>({ asked, finality, lanes, land, linked, foresees = false, tell = () => undefined, patienceMs = usualPatience }: SourceOptions<Got>): Source => {
  const { known, usable, heads, doubt } = openStanding(asked, patienceMs, tell)

  /** Least busy first, behind them who gives a part, distrusted last; one try per endpoint, and one more where there is a single one. Who turns out to give a part is believed only where nobody whose answers count may have the whole. */
  const fetchOne = async (number: number, hash: string): Promise<Got> => {
    let last: unknown, part: Got | undefined
    const good = await usable()
    const distrusted = (entry: (typeof good)[number]): boolean => entry.refusedUntil > performance.now()
    const givesPart = ({ one }: (typeof good)[number]): boolean => one.givesPart?.(number, hash) === true
    const addsNothing = (entry: (typeof good)[number]): boolean => givesPart(entry) || entry.shunnedUntil > performance.now()
    const order = [...good].sort((left, right) => Number(distrusted(left)) - Number(distrusted(right)) || Number(givesPart(left)) - Number(givesPart(right)) || left.one.busy() - right.one.busy())
    for (const [place, entry] of (good.length === 1 ? [...order, ...order] : order).entries()) {
      if (part !== undefined && addsNothing(entry)) continue
      try {
        const got = await entry.one.fetch(number, hash)
        if (part !== undefined) for (const { release } of [part.block, part.receipts, part.traces]) release()
        part = undefined
        if (entry.one.isPart?.(got) !== true || order.slice(place + 1).every(addsNothing)) return got
        part = got
      } catch (thrown) {
        last = thrown
        entry.refusedUntil = performance.now() + distrust
        if (thrown instanceof AppError && (thrown.code === 'RPC_DOWN' || thrown.code === 'RPC_REFUSED')) entry.shunnedUntil = entry.refusedUntil
        if (thrown instanceof AppError && thrown.code === 'RPC_DOWN') doubt(entry)
      }
    }
    if (part !== undefined) return part
    throw last
  }

  /** The head as it was seen last, and the one foreseen last with its answers, which are the first asker's. */
  let top: BlockHead | undefined, foreseen: { readonly hash: string; answers: Promise<Got | undefined> | undefined } | undefined

  const foresee = (head: BlockHead): void => {
    // Once for each: behind one name there may be several nodes, of which one lags.
    if (foresees && head.parentHash === top?.hash && head.hash !== foreseen?.hash) {
      // What faults meets its fault again when its turn comes, and is told then.
      foreseen = { hash: head.hash, answers: fetchOne(head.number, head.hash).catch(() => undefined) }
    }
    top = head
  }

  const fetchOrForeseen = async (number: number, hash: string): Promise<Got> => {
    const answers = foreseen?.hash === hash ? foreseen.answers : undefined
    if (foreseen !== undefined && answers !== undefined) foreseen.answers = undefined
    return await answers ?? fetchOne(number, hash)
  }

  async function* fetchAll(numbers: readonly number[], hash: string, failures: unknown[]): AsyncGenerator<Got> {
    const running = new Map<number, Promise<{ number: number; answers?: Got }>>()
    let next = 0
    const start = (): void => {
      const number = numbers[next]
      if (number === undefined) return
      next += 1
      running.set(number, fetchOrForeseen(number, hash).then((answers) => ({ number, answers }), (thrown: unknown) => { failures.push(thrown); return { number } }))
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

  /** The endpoint that gave the head the others agreed on: what lies below that head is what it says. */
  let agreed = ''

  /** `wrong`: what it answered was found wrong, which is more than to dissent about the head. */
  const distrustByName = (name: string | null, wrong = false): void => {
    for (const entry of known) {
      if (entry.one.name !== name) continue
      entry.refusedUntil = performance.now() + distrust
      if (wrong) entry.shunnedUntil = entry.refusedUntil
    }
  }

  return {
    head: async () => {
      const { lateDissenters, ...head } = await agreedHead(heads(await usable()), patienceMs)
      const distrustAll = (names: readonly string[]): void => { for (const name of names) distrustByName(name) }
      distrustAll(head.dissenters)
      void lateDissenters.then(distrustAll)
      agreed = head.endpoint
      foresee(head)
      return { ...head, finalized: Math.max(0, head.number - finality) }
    },
    header: async (number) => {
      const good = await usable()
      const failures: unknown[] = []
      for (const entry of [...good].sort((left, right) => Number(right.one.name === agreed) - Number(left.one.name === agreed))) {
        try {
          const header = await entry.one.at(number)
          if (header !== null) return header
        } catch (thrown) { failures.push(thrown); doubt(entry) }
      }
      // One that does not answer may have it: lacking is only what all of them say they lack.
      if (failures.length > 0) throw failures[0]
      return null
    },
    lowest: async () => {
      const kept = await Promise.all((await usable()).map((entry) => (entry.one.lowest?.() ?? Promise.resolve(0)).catch((thrown: unknown) => { doubt(entry); throw thrown })))
      // One that does not answer may have all of them, as above.
      return Math.min(...kept)
    },
    names: () => known.map((entry) => entry.one.name),
    ingest: async (batch, context): Promise<Outcome> => {
      // A single block is asked for by its hash: a node that has moved on says so instead of giving another block.
      const hash = batch.from === batch.to ? batch.hash : ''
      const neighbour = () => context.store.query(neighbourSql, { chain: batch.chain, from: batch.from }, z.object({ hash: z.string() }), { max_threads: 1 })
      // At the tip what is below is planned before: it is asked for beside the fetching.
      const asked = hash === '' ? undefined : neighbour()
      asked?.catch(() => undefined)
      const before = context.again ? await verify(batch, context) : nothing
      const failures: unknown[] = []
      let link: Link | undefined, landed: Landed | null = null
      let bytes = 0
      let endpoint = ''
      try {
        if (before.missing.length > 0 || before.tip_hash === '') {
          const numbers = before.tip_hash === '' ? Array.from({ length: batch.to - batch.from + 1 }, (_, index) => batch.from + index) : before.missing
          const source = async function* () {
            for await (const answers of fetchAll(numbers, hash, failures)) {
              bytes += answers.block.bytes.length + answers.receipts.bytes.length + answers.traces.bytes.length
              endpoint = answers.endpoint
              link = linked?.(answers)
              yield answers
            }
          }
          await context.checkpoint('before land')
          landed = await land(context.store, batch, source(), randomUUID(), () => context.checkpoint('before land'))
          await context.checkpoint('after land')
        }
        if (failures.length > 0) throw failures[0]
        // What an earlier attempt may have left of a range is known to the store alone.
        const after = before.missing.length === 0 && before.tip_hash !== '' ? before : linked !== undefined && hash !== '' ? verifiedBy(link, batch) : verify(batch, context)
        const [verified, [below]] = await Promise.all([after, asked ?? neighbour()])
        const refuse = async (code: string, message: string, name: string): Promise<never> => {
          await context.checkpoint('before refusing')
          distrustByName(name, true)
          await context.store.execute('DELETE FROM raw_payloads WHERE chain = {chain:String} AND number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}', { chain: batch.chain, from: batch.from, to: batch.to, generation: batch.generation })
          throw new AppError(code, message, { retry: 'attempt', endpoint: name })
        }
        const name = verified.endpoint ?? endpoint
        if (verified.missing.length > 0) return refuse('BAD_ANSWER', `${name}: ${verified.problem ?? `block ${String(verified.missing[0])} did not arrive`}`, name)
        if (verified.forked > 0 || verified.broken.length > 0) return refuse('NODE_CONTRADICTS', `${name}: blocks ${batch.from}–${batch.to} do not hang together${verified.broken.length > 0 ? ` (at ${String(verified.broken[0])})` : ''}`, name)
        if (`0x${verified.tip_hash}` !== batch.hash) return refuse('BLOCK_REPLACED', `${name}: block ${batch.to} is 0x${verified.tip_hash.slice(0, 12)}…, planned ${batch.hash.slice(0, 14)}…`, name)
        if (below !== undefined && below.hash !== `0x${verified.first_parent}`) return refuse('NODE_CONTRADICTS', `${name}: block ${batch.from} does not stand on block ${batch.from - 1}`, name)
        landed?.right()
        landed = null
        return { rows: batch.to - batch.from + 1, bytes, endpoint }
      } finally { landed?.wrong() }
    },
    close: async () => { await Promise.all(known.map((entry) => entry.one.close())) },
  }
}
