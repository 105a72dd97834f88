import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { z } from 'zod'
import { pino } from 'pino'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { operations } from '../../api/registry.js'
import { AppError, unavailable } from '../../schemas/errors.js'
import { remainderBy } from '../../api/remainder.js'
import { seed, seedHead } from '../api/support/seed.js'
import { startService, type Service } from '../api/support/service.js'
import { post } from './support/client.js'
import { ending } from '../support/endings.js'

const textOf = (result: unknown): any => JSON.parse(z.object({ content: z.tuple([z.object({ text: z.string() })]) }).parse(result).content[0].text)

describe('MCP catalogue, through the official clients', () => {
  let service: Service
  const logged: any[] = []
  let old: Client
  let modern: ModernClient
  const open = async (query = ''): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.api.url}/mcp${query}`), { requestInit: { headers: { 'X-API-Key': service.agentKey } } }) as never)
    return client
  }
  before(async function () {
    this.timeout(90_000)
    service = await startService({}, { log: pino({ level: 'warn' }, { write: (line: string) => { logged.push(JSON.parse(line)) } }) })
    await seed(service.store, 1_000, 100)
    await seedHead(service.store, 1_101)
    old = await open()
    modern = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
    await modern.connect(new ModernTransport(new URL(`${service.api.url}/mcp`), { requestInit: { headers: { Authorization: `Bearer ${service.agentKey}` } } }))
  })
  after(ending(() => old, () => modern, () => service))

  it('says who it is', () => {
    assert.equal(old.getServerVersion()?.version, '3.5.0')
    assert.match(old.getInstructions() ?? '', /coverage_status[\s\S]*is_successful_empty[\s\S]*untrusted/)
    assert.equal(modern.getServerVersion()?.version, '3.5.0')
    assert.equal(modern.getInstructions(), old.getInstructions())
  })

  it('lists one described tool for each operation that is one, the same in both revisions', async () => {
    const { tools } = await old.listTools()
    assert.deepEqual(tools.map(({ name }) => name).sort(), operations.filter(({ tool }) => tool).map(({ name }) => name).sort())
    assert.deepEqual((await modern.listTools()).tools.map(({ name }) => name), tools.map(({ name }) => name))
    for (const { name, title, description, inputSchema, outputSchema, annotations, _meta } of tools) {
      const operation = operations.find((one) => one.name === name)
      assert.ok(title !== undefined && description !== undefined && description !== '', name)
      assert.equal(inputSchema.type, 'object')
      assert.equal((inputSchema as { additionalProperties?: unknown }).additionalProperties, false)
      assert.equal(outputSchema?.type, 'object')
      assert.equal(_meta?.['lane'], operation?.lane)
      assert.equal(annotations?.readOnlyHint, operation?.writes !== true, name)
      for (const hint of ['destructiveHint', 'idempotentHint', 'openWorldHint'] as const) assert.equal(typeof annotations[hint], 'boolean', `${name} ${hint}`)
    }
  })

  it('publishes the listing without a key, and messages that work', async () => {
    const { tools } = await old.listTools()
    const listing = (await service.call('GET /mcp/tools.json', { key: null })).body
    assert.equal(listing.tool_count, tools.length)
    assert.deepEqual(listing.tools, tools)
    const fixtures = (await service.call('GET /mcp/fixtures.json', { key: null })).body
    let id = ''
    for (const one of fixtures.messages) {
      const answer = await post(service.api.url + fixtures.endpoint, { ...fixtures.headers, 'X-API-Key': service.agentKey, ...(id === '' ? {} : { 'Mcp-Session-Id': id }) }, one)
      assert.equal(answer.status, one.id === undefined ? 202 : 200)
      if (one.id !== undefined) assert.ok(answer.body.result.isError === undefined, answer.text)
      id = String(answer.headers['mcp-session-id'] ?? id)
    }
  })

  it('narrows the list by lane, calls reach every lane', async () => {
    const narrow = await open('?lanes=whales,market')
    const { tools } = await narrow.listTools()
    assert.ok(tools.length > 0)
    assert.deepEqual([...new Set(tools.map(({ _meta }) => _meta?.['lane']))].filter((lane) => lane !== 'whales' && lane !== 'market'), [])
    assert.equal((await narrow.callTool({ name: 'list_tiers', arguments: {} })).isError, undefined)
    await narrow.close()
  })

  it('answers as REST does, as text and as structure', async () => {
    const rest = (await service.call('GET /v1/blocks/ETH/1005')).body
    for (const client of [old, modern]) {
      const result = await client.callTool({ name: 'get_block', arguments: { chain: 'ETH', block_number: 1_005 } })
      assert.deepEqual(result.structuredContent, rest)
      assert.deepEqual(textOf(result), rest)
    }
  })

  it('resolves aliases that it does not list', async () => {
    const { tools } = await old.listTools()
    for (const name of operations.flatMap(({ aliases }) => aliases ?? [])) assert.ok(!tools.some((tool) => tool.name === name))
    const result = textOf(await modern.callTool({ name: 'recent_whales', arguments: { chain: 'ETH', limit: 2 } }))
    assert.equal(result.whales.length, 2)
  })

  it('classifies what is empty', async () => {
    const result = textOf(await old.callTool({ name: 'list_blocks', arguments: { chain: 'SOL' } }))
    assert.deepEqual([result.blocks, result.is_successful_empty, result.empty_reason], [[], false, 'unsupported_input'])
  })

  it('gives the errors of REST to the agent, and an unknown tool to the protocol', async () => {
    for (const client of [old, modern]) {
      const wrong = await client.callTool({ name: 'list_blocks', arguments: { chain: 'ETH', limit: 9_999, colour: 'red' } })
      assert.equal(wrong.isError, true)
      const { error } = textOf(wrong)
      assert.equal(error.code, 'VALIDATION_ERROR')
      assert.deepEqual(error.details.map(({ loc }: { loc: string[] }) => loc.join('.')).sort(), ['arguments.colour', 'arguments.limit'])
      const rest = await service.call('GET /v1/blocks/DOGE')
      assert.deepEqual(textOf(await client.callTool({ name: 'list_blocks', arguments: { chain: 'DOGE' } })), rest.body)
      assert.equal(textOf(await client.callTool({ name: 'list_blocks', arguments: { chain: 'ETH', cursor: 'forged' } })).detail.error, 'INVALID_CURSOR')
      await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), { code: -32602 })
      await assert.rejects(client.listTools({ cursor: 'forged' }), { code: -32602 })
    }
  })

  it('cuts a long answer and names the call that goes on; following it reads every row once', async () => {
    const numbers: number[] = []
    let asked: { name: string; arguments?: Record<string, unknown> } = { name: 'list_blocks', arguments: { chain: 'ETH', limit: 100 } }
    for (let calls = 0; calls < 20; calls++) {
      const result = await old.callTool(asked)
      const page = textOf(result)
      assert.ok(JSON.stringify(page).length <= 4_000 * 3)
      numbers.push(...page.blocks.map(({ number }: { number: number }) => number))
      if (page._meta.truncated !== undefined) asked = page._meta.truncated.next
      else if (page.next_cursor !== null) asked = { name: 'list_blocks', arguments: { chain: 'ETH', limit: 10, cursor: page.next_cursor } }
      else break
    }
    assert.deepEqual(numbers, Array.from({ length: 100 }, (_, at) => 1_099 - at))
    const long = await open('?max_tokens=20000')
    assert.equal(textOf(await long.callTool({ name: 'list_blocks', arguments: { chain: 'ETH', limit: 80 } })).blocks.length, 80)
    await long.close()
  })

  it('names the call that goes on after answers without pages, and what it left out', async () => {
    const schema = textOf(await old.callTool({ name: 'get_sql_schema', arguments: {} })), { truncated: cut } = schema._meta
    assert.deepEqual([cut.field, cut.returned, Object.keys(cut.next.arguments)], ['views', schema.views.length, ['view']])
    const next = textOf(await old.callTool(cut.next))
    assert.deepEqual(next.views.map(({ name }: { name: string }) => name), [cut.next.arguments.view])
    assert.ok(cut.hint.startsWith(`Left out: ${cut.next.arguments.view}, `) && cut.hint.split(', ').length >= cut.available - cut.returned, cut.hint)
    const trust = textOf(await old.callTool({ name: 'get_trust', arguments: {} }))
    const chains: string[] = trust.chains.map(({ chain }: { chain: string }) => chain)
    for (let going = trust._meta?.truncated?.next; going !== null && going !== undefined; going = null) chains.push(...textOf(await old.callTool(going)).chains.map(({ chain }: { chain: string }) => chain))
    assert.deepEqual(chains.slice(0, 2), ['ETH', 'BTC'])
    assert.deepEqual(textOf(await old.callTool({ name: 'get_trust', arguments: { chain: 'btc' } })).chains.map(({ chain }: { chain: string }) => chain), ['BTC'])
    const numbers: number[] = []
    let calls = 0
    for (let asked: any = { name: 'run_sql', arguments: { query: 'SELECT block_number, block_hash, parent_hash FROM blocks ORDER BY block_number', limit: 90 } }; asked !== null;) {
      const page = textOf(await old.callTool(asked))
      calls += 1
      assert.equal(page.count, page.rows.length)
      assert.equal(page._meta?.truncated?.hint.includes('ORDER BY') ?? true, true)
      numbers.push(...page.rows.map(([number]: [string]) => Number(number)))
      assert.equal(page.truncated, asked.arguments.offset === undefined || numbers.length < 100)
      asked = page._meta?.truncated?.next ?? (page.truncated ? { name: 'run_sql', arguments: { ...asked.arguments, offset: numbers.length } } : null)
    }
    assert.deepEqual(numbers, Array.from({ length: 100 }, (_, at) => 1_000 + at))
    const wordy = textOf(await old.callTool({ name: 'run_sql', arguments: { query: `SELECT block_number, block_hash, parent_hash FROM blocks ORDER BY block_number /* ${'why '.repeat(1_000)}*/`, limit: 90 } }))
    calls += 1
    assert.ok(wordy._meta.truncated.next.arguments.query.length > 4_000 && JSON.stringify(wordy).length <= 4_000 * 3, String(JSON.stringify(wordy).length))
    const [run] = await service.store.query("SELECT count() AS statements FROM audit WHERE action = 'run_sql'", {}, z.object({ statements: z.coerce.number() }))
    assert.deepEqual([run?.statements, calls > 1], [calls, true], 'what is cut is not run again')
  })

  it('names no call that gives the same again', () => {
    assert.deepEqual(remainderBy('name', ['one', 'one', 'two', 'one'], 1).next, { name: 'one' })
    assert.deepEqual([remainderBy('name', ['one', 'one', 'one'], 1).next, remainderBy('name', ['one', 'two'], 2).next, remainderBy('name', [], 0).next], [null, null, null])
  })

  it('has resources, prompts and completions', async () => {
    const read = async (uri: string) => JSON.parse((await old.readResource({ uri })).contents.map((one) => ('text' in one ? one.text : '')).join(''))
    assert.ok((await read('hydrophone://chains')).chains.some(({ id }: { id: string }) => id === 'ETH'))
    assert.equal((await read('hydrophone://chains/eth')).coverage_status.tier, 'live')
    const { tables } = await read('hydrophone://schema')
    const names = tables.map(({ name }: { name: string }) => name)
    assert.ok(names.includes('transfers') && names.includes('chunks') && !names.some((name: string) => /key|secret|audit|tag|waitlist/.test(name)))
    assert.deepEqual(tables.find(({ name }: { name: string }) => name === 'blocks').columns[1], { name: 'block_number', type: 'UInt64' })
    const labelled = `0x${'a1'.repeat(20)}`
    await service.store.insert('labels', [{ chain: 'ETH', address: labelled, label: 'Bad\u202e name', entity: 'Bad', category: 'exchange', source: 'test', rule: '', confidence: 80, licence: '', valid_from: '2024-01-01 00:00:00.000', removed: false, version: 1 }])
    const { labels } = await read(`hydrophone://labels/eth/${labelled.toUpperCase().replace('0X', '0x')}`)
    assert.deepEqual(labels, [{ label: 'Bad name', entity: 'Bad', classification: 'exchange', source: 'test', confidence: 80, official: false, valid_from: '2024-01-01T00:00:00.000Z' }])
    assert.equal((await read(`hydrophone://labels/ETH/0x${'ee'.repeat(20)}`)).empty_reason, 'no_signal')
    const everywhere = await read(`hydrophone://labels/ALL/${labelled}`)
    assert.deepEqual([everywhere.chain, everywhere.labels, everywhere.empty_reason], ['ETH', labels, undefined])
    // What rules say counts as a source, as get_labels has it.
    const derived = `0x${'d7'.repeat(20)}`
    await service.store.insert('label_changes', [{ chain: 'ETH', address: derived, source: 'rules', label: 'MEV bot', version: 1, action: 'added', at: '2024-02-01 00:00:00.000', entity: '', category: 'mev_bot', rule: 'mev_bot', rule_version: 1, level: 'heuristic', confidence: 10, licence: '', reference: '', valid_from: '2024-01-02 00:00:00.000', valid_to: null, height: 1_099, epoch: 0, evidence_rows: 2, first_block: 1_000, last_block: 1_001, value_usd: null, examples: [], facts: {} }])
    for (const chain of ['ETH', 'all']) {
      const ruled = await read(`hydrophone://labels/${chain}/${derived}`), { statements } = textOf(await old.callTool({ name: 'get_labels', arguments: { chain, address: derived } }))
      assert.deepEqual([ruled.chain, ruled.empty_reason, ruled.labels], ['ETH', undefined, [{ label: 'MEV bot', entity: '', classification: 'mev_bot', source: 'rules', confidence: 10, official: false, valid_from: '2024-01-02T00:00:00.000Z' }]])
      assert.deepEqual(statements.map(({ source, label }: { source: string; label: string }) => [source, label]), [['rules', 'MEV bot']])
    }
    for (const uri of ['hydrophone://nothing', `hydrophone://labels/DOGE/${labelled}`, 'hydrophone://labels/ETH/x', `hydrophone://labels/ETH/${labelled}/more`]) await assert.rejects(modern.readResource({ uri }), { code: -32602 })
    const { messages } = await modern.getPrompt({ name: 'brief_chain', arguments: { chain: 'ETH' } })
    assert.match(JSON.stringify(messages), /ETH/)
    await assert.rejects(modern.getPrompt({ name: 'brief_chain', arguments: {} }), { code: -32602 })
    const { completion } = await old.complete({ ref: { type: 'ref/prompt', name: 'brief_chain' }, argument: { name: 'chain', value: 'b' } })
    assert.deepEqual(completion.values, ['BTC', 'BASE'])
  })

  it('tells of a resource that cannot be read a request id, and the log the rest', async () => {
    const { store } = service.api.parts
    const failing = async (query: typeof store.query, uri: string, client: { readResource(of: { uri: string }): Promise<unknown> }): Promise<any> => {
      const was = store.query
      Object.assign(store, { query })
      logged.length = 0
      try { await client.readResource({ uri }) } catch (thrown) { return thrown } finally { Object.assign(store, { query: was }) }
      throw new Error('it was read')
    }
    const inner = 'Memory limit (for query) exceeded: t_secret.labels'
    for (const client of [old, modern]) for (const uri of ['hydrophone://schema', `hydrophone://labels/ETH/0x${'a1'.repeat(20)}`]) {
      const fault = await failing(() => Promise.reject(new AppError('STORE_FAILED', inner)), uri, client)
      assert.deepEqual([fault.code, fault.message.includes('t_secret'), /on our side/.test(fault.message)], [-32603, false, true], fault.message)
      const [line] = logged.filter(({ msg }) => msg === 'resource failed')
      assert.deepEqual([line?.reason, line?.traceId, line?.operation, typeof fault.data?.request_id], [inner, fault.data?.request_id, 'resources/read', 'string'])
    }
    const away = await failing(() => Promise.reject(unavailable('ClickHouse', undefined)), 'hydrophone://schema', modern)
    assert.deepEqual([away.code, /Ask again in a few seconds/.test(away.message)], [-32603, true])
  })

  it('reads a resource for no longer than its reader waits', async () => {
    const { store } = service.api.parts
    const was = store.query
    const gone = new AbortController()
    const ended = new Promise<void>((resolve, reject) => {
      Object.assign(store, { query: (...[, , , , signal]: Parameters<typeof store.query>) => new Promise((_resolve, fail) => {
        if (signal === undefined) { reject(new Error('the read has no end')); fail(new Error('no end')); return }
        signal.addEventListener('abort', () => { resolve(); fail(new Error('ended')) })
        setTimeout(() => { gone.abort() }, 50)
      }) })
    })
    try {
      await Promise.all([assert.rejects(modern.readResource({ uri: 'hydrophone://schema' }, { signal: gone.signal })), ended])
    } finally { Object.assign(store, { query: was }) }
  })
})
