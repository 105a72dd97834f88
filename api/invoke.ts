/** Runs an operation for a caller, whichever surface it came by: may they, is the input right, is the answer ready, what is written down. */
import type { z } from 'zod'
import { findChain } from '../schemas/chains.js'
import { AppError, messageOf } from '../schemas/errors.js'
import { openAnswerCache, type Answer } from './answerCache.js'
import { audit, auditLine, writeAudit } from './audit.js'
import { inBitcoinsWords } from './bitcoinTexts.js'
import { headersOf, type Beside } from './beside.js'
import { bound, within } from './deadline.js'
import { emptyBecause, type Empty, type Meta } from './empty.js'
import { invalid, keyRequired, placed, roleRequired, tierRequired, type Detail } from './faults.js'
import { formOf } from './formats.js'
import type { LedgerView } from './ledgerView.js'
import type { Metrics } from './metrics.js'
import type { Ask, Operation, Principal } from './operation.js'
import type { Owed } from './owed.js'
import { pageBeside, type Page } from './pages.js'
import { reachOf } from './reach.js'
import { reversedIn, reversedText } from './reversed.js'
import { Streamed } from './sql/streamed.js'
import { reaches, type TierId } from './tiers.js'
import { fieldsOf } from './values.js'
import { version } from './version.js'
import { beginning } from '../schemas/text.js'

/** What is asked: an operation and its input. The parsed input and the key of its answers are kept with it, so that the same question can be asked again. */
export interface Question {
  readonly operation: Operation
  /** Values, not strings. */
  readonly raw: Record<string, unknown>
  /** The place of a field in an error ('query', 'path', 'body', 'arguments'). */
  readonly where: (field: string) => string
  parsed?: { readonly input: Record<string, unknown>; readonly key: string }
}
export type Invoke = (question: Question, ask: Ask) => Promise<Answer>

const rank = { public: 0, agent: 1, operator: 2, admin: 3 } as const

/** What something asks of its caller. */
export interface Asked { readonly auth: 'public' | 'key'; readonly role?: 'admin' | 'operator'; readonly tier?: TierId }

/** Whether `asked` is refused to a caller without a key, whatever the contract's mark says. */
export const needsKey = (asked: Asked): boolean => asked.auth === 'key' || asked.role !== undefined || asked.tier !== undefined

/** Throws AUTH_REQUIRED, ROLE_REQUIRED or TIER_REQUIRED where `principal` may not call something that asks for `asked`. */
export const authorize = (asked: Asked, principal: Principal): void => {
  if (principal.role === 'public' && needsKey(asked)) throw keyRequired()
  if (asked.role !== undefined && rank[principal.role] < rank[asked.role]) throw roleRequired(asked.role)
  if (asked.tier !== undefined && !reaches(principal.tier, asked.tier)) throw tierRequired(asked.tier)
}

const strict = new WeakMap<Operation, z.ZodObject>()
const inputOf = (operation: Operation): z.ZodObject => {
  let schema = strict.get(operation)
  if (schema === undefined) strict.set(operation, schema = operation.input.strict())
  return schema
}

/** What is wrong with a value, in words of the field: that a URL gives strings is nothing its caller did. */
const wordsOf = (issue: z.core.$ZodIssue, { operation, raw }: Question): string => {
  const name = issue.path.length === 1 ? String(issue.path[0]) : '', field = String(issue.path[0] ?? '')
  const form = formOf(issue, field, fieldsOf(operation).get(field)?.description ?? field)
  if (form !== undefined) return form
  const expected = issue.code === 'invalid_type' ? fieldsOf(operation).get(name)?.expected : undefined
  return expected === undefined ? issue.message : raw[name] === undefined ? `${name} is missing: ${expected} was expected` : `${expected} was expected`
}

/** The input, parsed; throws VALIDATION_ERROR that names every wrong field. */
const parseInput = (question: Question): Record<string, unknown> => {
  const { operation, raw, where } = question
  const parsed = inputOf(operation).safeParse(raw)
  if (parsed.success) {
    const reversed = reversedIn(parsed.data).map((name): Detail => ({ type: 'range_reversed', loc: [where(name), name], msg: reversedText }))
    if (reversed.length > 0) throw invalid(reversed)
    return parsed.data
  }
  throw invalid(parsed.error.issues.flatMap((issue): Detail[] => issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ type: 'unknown_parameter', loc: [where(key), key], msg: `${beginning(key, 64)} is not a parameter of this operation` }))
    : [{ type: issue.code, loc: [where(String(issue.path[0] ?? '')), ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))], msg: wordsOf(issue, question) }]))
}

const parse = (question: Question): { readonly input: Record<string, unknown>; readonly key: string } => {
  const input = parseInput(question)
  return { input, key: `${question.operation.name} ${JSON.stringify(input)}` }
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

/** What the silence of `operation` about a chain means. Where what was asked about has an end that the index has passed, only what is there of it counts; else the chain's own state comes first. */
const silenceOf = async (operation: Operation, chain: string, input: Readonly<Record<string, unknown>>, ask: Ask): Promise<Empty> => {
  const { whole, ended } = await reachOf(operation, input, chain, ask)
  const state = ended ? null : await ask.services.coverage.silence(chain, operation.perps === true ? 'perps' : operation.lane)
  return emptyBecause(state ?? (whole ? 'no_signal' : 'data_gap'))
}

const metaOf = (sources: readonly string[], empty: Empty | undefined): Meta => ({ sources: [...sources], tool_version: version, ...(empty === undefined ? {} : { empty }) })

const emptyOf = async (operation: Operation, value: Record<string, unknown>, input: Readonly<Record<string, unknown>>, ask: Ask): Promise<Empty | undefined> => {
  const silent = operation.counts === undefined ? operation.rows !== undefined && isEmpty(value[operation.rows]) : value[operation.counts] === 0
  if (!silent || operation.asked?.(value) === false) return undefined
  const known = await operation.empty?.(value, ask, input)
  if (known !== undefined && known !== null) return known
  const chain = (value['coverage_status'] as { chain?: string } | undefined)?.chain ?? operation.chain
  return chain === undefined ? emptyBecause('unclassified') : silenceOf(operation, chain, input, ask)
}

/** Why a bare list of `operation` is empty, asked with `input`; undefined where it is not. */
const emptyOfList = async (operation: Operation, list: readonly unknown[], input: Readonly<Record<string, unknown>>, ask: Ask): Promise<Empty | undefined> => {
  if (list.length > 0) return undefined
  const known = await operation.empty?.(list, ask, input)
  if (known !== undefined && known !== null) return known
  const named = input['chain'] ?? operation.chain
  return typeof named === 'string' ? silenceOf(operation, named, input, ask) : emptyBecause('unclassified')
}

/** What a bare list of `operation` would say of itself were it an object. */
const besideList = async (operation: Operation, list: readonly unknown[], page: Page | undefined, input: Readonly<Record<string, unknown>>, ask: Ask): Promise<Beside> => {
  const named = input['chain'] ?? operation.chain
  const { warnings = [], empty: known, ...shown } = page ?? {}
  const [empty, status] = await Promise.all([known ?? emptyOfList(operation, list, input, ask), typeof named === 'string' ? ask.services.coverage.status(named) : undefined])
  return {
    ...(page === undefined ? {} : { page: { next_cursor: page.next_cursor, has_more: page.has_more, ...shown } }), ...(status === undefined ? {} : { coverage_status: { ...status, warnings: [...status.warnings, ...warnings] } }), ...(empty === undefined ? {} : { empty }),
    ...(operation.sources === undefined ? {} : { _meta: metaOf(operation.sources, empty) }),
  }
}

/** Whether an answer may be given again: an empty one may be filled by the next block, and an operation knows which of its own are passing. */
const isSettled = (operation: Operation, value: unknown): boolean =>
  !(Array.isArray(value) && value.length === 0) && (value as { _meta?: { empty?: unknown } })._meta?.empty === undefined && (operation.settled === undefined || operation.settled(value as never))

/** What can be answered without the store waits no longer for it. */
const patienceMs = 2_000

/** `validate`: parse every answer by its output schema (tests), so that a wrong answer is an error and not a surprise. */
export const openInvoke = (metrics: Metrics, options: { readonly validate: boolean; readonly owed: Owed; readonly cacheBytes?: number }): Invoke => {
  const cache = openAnswerCache(options.cacheBytes ?? 64 * 1024 * 1024)

  const checked = (operation: Operation, made: unknown): unknown => (options.validate ? operation.output.parse(made) : made)
  /** The answer that tells `plain`, which is `made` checked, with what is said beside it. */
  const dress = async (operation: Operation, made: unknown, plain: unknown, input: Record<string, unknown>, ask: Ask): Promise<Answer> => {
    let value = plain
    if (operation.sources !== undefined && !Array.isArray(plain)) {
      value = { ...(plain as object), _meta: metaOf(operation.sources, await emptyOf(operation, plain as Record<string, unknown>, input, ask)) }
    }
    const named = input['chain'] ?? operation.chain
    const about = typeof named === 'string' ? findChain(named)?.id ?? '' : ''
    const plainText = operation.status === 204 || operation.media !== undefined ? '' : JSON.stringify(value)
    const spoken = plainText !== '' && (about === 'BTC' || plainText.includes('"chain":"BTC"')) ? await inBitcoinsWords(value, about, ask.store, { signal: ask.signal, foreign: operation.foreign }) : value
    const beside = Array.isArray(plain) && operation.status !== 204 ? await besideList(operation, plain, pageBeside(made), input, ask) : undefined
    return { value: spoken, ...(beside === undefined ? {} : { headers: headersOf(beside), beside }), text: spoken === value ? plainText : JSON.stringify(spoken) }
  }

  const answer = async (operation: Operation, input: Record<string, unknown>, ask: Ask): Promise<Answer> => {
    const made = await operation.run(input, ask) as unknown
    return dress(operation, made, checked(operation, made), input, ask)
  }

  /** Of an input, what may be written down. */
  const toldOf = ({ personal = [] }: Operation, input: Record<string, unknown>): Record<string, unknown> => Object.fromEntries(Object.entries(input).filter(([field]) => !personal.includes(field)))
  const writeRefusal = (operation: Operation, input: Record<string, unknown>, thrown: unknown, ask: Ask): Promise<void> =>
    audit(ask, operation.name, toldOf(operation, input), thrown instanceof AppError ? thrown.code : 'INTERNAL').catch((lost: unknown) => { ask.log.error({ reason: messageOf(lost) }, 'audit line lost') })

  /** A key that reaches for an order, or for what only operators may, is written down; of its input, which nobody parsed, nothing is. A store that is silent keeps nobody from the refusal. */
  const admit = async (operation: Operation, ask: Ask): Promise<void> => {
    try { authorize(operation, ask.principal) } catch (thrown) {
      if (ask.principal.keyId !== null && (operation.writes === true || operation.role !== undefined)) await within(ask.signal, () => writeRefusal(operation, {}, thrown, ask), patienceMs).catch(() => undefined)
      throw thrown
    }
  }

  /** An order is carried out and written down whether or not its caller still waits. */
  const obey = async (operation: Operation, input: Record<string, unknown>, ask: Ask): Promise<Answer> => {
    let made: unknown
    try { made = await operation.run(input, ask) } catch (thrown) {
      await writeRefusal(operation, input, thrown, ask)
      throw thrown
    }
    // From here on it is done, and its answer may be the only place for what it made (a key): neither a line that cannot be written nor words that cannot be looked up take that away.
    const line = auditLine(ask, operation.name, toldOf(operation, input), 'ok', made)
    await options.owed.pay(line, () => writeAudit(ask, line))
    const plain = checked(operation, made)
    return within(ask.signal, () => dress(operation, made, plain, input, ask), patienceMs).catch((thrown: unknown) => {
      ask.log.warn({ reason: messageOf(thrown), traceId: ask.requestId, operation: operation.name }, 'an order was answered without what is said beside its answer')
      const value = operation.sources === undefined || Array.isArray(plain) ? plain : { ...(plain as object), _meta: metaOf(operation.sources, undefined) }
      return { value, text: operation.status === 204 || operation.media !== undefined ? '' : JSON.stringify(value) }
    })
  }

  /** An answer that others may wait for, too, is worked on until the last of them has gone. */
  const remembered = async (operation: Operation, { input, key }: { input: Record<string, unknown>; key: string }, seconds: number, ask: Ask): Promise<Answer> => {
    // Without the store an operation answers or fails by itself: some know a part of their answer from elsewhere.
    const view = (): Promise<LedgerView> => ask.services.coverage.view()
    const revision = operation.alone === true ? ask.services.coverage.ready()?.revision ?? null : await (operation.settled === undefined ? view() : within(ask.signal, view, patienceMs)).then((seen) => seen.revision, () => null)
    let outcome: 'hit' | 'miss' = 'hit'
    const make = (unwanted: AbortSignal): Promise<Answer> => {
      outcome = 'miss'
      return within(unwanted, (signal) => answer(operation, input, bound(ask, signal)))
    }
    const shared = cache.share(`${revision} ${key}`, seconds, ask.signal, make, (value) => isSettled(operation, value))
    metrics.cache(outcome)
    return shared
  }

  const reply: Invoke = async (question, ask) => {
    const { operation } = question
    await admit(operation, ask)
    const parsed = question.parsed ??= parse(question)
    const { input } = parsed
    // A stream lives as long as its reader: the store ends what takes too long.
    if (operation.streams !== undefined) { const value = await operation.run(input, ask) as unknown; return { value, text: value instanceof Streamed ? '' : JSON.stringify(value) } }
    if (operation.writes === true) return within(ask.signal, () => obey(operation, input, ask))
    const { cacheSeconds } = operation
    if (cacheSeconds === undefined) return within(ask.signal, (signal) => answer(operation, input, bound(ask, signal)))
    const revision = ask.services.coverage.ready()?.revision ?? (operation.alone === true ? null : undefined)
    const ready = revision === undefined ? undefined : cache.ready(`${revision} ${parsed.key}`)
    if (ready === undefined) return within(ask.signal, () => remembered(operation, parsed, cacheSeconds, ask))
    metrics.cache('hit')
    return ready
  }
  return async (question, ask) => { try { return await reply(question, ask) } catch (thrown) { throw placed(thrown, question.where) } }
}
