import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { fileOf, wholeOf, type Signed } from '../../schemas/attest/signedReport.js'
import { keepReport } from './support/reports.js'
import { startService, type Service } from './support/service.js'

const open = { key: null }
const nobody = 'ab'.repeat(32)
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('verify', () => {
  let service: Service
  let signed: Signed
  const get = (path: string) => service.call(`GET /v1/verify${path}`, open)
  const send = (file: string) => service.call('POST /v1/verify', { ...open, body: { file } })
  before(async function () {
    this.timeout(90_000)
    service = await startService()
  })
  after(() => service.stop())

  it('says that a report is not there, how to verify one that is, and refuses what is no hash', async () => {
    for (const path of ['', '/canonical', '/pdf', '/signed']) {
      const { status, body, headers } = await get(`/${nobody}${path}`)
      assert.deepEqual([status, body.error.code], [404, 'REPORT_NOT_FOUND'])
      assert.match(headers.get('content-type') ?? '', /json/)
      assert.match(body.error.hint, /\/v1\/verify/)
      for (const wrong of ['x', `${nobody}00`, 'g'.repeat(64), '..', `${nobody.slice(1)}%00`, "'%20OR%201=1", '%F0%9F%98%80', `0x${nobody}`]) assert.ok([404, 422].includes((await get(`/${wrong}${path}`)).status), wrong)
    }
    for (const wrong of ['x', `${nobody}00`, 'g'.repeat(64), `${nobody.slice(1)}%00`]) assert.equal((await get(`/${wrong}`)).body.error.code, 'VALIDATION_ERROR')
    const { body } = await get('')
    assert.deepEqual([body.total, body.kinds, body.signature, body.newest_day, body._meta.empty], [0, [], 'HMAC-SHA256', null, { is_successful_empty: true, empty_reason: 'no_signal' }])
  })

  it('gives the report as it was signed, its exact bytes, and checks every signature again', async () => {
    signed = await keepReport(service, { score: 0.25, text: 'Zü(rich)' })
    const { body } = await get(`/${signed.content_hash.toUpperCase()}`)
    assert.deepEqual([body.content_hash, body.report, body.attestation], [signed.content_hash, wholeOf(signed), signed.attestation])
    const { verdict, hash_matches: hash, signature_valid: mac, ed25519_valid: ed25519, seal_valid: seal } = body.verification
    assert.deepEqual([verdict, hash, mac, ed25519, seal, body.inclusion], ['valid', true, true, true, true, { state: 'pending', proof: null }])
    const bytes = (await get(`/${signed.content_hash}/canonical`)).text
    assert.deepEqual([sha256(bytes), (await get(`/${signed.content_hash}/signed`)).text], [signed.content_hash, fileOf(signed)])
    const { public_keys: [key] } = (await service.call('GET /attestation', open)).body
    assert.ok(verify(null, Buffer.from(bytes), createPublicKey(key.pem), Buffer.from(body.attestation.ed25519.signature, 'hex')), 'anyone can check it with the published key')
    assert.equal((await get('')).body.total, 1)
  })

  it('checks a file that is sent: bytes of it flipped in turn fail', async function () {
    this.timeout(60_000)
    const file = fileOf(signed)
    const whole = (await send(file)).body
    assert.deepEqual([whole.verdict, whole.signature_valid, whole.content_hash], ['valid', true, signed.content_hash])
    const bytes = Buffer.from(file)
    // Every byte: test/schemas/attest.
    for (let index = 0; index < bytes.length; index += 29) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      const { status, body } = await send(changed.toString())
      assert.deepEqual([status, body.verdict], [200, 'invalid'], `byte ${index}`)
    }
    for (const text of ['{}', '[]', 'no JSON', '"\ud83d"', '['.repeat(100_000)]) assert.deepEqual((await send(text)).body.verdict, 'invalid')
    for (const body of [{}, { file: 1 }, { file: '' }, { file, more: 1 }]) assert.equal((await service.call('POST /v1/verify', { ...open, body })).status, 422)
  })

  it('verifies a report that was signed before the key was rotated, and signs the next one with the new key', async () => {
    await service.api.parts.services.attestation.rotate()
    const { body } = await get(`/${signed.content_hash}`)
    assert.deepEqual([body.verification.verdict, body.verification.signature_valid], ['valid', true])
    const after = await keepReport(service, { score: 1 })
    assert.notEqual(after.attestation.key_id, signed.attestation.key_id)
    assert.deepEqual((await get(`/${after.content_hash}`)).body.verification.verdict, 'valid')
    assert.deepEqual((await service.api.parts.services.attestation.published()).map(({ key_id: id, state }) => [id, state]), [[after.attestation.key_id, 'active'], [signed.attestation.key_id, 'retired']])
  })

  it('tells a report that was changed where it is kept', async () => {
    const changes: readonly (readonly [object, object])[] = [
      [{ canonical: signed.canonical.replace('0.25', '0.26') }, { hash_matches: false, ed25519_valid: false, signature_valid: false, seal_valid: false }], [{ canonical: signed.canonical.slice(1) }, { hash_matches: false, ed25519_valid: false }],
      [{ attestation: JSON.stringify({ ...signed.attestation, signature: nobody }) }, { hash_matches: true, ed25519_valid: true, signature_valid: false, seal_valid: false }],
      [{ attestation: JSON.stringify({ ...signed.attestation, key_id: 'unknown' }) }, { hash_matches: true, signature_valid: null, seal_valid: false }],
    ]
    for (const [at, [instead, expected]] of changes.entries()) {
      const hash = sha256(`${at}`)
      await keepReport(service, { score: 0.25, text: 'Zü(rich)' }, { ...instead, content_hash: 'canonical' in instead ? hash : signed.content_hash, created_at: '2026-01-01T00:00:00.000Z' })
      const { body, status } = await get(`/${'canonical' in instead ? hash : signed.content_hash}`)
      assert.deepEqual([status, body.verification.verdict], [200, 'invalid'])
      for (const [name, value] of Object.entries(expected)) assert.equal(body.verification[name], value, `${JSON.stringify(instead).slice(0, 60)} ${name}`)
      await service.store.execute("DELETE FROM reports WHERE created_at = '2026-01-01 00:00:00.000'")
    }
  })
})
