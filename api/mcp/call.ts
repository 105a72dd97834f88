/** tools/call: the same run as REST (`invoke`), its answer wrapped, classified when empty, and cut to the size asked for. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Parts } from '../context.js'
import { membersOf } from '../beside.js'
import type { Empty } from '../empty.js'
import { render } from '../envelopes.js'
import { logFailure } from '../failures.js'
import type { Ask, Operation } from '../operation.js'
import { wrapperOf } from './tools.js'
import { firstOf, listAt, listOf, pruned, prunedBeside, rowsThatFit, sizeOf, type Payload } from './trim.js'
import type { Truncated } from './truncated.js'

type Arguments = Record<string, unknown>

/** By sizeOf, measured with o200k on the recorded answers: from 2.6 where numbers and times stand close, to 4.4 where there is prose. */
const charactersPerToken = 2.6
/** Room for `_meta.truncated` itself, which repeats the arguments (a statement is long) and a cursor. */
const reserveFor = (args: Arguments): number => Math.max(1_200, sizeOf(args) + 700)
const inArguments = (): string => 'arguments'

export const openCall = (invoke: Parts['invoke']) => {
  const fetch = async (operation: Operation, args: Arguments, ask: Ask): Promise<Payload> => {
    const { value, beside } = await invoke({ operation, raw: args, where: inArguments }, ask)
    const wrapper = wrapperOf(operation)
    if (wrapper !== '') return { [wrapper]: value ?? null, ...(beside === undefined ? {} : membersOf(beside)) }
    const { _meta: meta } = value as { _meta?: { empty?: Empty } }
    return { ...value as Payload, ...meta?.empty }
  }

  /** The next page after `payload`, as arguments; null where the operation has no pages. */
  const after = (operation: Operation, args: Arguments, payload: Payload, rows: number): Arguments | null => {
    const fields = operation.input.shape
    const cursor = payload['next_cursor']
    if ('cursor' in fields && typeof cursor === 'string') { const { offset: _, ...rest } = args; return { ...rest, limit: rows, cursor } }
    if ('offset' in fields && 'limit' in fields && args['cursor'] === undefined) return { ...args, limit: rows, offset: Number(args['offset'] ?? 0) + rows }
    return null
  }

  const shorten = async (operation: Operation, args: Arguments, ask: Ask, whole: Payload, most: number): Promise<Payload> => {
    const room = Math.max(most / 4, most - reserveFor(args))
    const named = operation.lists?.filter((path) => listAt(whole, path) !== undefined) ?? []
    const field = named[0] ?? listOf(whole, operation.rows ?? (wrapperOf(operation) === 'items' ? 'items' : undefined))
    const fields = named.length > 0 ? named : field === '' ? [] : [field]
    const available = Math.max(0, ...fields.map((name) => listAt(whole, name)?.length ?? 0))
    // Beside lists that are named may stand longer ones: they are cut to half of the room, so that a page has more than a row.
    const inner = named.length > 0
    let beside: readonly string[] = []
    const lean = (one: Payload): Payload => {
      beside = []
      if (!inner || sizeOf(one) <= room) return one
      const made = prunedBeside(one, fields, room / 2)
      beside = made.cut
      return made.payload
    }
    let payload = lean(whole)
    let rows = fields.length === 0 ? 0 : rowsThatFit(payload, fields, room)
    let next: Arguments | null = null
    if (rows < available) {
      // Only the operation can write the cursor after the last row that fits, so it is asked again for just those.
      // One that says how its remainder is asked for is not: to ask it again may cost as much as the first time.
      const paged = operation.remainder === undefined && 'limit' in operation.input.shape && ('cursor' in operation.input.shape || 'offset' in operation.input.shape) && operation.writes !== true
      const first = async (): Promise<Payload> => (paged ? lean(await fetch(operation, { ...args, limit: rows }, ask))
        : { ...firstOf(lean(whole), fields, rows), ...(whole['count'] === available ? { count: rows } : {}), ...(whole['has_more'] === false && (named.length > 0 || field === operation.rows) ? { has_more: true } : {}) })
      payload = await first()
      // A page has a cursor that the whole had not, and may be too long by that: it gets fewer rows, never fewer than its cursor passes over.
      while (rows > 1 && sizeOf(payload) > room) {
        rows = Math.min(rows - 1, rowsThatFit(payload, fields, room))
        payload = await first()
      }
      if (paged) next = after(operation, args, payload, rows)
    }
    const small = sizeOf(payload) > room ? pruned(payload, room) : { payload, cut: [] }
    if (fields.length > 0) rows = Math.max(...fields.map((name) => listAt(small.payload, name)?.length ?? rows))
    const left = next === null ? operation.remainder?.(args, whole, rows) : undefined
    const on = next ?? left?.next ?? null
    const truncated: Truncated = {
      field, returned: rows, available, cut: [...new Set([...beside, ...small.cut])], next: on === null ? null : { name: operation.name, arguments: { ...on } },
      hint: left !== undefined ? left.hint : next === null ? 'Ask for less (limit, a shorter time, one item), or connect with ?max_tokens= for longer answers.' : 'Call next for the rows after these, or connect with ?max_tokens= for longer answers.',
    }
    return { ...small.payload, ...left?.instead, _meta: { ...(small.payload['_meta'] as object | undefined), truncated } }
  }

  /** Never throws: what goes wrong is the body REST would have sent, no longer than an answer, with isError. `tokens`: about how long the answer may be. */
  return async (operation: Operation, args: Arguments, ask: Ask, tokens: number): Promise<CallToolResult> => {
    const most = tokens * charactersPerToken
    try {
      const whole = await fetch(operation, args, ask)
      const payload = sizeOf(whole) <= most ? whole : await shorten(operation, args, ask, whole, most)
      return { content: [{ type: 'text', text: JSON.stringify(payload) }], structuredContent: payload }
    } catch (thrown) {
      const { status, body } = render(thrown, `${ask.baseUrl}/redoc`, ask.requestId)
      if (status >= 500 && !ask.signal.aborted) logFailure(ask.log, thrown, { traceId: ask.requestId, operation: operation.name }, 'tool failed')
      return { content: [{ type: 'text', text: JSON.stringify(sizeOf(body) <= most ? body : pruned(body as Payload, most).payload) }], isError: true }
    }
  }
}
