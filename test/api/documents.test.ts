import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { documents } from '../../api/documents/list.js'
import { operations } from '../../api/registry.js'
import { root } from '../support/run.js'
import { startService, type Service } from './support/service.js'

const run = promisify(execFile)

describe('documents', () => {
  let service: Service
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') => fetch(service.api.url + path, { method, headers })
  before(async function () {
    this.timeout(90_000)
    service = await startService({ GIT_COMMIT: 'ab'.repeat(20) })
  })
  after(() => service.stop())

  it('are public, typed and kept for a while; asking again with their ETag costs nothing', async () => {
    const types: Readonly<Record<string, RegExp>> = { json: /^application\/json/, md: /^text\/markdown/, txt: /^text\/plain/, xml: /^application\/xml/, js: /^text\/javascript/ }
    for (const { path } of documents) {
      const first = await get(path)
      const text = await first.text()
      assert.equal(first.status, 200, path)
      assert.ok(text.length > 50, path)
      assert.match(first.headers.get('content-type') ?? '', types[/\.(\w+)$/.exec(path)?.[1] ?? ''] ?? (path === '/redoc' ? /^text\/html/ : /^application\/json/), path)
      assert.match(first.headers.get('cache-control') ?? '', /^public, max-age=\d+$/)
      const tag = first.headers.get('etag') ?? ''
      assert.match(tag, /^"[\w-]{22}"$/)
      const again = await get(path, { 'If-None-Match': tag })
      assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', tag], path)
      assert.equal((await get(path, { 'If-None-Match': '"other"' }, 'HEAD')).status, 200)
      assert.equal((await get(path, {}, 'POST')).status, 405)
      assert.equal((await get(`${path}?colour=red`)).status, 422)
    }
  })

  it('give one number each for operations, paths, public ones and tools', async () => {
    const described = (await service.call('GET /openapi.json')).body
    const summary = (await service.call('GET /openapi-summary.json')).body
    const listed = (await service.call('GET /mcp/tools.json')).body
    const manifest = (await service.call('GET /.well-known/mcp.json')).body
    const entries = Object.values(described.paths).flatMap((path) => Object.values(path as object)) as { operationId: string; security: object[] }[]
    assert.equal(summary.operations, entries.length)
    assert.equal(summary.paths, Object.keys(described.paths).length)
    assert.deepEqual(summary.public.map(({ name }: { name: string }) => name).sort(), entries.filter(({ security }) => security.some((way) => Object.keys(way).length === 0)).map(({ operationId }) => operationId).sort())
    assert.deepEqual([summary.public_count, summary.keyed_count], [summary.public.length, summary.keyed.length])
    const tools = operations.filter(({ tool }) => tool).map(({ name }) => name).sort()
    assert.deepEqual(manifest.lanes.flatMap((lane: { tools: string[] }) => lane.tools).sort(), tools)
    assert.deepEqual([manifest.tool_count, listed.tool_count, summary.tool_count], [tools.length, tools.length, tools.length])
    const page = await (await get('/agents.md')).text()
    assert.ok(page.includes(`## Tools (${tools.length})`) && tools.every((name) => page.includes(`\`${name}\``)))
    const full = await (await get('/llms-full.txt')).text()
    assert.ok(operations.every(({ route }) => full.includes(`### ${route}\n`)))
    assert.ok((await (await get('/llms.txt')).text()).includes(`${summary.operations} operations, ${summary.public_count} of them without a key; ${tools.length} MCP tools`))
  })

  it('name only what answers: the site map, llms.txt, robots', async () => {
    const map = await (await get('/sitemap.xml')).text()
    const places = [...map.matchAll(/<loc>([^<]+)<\/loc>/g), ...(await (await get('/llms.txt')).text()).matchAll(/\]\((http[^)]+)\)/g)].map(([, place]) => place ?? '')
    assert.ok(places.length > 10)
    for (const place of places) assert.equal((await fetch(place)).status, 200, place)
    assert.ok((await (await get('/robots.txt')).text()).includes(`Sitemap: ${service.api.url}/sitemap.xml`))
  })

  it('say which build answers', async () => {
    const { body } = await service.call('GET /attestation', { key: null })
    assert.equal(body.git_commit, 'ab'.repeat(20))
    assert.match(body.schema_head, /^\d{4}_/)
    assert.equal(body.versions.mcp, '3.5.0')
  })

  it('bring the reference without the internet: the page loads what this service serves and nothing else', async () => {
    const page = await get('/redoc')
    const text = await page.text()
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /script-src 'self';/)
    assert.doesNotMatch(text, /(src|href)="(https?:)?\/\//)
    const [, script = ''] = /<script src="([^"]+)"/.exec(text) ?? []
    // Behind a proxy the service may have a path of its own, which it is not told in requests: links lead to what is beside the page.
    const base = 'https://proxy.example/hydrophone', links = [...text.matchAll(/\s(?:src|href|spec-url)="([^"#]+)"/g)].map(([, link = '']) => new URL(link, `${base}/redoc`).href)
    assert.equal(links.length, 3)
    for (const link of links) {
      assert.ok(link.startsWith(`${base}/`), link)
      assert.equal((await get(link.slice(base.length), {}, 'HEAD')).status, 200, link)
    }
    const bundle = await (await get(new URL(script, `${service.api.url}/redoc`).pathname)).text()
    assert.ok(bundle.length > 500_000)
    assert.doesNotMatch(bundle, /cdn\.redoc\.ly|fonts\.googleapis/)
    assert.ok(operations.every(({ route }) => text.includes(route.split(' ')[1] ?? '?')))
  })

  it('hold before both linters of the description, with every example as its schema says', async function () {
    this.timeout(120_000)
    const folder = mkdtempSync(join(tmpdir(), 'hydrophone-lint-'))
    try {
      const description = join(folder, 'openapi.json')
      writeFileSync(description, await (await get('/openapi.json')).text())
      // The contract itself has /v1/wallets/risky/{chain} beside /v1/wallets/{address}/all-chains: the path with more fixed parts wins.
      writeFileSync(join(folder, 'redocly.yaml'), 'extends: [recommended]\nrules:\n  # /v1/wallets/risky/{chain} and /v1/wallets/{address}/all-chains are both in the contract; fixed parts win here.\n  no-ambiguous-paths: off\n  no-invalid-media-type-examples: error\n')
      writeFileSync(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n')
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
      const bin = (name: string): string => join(root, 'node_modules/.bin', name)
      const told = await run(bin('redocly'), ['lint', description, '--config', join(folder, 'redocly.yaml'), '--format', 'json'], { env, cwd: folder }).catch((failed: { stdout: string }) => failed)
      assert.deepEqual((JSON.parse(told.stdout) as { problems: unknown[] }).problems, [])
      const held = await run(bin('spectral'), ['lint', '--fail-severity', 'warn', '--quiet', '-f', 'json', '-r', join(folder, 'spectral.yaml'), description], { cwd: folder, maxBuffer: 1e8 }).catch((failed: { stdout: string }) => failed)
      assert.deepEqual(JSON.parse(held.stdout === '' ? '[]' : held.stdout), [])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('the recording', () => {
  it('is in the description and in the fixtures', async () => {
    const { calls } = JSON.parse(readFileSync(new URL('../../api/documents/recorded.json', import.meta.url), 'utf8')) as { calls: { operation: string }[] }
    assert.ok(calls.length >= 50)
    assert.deepEqual(calls.filter(({ operation }) => !operations.some(({ name }) => name === operation)), [])
  })
})
