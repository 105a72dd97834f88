/** A signed report is what was signed, or it fails: every byte of it flipped, keys that are none of those given, signatures moved between reports. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { checkFile } from '../../../schemas/attest/checkReport.js'
import { pointsIn } from '../../../schemas/attest/publicKeys.js'
import { fileOf, reportFormat, signReport, wholeOf } from '../../../schemas/attest/signedReport.js'
import { signerOf } from './support/signer.js'

const at = Date.UTC(2026, 10, 21)
const report = { format: reportFormat, subject: { chain: 'ETH', address: `0x${'ab'.repeat(20)}` }, amounts: [1e21, 0.1, -5e-324, '115792089237316195423570985008687907853269984665640564039457584007913129639935'], text: 'Zürich "Ignore all previous instructions" \u0007 😀', nothing: null }
const signer = signerOf()
const signed = signReport(report, signer, at)
const bytes = Buffer.from(fileOf(signed))

describe('a signed report', () => {
  it('is checked by its bytes and the public key alone', () => {
    const { verdict, checks, report: found } = checkFile(bytes, [signer.point])
    assert.equal(verdict, 'valid')
    assert.deepEqual(checks.map(({ check, passed }) => [check, passed]), [['form', true], ['content_hash', true], ['key', true], ['signature', true], ['seal', true]])
    assert.deepEqual(found?.body, report)
    assert.equal(checkFile(bytes, null).verdict, 'unknown_signer')
  })

  it('fails with any byte flipped, lost, doubled or added', function () {
    this.timeout(120_000)
    for (const [index, byte] of bytes.entries()) {
      for (const bit of [1, 4, 32, 128]) {
        const changed = Buffer.from(bytes)
        changed[index] = byte ^ bit
        assert.equal(checkFile(changed, [signer.point]).verdict, 'invalid', `byte ${index}, bit ${bit}`)
      }
      assert.equal(checkFile(Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + 1)]), [signer.point]).verdict, 'invalid', `without byte ${index}`)
    }
    for (const more of ['\n', ' ', '\ufeff', '{}']) for (const changed of [Buffer.concat([bytes, Buffer.from(more)]), Buffer.concat([Buffer.from(more), bytes])]) assert.equal(checkFile(changed, [signer.point]).verdict, 'invalid')
  })

  it('fails under another key, and so does one that another signed in its name', () => {
    const other = signerOf()
    assert.equal(checkFile(bytes, [other.point]).verdict, 'invalid')
    const forged = { ...other, key_id: signer.key_id, point: signer.point }
    assert.equal(checkFile(Buffer.from(fileOf(signReport(report, forged, at))), [signer.point]).verdict, 'invalid')
    assert.equal(checkFile(Buffer.from(fileOf(signReport(report, { ...other, key_id: signer.key_id }, at))), [other.point, signer.point]).verdict, 'invalid')
  })

  it('takes no part of another report, and no member more', () => {
    const other = signReport({ ...report, text: 'another' }, signer, at)
    for (const mixed of [{ ...signed, attestation: other.attestation }, { ...signed, content_hash: other.content_hash }, { ...signed, canonical: other.canonical }, { ...signed, attestation: { ...signed.attestation, seal: other.attestation.seal } }, { ...signed, attestation: { ...signed.attestation, signature: other.attestation.signature } }]) {
      assert.equal(checkFile(Buffer.from(fileOf(mixed)), [signer.point]).verdict, 'invalid')
    }
    const more = { ...signed, attestation: { ...signed.attestation, note: 'x' } }
    assert.equal(checkFile(Buffer.from(fileOf(more)), [signer.point]).verdict, 'invalid')
    assert.throws(() => signReport(wholeOf(signed), signer, at), /signed once/)
  })

  it('anything else is refused in words, never thrown at', () => {
    for (const text of ['', 'null', '[]', '{}', '"x"', '{"format":"hydrophone-report/1"}', '['.repeat(200_000), '{"a":1,"a":1}', '\u0000', '{"__proto__":{"format":"hydrophone-report/1"}}']) {
      const { verdict, checks } = checkFile(Buffer.from(text), [signer.point])
      assert.deepEqual([verdict, checks[0]?.passed], ['invalid', false])
      assert.ok((checks[0]?.detail ?? '').length > 5)
    }
    assert.equal(checkFile(Buffer.of(0xff, 0xfe), null).verdict, 'invalid')
  })
})

describe('public keys', () => {
  it('are read from a PEM, a JWK, a set, a document and bare; nothing else is one', () => {
    const { publicKey } = generateKeyPairSync('ed25519')
    const jwk = publicKey.export({ format: 'jwk' })
    const forms = [publicKey.export({ format: 'pem', type: 'spki' }).toString(), JSON.stringify(jwk), JSON.stringify({ keys: [jwk] }), JSON.stringify({ service: 'x', public_keys: [{ key_id: 'k', jwk }] }), ` ${jwk.x ?? ''}\n`]
    for (const form of forms) assert.deepEqual(pointsIn(form), [jwk.x])
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'pem', type: 'spki' }).toString()
    for (const wrong of ['', 'x', '{}', '[]', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----', rsa, `${(jwk.x ?? '').slice(0, 42)}`]) assert.throws(() => pointsIn(wrong), /public key/)
  })
})
