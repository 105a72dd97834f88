/** The types a newcomer reads first: what a stage is, what a chain brings, how a stage's statements run. */
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Chain } from '../schemas/chains.js'
import type { Config } from '../schemas/config.js'
import type { Store } from '../schemas/clickhouse.js'
import { outgoing, type Piece } from '../schemas/outgoing.js'
import { batchKey, type BatchRef, type StageName } from '../schemas/primitives.js'
import type { SqlFile } from '../schemas/sql.js'
import { mend } from './mend.js'
import { peek } from './peek.js'

/** What a stage did: rows written, bytes received from a node, the endpoint that gave them ('' where none was asked). */
export interface Outcome { readonly rows: number; readonly bytes: number; readonly endpoint: string }

export interface Context {
  readonly config: Config
  readonly store: Store
  readonly log: Logger
  readonly chain: ChainModule
  /** Whether the batch may have been worked on before: then what has landed is looked for first. */
  readonly again: boolean
  /** Called before whatever writes: it throws where the batch is not open (any more), and faults are injected here. */
  readonly checkpoint: (where: string) => Promise<void>
  /** Throws where the job is another worker's by now: asked in the moment a statement is sent. */
  readonly isHeld?: () => void
}

/** One stage: a value, named by its file, listed in pipeline.ts. `ordered`: a batch waits for the batch below it. `counts`: what it does, or whoever hears of it, counts the batches that have landed, so a batch comes to it after the landing of the stage before; to the others it comes beside that. */
export interface Stage {
  readonly name: StageName
  readonly attempts: number
  readonly concurrency: number
  readonly ordered: boolean
  readonly counts: boolean
  run(batch: BatchRef, context: Context): Promise<Outcome>
}

/**
 * A statement; one with `only` is run when that query's one row counts more than 0 in that column, because else it would write nothing.
 * One with `given` binds the columns of that query's one row too; it is asked once a run, before the first group that binds it.
 * One with `data` is an INSERT of what that yields, in the format the statement ends with: what only a program can read, such as bytes. Where that is nothing it is not run.
 */
export interface Statement extends SqlFile {
  readonly only?: { readonly asks: SqlFile; readonly column: string }; readonly given?: SqlFile
  readonly data?: (batch: BatchRef, context: Context, counts: Counting) => AsyncIterable<Piece>
}

/** What a query counts in the batch of a run, by column; it is asked once a run. */
export type Counting = (asks: SqlFile) => Promise<Readonly<Record<string, number>>>

/** Statements that may run side by side stand in one group; groups run one after the other. */
export type Statements = readonly (readonly Statement[])[]

/** Binds statements to columns of the query `asks`; it is asked once a run, before the first group that needs it. */
export const onlyWith = (asks: SqlFile) => (column: string, sql: SqlFile): Statement => ({ ...sql, only: { asks, column } })

const Counts = z.record(z.string(), z.coerce.number())
/** What the query `asks` counts in a batch, by column. */
export const countsOf = async (asks: SqlFile, params: Record<string, unknown>, store: Store): Promise<Readonly<Record<string, number>>> => (await store.query(asks, params, Counts))[0] ?? {}

const Given = z.record(z.string(), z.array(z.coerce.number()))
/** The further parameters a query (a statement's `given`) says: lists of numbers by name. */
export const givenBy = async (asks: SqlFile, params: Record<string, unknown>, store: Store): Promise<Readonly<Record<string, readonly number[]>>> => (await store.query(asks, params, Given))[0] ?? {}

export interface BlockHead { readonly number: number; readonly hash: string; readonly parentHash: string; /** Unix seconds. */ readonly time: number }

/** What the pipeline needs of a chain's nodes. */
export interface Source {
  /** Begins to hear what is not to be had later: once at the start of whoever conducts, whatever is ordered. Absent where nodes can be asked for all that was. */
  listen?(): void
  /** The newest block endpoints agree on, the finalized height, and the name of the endpoint that said so. */
  head(): Promise<BlockHead & { readonly finalized: number; readonly endpoint: string }>
  /** The header at a height on the nodes' present chain; null where none of them has it. */
  header(number: number): Promise<BlockHead | null>
  /** The lowest block that some node still has whole, of those below which all of them give headers alone; absent where a node that has a header has its block. */
  lowest?(): Promise<number>
  /** Names of the endpoints in use. */
  names?(): readonly string[]
  /** Resolves when a node has announced a block that nobody waiting here was told of, or when `over` is aborted; absent where the nodes announce none. */
  announced?(over: AbortSignal): Promise<void>
  /** Fetches a batch's answers, checks them and streams them into raw_payloads. */
  ingest(batch: BatchRef, context: Context): Promise<Outcome>
  close(): Promise<void>
}

/** A chain: data, its nodes, its normalizing statements. */
export interface ChainModule {
  readonly chain: Chain
  readonly finality: number
  readonly pollMs: number
  readonly maxBatch: number
  readonly startBlock: number | undefined
  /** Blocks are never replaced once they stand, so those that wait at the tip go as one batch, one in so many milliseconds. */
  readonly together?: { readonly everyMs: number }
  readonly source: Source
  readonly normalize: Statements
  /** Counts in its column `blocks` those of a batch that have answers; a statement of normalize hangs on it, so it is asked anyway. Absent where what is normalized has no blocks. */
  readonly whole?: SqlFile
  /** The same of what normalize leaves for enrich, where that goes after a while; a statement of enrich hangs on it. */
  readonly stillRead?: SqlFile
  /** Further parameters of the chain's own statements. */
  readonly parameters?: Readonly<Record<string, unknown>>
  /** Looks up metadata of tokens first seen in the batch; absent where the chain has no tokens. */
  readonly describeTokens?: (batch: BatchRef, context: Context) => Promise<void>
}

/** The parameters every stage statement gets; a statement uses those it needs. */
export const statementParams = (batch: BatchRef, chain: Chain): Record<string, unknown> => ({
  chain: batch.chain, from: batch.from, to: batch.to, hash: batch.hash.replace(/^0x/, ''), generation: batch.generation, floor: batch.floor,
  segmentBlocks: chain.segmentBlocks,
})

/** What the statements of a chain may bind in a batch. */
const bindable = (batch: BatchRef, { chain, parameters }: ChainModule): Record<string, unknown> => ({ ...statementParams(batch, chain), ...parameters })

/** What is asked in one run of a batch's statements. */
export const countingOf = (batch: BatchRef, { chain, store }: Pick<Context, 'chain' | 'store'>): Counting => {
  const params = bindable(batch, chain)
  const asked = new Map<string, ReturnType<Counting>>()
  return (asks) => {
    const counts = asked.get(asks.path) ?? countsOf(asks, params, store)
    asked.set(asks.path, counts)
    return counts
  }
}

/** Runs a stage's statements for a batch; each insert's token is the batch key and the file's name. Those of a batch that was perhaps worked on before write what is not there. Resolves to rows, written or there. */
export const runStatements = async (statements: Statements, batch: BatchRef, context: Context, counting = countingOf(batch, context)): Promise<number> => {
  const params = bindable(batch, context.chain)
  const idle = async ({ only }: Statement): Promise<boolean> => only !== undefined && (await counting(only.asks))[only.column] === 0
  const given = new Map<string, Readonly<Record<string, unknown>>>()
  let rows = 0
  for (const group of statements) {
    for (const sql of group) if (sql.given !== undefined && !given.has(sql.given.path)) given.set(sql.given.path, await givenBy(sql.given, params, context.store))
    const written = await Promise.all(group.map(async (sql) => {
      if (await idle(sql)) return 0
      const { data } = sql
      const brought = data === undefined ? undefined : await peek(data(batch, context, counting))
      if (brought === null) return 0
      try { await context.checkpoint(`before ${sql.name}`) } catch (thrown) { await brought?.drop(); throw thrown }
      const started = performance.now()
      const bound = { ...params, ...given.get(sql.given?.path ?? '') }
      const token = `${batchKey(batch)}|${sql.name}`
      const send = brought === undefined ? undefined : (): Readable => outgoing(brought.pieces)
      const write = (): Promise<number> => (send === undefined ? context.store.execute(sql, bound, { token }, context.isHeld) : context.store.feed(sql.text, send(), bound, { token }, context.isHeld))
      const run = async (): Promise<{ readonly rows: number; readonly lacking?: number }> => (context.again && sql.writes !== '' ? mend(context.store, sql, bound, token, { mine: true, send }) : { rows: await write() })
      const { rows: count, ...lacked } = await run().catch(async (thrown: unknown) => { await brought?.drop(); throw thrown })
      context.log.debug({ statement: sql.name, rows: count, ...lacked, milliseconds: Math.round(performance.now() - started) }, 'statement')
      return count
    }))
    rows += written.reduce((sum, count) => sum + count, 0)
  }
  return rows
}
