/** Operations made for tests: pages of wide rows, rows without pages, a list at the top, one that never answers, an order. */
import { z } from 'zod'
import { operation, type Ask, type Operation } from '../../../api/operation.js'

export interface Probe { readonly operations: readonly Operation[]; readonly seen: { started: number; aborted: number; asks: Ask[] } }

const row = (number: number, width: number) => ({ number, text: 'x'.repeat(width) })
const Row = z.object({ number: z.number().int(), text: z.string() })

export const probe = (): Probe => {
  const seen: Probe['seen'] = { started: 0, aborted: 0, asks: [] }
  const pages = operation({
    name: 'list_wide', aliases: ['wide_rows'], route: 'GET /v1/test/wide', auth: 'key', lane: 'blocks', tool: true, sources: ['test'], rows: 'rows', summary: 'Wide rows.',
    input: z.object({ limit: z.number().int().min(1).max(200).default(100).describe('Rows'), cursor: z.string().optional().describe('Cursor') }),
    output: z.object({ rows: z.array(Row), next_cursor: z.string().nullable() }),
    run: ({ limit, cursor }) => { const from = Number(cursor ?? 0); const to = Math.min(150, from + limit); return Promise.resolve({ rows: Array.from({ length: to - from }, (_, at) => row(from + at, 400)), next_cursor: to < 150 ? String(to) : null }) },
  })
  const flat = operation({
    name: 'list_flat', route: 'GET /v1/test/flat', auth: 'public', lane: 'market', tool: true, summary: 'Rows at the top, without pages.',
    input: z.object({ rows: z.number().int().min(0).max(1_000).default(0).describe('Rows'), chain: z.string().optional().describe('Chain') }), output: z.array(Row),
    run: ({ rows }) => Promise.resolve(Array.from({ length: rows }, (_, at) => row(at, 400))),
  })
  const two = operation({
    name: 'get_two_lists', route: 'GET /v1/test/two', auth: 'key', lane: 'market', tool: true, summary: 'Two lists beside each other.', lists: ['short', 'long'],
    input: z.object({ offset: z.number().int().min(0).default(0).describe('Of each list') }), output: z.object({ short: z.array(Row), long: z.array(Row) }),
    remainder: (args, { short, long }, given) => ({ next: given < Math.max(short.length, long.length) ? { ...args, offset: Number(args['offset'] ?? 0) + given } : null, hint: 'next' }),
    run: ({ offset }) => { const rows = (count: number, width: number) => Array.from({ length: Math.max(0, count - offset) }, (_, at) => row(offset + at, width)); return Promise.resolve({ short: rows(30, 900), long: rows(100, 300) }) },
  })
  const deep = operation({
    name: 'get_deep', route: 'GET /v1/test/deep', auth: 'key', lane: 'market', tool: true, summary: 'One thing with a long text and an inner list.',
    input: z.object({}), output: z.object({ thing: z.object({ data: z.string(), inner: z.array(Row) }) }),
    run: () => Promise.resolve({ thing: { data: `0x${'ab'.repeat(20_000)}`, inner: Array.from({ length: 90 }, (_, at) => row(at, 400)) } }),
  })
  const endless = operation({
    name: 'wait_forever', route: 'GET /v1/test/wait', auth: 'key', lane: 'system', tool: true, summary: 'Never answers.', input: z.object({}), output: z.object({}),
    run: (_input, ask) => new Promise((_resolve, reject) => { seen.started++; ask.signal.addEventListener('abort', () => { seen.aborted++; reject(new Error('aborted')) }) }),
  })
  const slow = operation({
    name: 'count_slowly', route: 'GET /v1/test/slow', auth: 'key', lane: 'system', tool: true, summary: 'A query of 18 seconds.', input: z.object({}), output: z.object({}),
    run: async (_input, ask) => { await ask.store.query("SELECT 'slow probe' AS name, sleepEachRow(1) FROM numbers(18) SETTINGS max_block_size = 1", {}, z.unknown()); return {} },
  })
  const order = operation({
    name: 'change_something', route: 'DELETE /v1/test/thing', auth: 'key', role: 'admin', lane: 'system', tool: true, writes: true, status: 204, summary: 'Changes something.', input: z.object({}), output: z.null(),
    run: (_input, ask) => { seen.asks.push(ask); return Promise.resolve(null) },
  })
  const hidden = operation({ name: 'not_a_tool', route: 'GET /v1/test/hidden', auth: 'key', lane: 'system', tool: false, summary: 'REST only.', input: z.object({}), output: z.object({}), run: () => Promise.resolve({}) })
  return { seen, operations: [pages, flat, two, deep, endless, slow, order, hidden] as readonly Operation[] }
}
