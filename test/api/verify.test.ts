import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { startService, type Service } from './support/service.js'

const canonical = '{"address":"0x01","counts":{"transfers":12},"score":0.25,"text":"Zü(rich)"}'
const hash = createHash('sha256').update(canonical).digest('hex')
const secret = 'a secret of this test'
const report = (more: object = {}) => ({
  content_hash: hash, kind: 'compliance', subject: '0x01', chain: 'ETH', canonical, signature: createHmac('sha256', secret).update(canonical).digest('hex'), key_name: 'reports', created_at: '2026-01-02T03:04:05.678Z', ...more,
})
const open = { key: null }

describe('verify', () => {
  let service: Service
  const get = (path: string) => service.call(`GET /v1/verify${path}`, open)
  before(async function () {
    this.timeout(90_000)
    service = await startService()
  })
  after(() => service.stop())

  it('says that a report is not there, and how to verify one that is', async () => {
    for (const path of [`/${hash}`, `/${hash}/canonical`, `/${hash}/pdf`]) {
      const { status, body, headers } = await get(path)
      assert.deepEqual([status, body.error.code], [404, 'REPORT_NOT_FOUND'])
      assert.match(headers.get('content-type') ?? '', /json/)
      assert.match(body.error.hint, /\/v1\/verify/)
    }
    for (const wrong of ['x', `${hash}00`, 'g'.repeat(64)]) assert.equal((await get(`/${wrong}`)).body.error.code, 'VALIDATION_ERROR')
    const { body } = await get('')
    assert.deepEqual([body.total, body.kinds, body.signature, body._meta.empty], [0, [], 'HMAC-SHA256', { is_successful_empty: true, empty_reason: 'no_signal' }])
  })

  it('gives the report as it was signed, and checks it again', async () => {
    await service.store.insert('reports', [report()])
    const unkeyed = (await get(`/${hash}`)).body
    assert.deepEqual([unkeyed.verification.hash_matches, unkeyed.verification.signature_valid], [true, null])
    await service.store.insert('secrets', [{ name: 'reports', value: secret, created_at: new Date().toISOString() }])
    const { body } = await get(`/${hash.toUpperCase()}`)
    assert.deepEqual([body.content_hash, body.report, body.attestation.signature, body.verification.hash_matches, body.verification.signature_valid], [hash, JSON.parse(canonical), report().signature, true, true])
    const bytes = await get(`/${hash}/canonical`)
    assert.equal(createHash('sha256').update(bytes.text).digest('hex'), hash)
    assert.equal((await get('')).body.total, 1)
  })

  it('renders it as a PDF whose offsets are right', async () => {
    const answer = await fetch(`${service.api.url}/v1/verify/${hash}/pdf`)
    assert.equal(answer.headers.get('content-type'), 'application/pdf')
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    const at = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
    assert.equal(text.slice(at, at + 4), 'xref')
    const offsets = [...text.slice(at).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]))
    assert.deepEqual(offsets.map((offset, index) => text.slice(offset).startsWith(`${index + 1} 0 obj\n`)), offsets.map(() => true))
    const [, length, stream] = /<< \/Length (\d+) >>\nstream\n([\s\S]*?)\nendstream/.exec(text) ?? []
    assert.equal(Number(length), stream?.length)
    assert.ok(text.includes(hash) && text.includes('signature valid') && text.includes('Z\\\\u{fc}\\(rich\\)'))
  })

  it('tells a report that was changed', async () => {
    const wrong = 'ab'.repeat(32)
    await service.store.insert('reports', [report({ content_hash: wrong, signature: 'cd'.repeat(32) })])
    const { body } = await get(`/${wrong}`)
    assert.deepEqual([body.verification.hash_matches, body.verification.signature_valid], [false, false])
  })
})
