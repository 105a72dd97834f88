/**
 * An operation is one question (or one order), said once: REST route, OpenAPI entry, MCP tool, coverage and empty-result classes come
 * from loops over the registry. The file is named by the operation: `listTransfers.ts` + `listTransfers.sql`, tool `list_transfers`.
 */
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Config } from '../schemas/config.js'
import type { Store } from '../schemas/clickhouse.js'

export const lanes = ['rag', 'blocks', 'raw_rpc', 'whales', 'market', 'signals', 'behavioral', 'perps', 'forensic', 'compliance', 'agents', 'system'] as const
export type Lane = (typeof lanes)[number]

/** Who asks. keyId is the key's public id (8 characters); null: a caller without a key. */
export interface Principal {
  readonly keyId: string | null
  /** Whose things these are (tags, reports): the key itself, also after it was exchanged for another; '' without a key. */
  readonly owner: string
  /** Whose requests these are counted with: the account of a named key, the first of exchanged ones, the address without a key. */
  readonly quota: string
  readonly name: string
  readonly role: 'agent' | 'admin' | 'operator' | 'public'
  readonly tier: string
  readonly scopes: readonly string[]
  readonly ip: string
  /** Requests per minute, and per day (null: no cap), this caller may make. */
  readonly perMinute: number
  readonly daily: number | null
}

/** What an operation may use. `store` reads only; `control` is the pipeline's remote control. */
export interface Ask {
  readonly config: Config
  readonly store: Store
  /** Writes of the control plane (keys, audit): synced inserts. */
  readonly writer: Store
  readonly principal: Principal
  readonly requestId: string
  readonly log: Logger
  /** Base URL under which the caller reached the API, without a trailing slash. */
  readonly baseUrl: string
  /** Aborted when the caller has gone: the query is cancelled. */
  readonly signal: AbortSignal
  readonly services: Services
}

/** Long-lived parts that operations share; api/main.ts makes them once. */
export interface Services {
  readonly keys: import('./keys.js').Keys
  readonly cursors: import('./cursors.js').Cursors
  readonly pipeline: import('../workers/control.js').PipelineControl
  readonly coverage: import('./coverage.js').Coverage
  readonly limits: import('./limits.js').Limits
  readonly analysts: import('./sql/analysts.js').Analysts
  readonly attestation: import('../schemas/attest/keys.js').Attestation
}

export interface Operation<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  /** snake_case; also the MCP tool's name and the metric label. */
  readonly name: string
  /** Other tool names that resolve to this one. */
  readonly aliases?: readonly string[]
  /** 'GET /v1/blocks/{chain}': path parameters in braces are fields of `input`; the rest is the query (GET, DELETE) or the body. */
  readonly route: `${'GET' | 'POST' | 'DELETE'} /${string}`
  readonly auth: 'public' | 'key'
  /** It needs no key, and answers another one otherwise: of a key that cannot be looked up it says nothing. */
  readonly byCaller?: true
  /** Needed beyond a key. */
  readonly role?: 'admin' | 'operator'
  /** Least tier of the key, where the specification asks for one. Never on a tool: a free key reaches every tool. */
  readonly tier?: import('./tiers.js').TierId
  readonly lane: Lane
  /** true: it asks the perps venue too, so that silence about HL alone means what it does for perps. */
  readonly perps?: true
  /** false: REST only (documents, downloads). */
  readonly tool: boolean
  /** true when it changes something; drives the MCP hints and the audit log. */
  readonly writes?: boolean
  /** Fields of the input that are written down nowhere but in the table they are for: the audit log leaves them out. */
  readonly personal?: readonly string[]
  /** One line for people and agents: what it answers, what to call next. */
  readonly summary: string
  /** A flat object; every field has a description. */
  readonly input: Input
  readonly output: Output
  /** Media type where the answer is a file: `output` is its text or its bytes. Such an answer is no tool and is not cached. */
  readonly media?: string
  /** Media types of the streams `run` may answer with (api/sql/streamed.ts) instead of JSON. It sees to its own end; it is no tool and is not cached. */
  readonly streams?: readonly string[]
  /** HTTP status of success (default 200). */
  readonly status?: 200 | 201 | 204
  /** Answers may be reused this long, per input, until the ledger grows. Only for answers that are the same for every caller. */
  readonly cacheSeconds?: number
  /** Its answers are reused that long also when the ledger grows: it waits for nothing but what it asks itself, and for that no longer than it says. */
  readonly alone?: true
  /** false: this answer will soon be another one and is not reused. */
  settled?(output: z.infer<Output>): boolean
  /** Pipelines and registers behind the answer: becomes `_meta.sources`; of a bare list beside it (api/beside.ts). Leave it out where the answer takes no `_meta`. */
  readonly sources?: readonly string[]
  /** Members, at any depth, whose texts strangers or callers wrote: they are answered as they are, and no id in them is taken for one of ours (bitcoinTexts.ts). */
  readonly foreign?: readonly string[]
  /** The member whose emptiness ([] or null) is classified in `_meta.empty`. */
  readonly rows?: string
  /** Instead of `rows`, where the answer only counts: the member whose 0 is classified. */
  readonly counts?: string
  /** The chain whose coverage classifies an empty answer that names no chain itself. */
  readonly chain?: string
  /** The record without which every answer is empty; left out where the answer does not hang on one. */
  readonly record?: import('./readings.js').RecordName
  /** Hours the answer looks back where its input does not say: an empty one is no evidence unless all of them are indexed. Infinity: since the chain began. */
  readonly hours?: number
  /** Whether the answer is one about `rows`: without, it is not empty however few they are. Left out where it always is. */
  asked?(output: z.infer<Output>): boolean
  /** Over MCP: lists that are cut side by side, each after as many of its rows, of which the first is the one that is named; 'thing.rows' is one within. */
  readonly lists?: readonly string[]
  /** Over MCP, of an answer without pages that is cut after `given` of its rows: how the others are asked for. */
  remainder?(args: Readonly<Record<string, unknown>>, output: z.infer<Output>, given: number): import('./remainder.js').Remainder
  /** Says why `rows` is empty where the operation knows better than coverage does; null: it does not. */
  empty?(output: z.infer<Output>, ask: Ask, input: z.infer<Input>): import('./empty.js').Empty | null | Promise<import('./empty.js').Empty | null>
  run(input: z.infer<Input>, ask: Ask): Promise<z.infer<Output>>
}

/** Gives an operation its types; nothing else. */
export const operation = <Input extends z.ZodObject, Output extends z.ZodType>(value: Operation<Input, Output>): Operation<Input, Output> => value
