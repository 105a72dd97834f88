/** The verifier says what is the matter in words and by its exit code, without a network, a store or a setting. */
import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { proofOf, statementOf } from '../../schemas/attest/reportDay.js'
import { fileOf, reportFormat, signReport, wholeOf } from '../../schemas/attest/signedReport.js'
import { signerOf } from '../schemas/attest/support/signer.js'
import { runScript } from '../support/run.js'

const folder = mkdtempSync(join(tmpdir(), 'hydrophone-verify-'))
const file = (name: string, text: string | Buffer): string => { const path = join(folder, name); writeFileSync(path, text); return path }
const signer = signerOf()
const signed = signReport({ format: reportFormat, kind: 'compliance', subject: { chain: 'ETH', address: '0x01' }, conclusion: { status: 'CONCLUSIVE', text: '\u001b[31mred' } }, signer, 0)
const path = file('report.json', fileOf(signed))
const key = file('key.json', JSON.stringify({ public_keys: [{ jwk: { kty: 'OKP', crv: 'Ed25519', x: signer.point } }] }))
const run = (...args: string[]) => runScript('scripts/verify-report.ts', args)

describe('npm run verify-report', function () {
  this.timeout(120_000)

  it('0: valid under the key given, as a file or as itself', async () => {
    for (const args of [['--key', key], ['--key', signer.point], [key]]) {
      const { code, text } = await run(path, ...args)
      assert.deepEqual([code, /^VALID:/m.test(text), text.includes(signed.content_hash)], [0, true, true], text)
      assert.ok(!text.includes('\u001b'), 'what a report says does not reach the terminal raw')
    }
  })

  it('takes a key that begins with a dash for a key', async () => {
    let dashed = signerOf()
    while (!dashed.point.startsWith('-')) dashed = signerOf()
    const own = file('dashed.json', fileOf(signReport({ format: reportFormat, kind: 'compliance', subject: { chain: 'ETH', address: '0x01' }, conclusion: { status: 'CONCLUSIVE', text: '' } }, dashed, 0)))
    for (const args of [['--key', dashed.point], [`--key=${dashed.point}`], [dashed.point]]) {
      const { code, text } = await run(own, ...args)
      assert.deepEqual([code, /^VALID:/m.test(text)], [0, true], text)
    }
    assert.equal((await run(path, '--key', dashed.point)).code, 1)
  })

  it('1: changed, reformatted, or signed by another', async () => {
    const bytes = Buffer.from(fileOf(signed))
    const at = bytes.indexOf('CONCLUSIVE')
    bytes[at] = (bytes[at] ?? 0) ^ 1
    for (const [given, by] of [[file('changed.json', bytes), key], [file('pretty.json', JSON.stringify(wholeOf(signed), null, 2)), key], [path, signerOf().point], [file('none.json', '{}'), key], [file('binary', Buffer.of(0xff, 0)), key]] as const) {
      const { code, text } = await run(given, '--key', by)
      assert.deepEqual([code, /^NOT VALID/m.test(text)], [1, true], text)
    }
  })

  it('2: nothing to check, or no key', async () => {
    for (const args of [[], [join(folder, 'missing')], [path, '--key', join(folder, 'missing')], [path, '--key', file('empty', '')], [path, key, key], [path, key, '--key', key], [path, '--nonsense']]) {
      const { code, text } = await run(...args)
      assert.deepEqual([code, text.includes('    at ')], [2, false], text)
    }
  })

  it('3: unchanged, but nobody says who signed', async () => {
    const { code, text } = await run(path)
    assert.deepEqual([code, text.includes('BY WHOM is not known')], [3, true])
  })

  it('takes an answer of the service too, with the place in the tree of the day', async () => {
    const leaves = ['ab'.repeat(32), signed.content_hash, 'cd'.repeat(32)]
    const statement = statementOf('2026-01-01', leaves, null)
    const proof = proofOf(signed.content_hash, { day: '2026-01-01', leaves, statement, key_id: signer.key_id, public_key: signer.point, signature: signer.ed25519(statement) })
    const answer = { content_hash: signed.content_hash, report: wholeOf(signed), inclusion: { state: 'included', proof } }
    const whole = await run(file('answer.json', JSON.stringify(answer)), '--key', key)
    assert.deepEqual([whole.code, whole.text.includes('Merkle tree of 2026-01-01')], [0, true], whole.text)
    const wrong = await run(file('wrong.json', JSON.stringify({ ...answer, inclusion: { state: 'included', proof: { ...proof, leaf_index: 0 } } })), '--key', key)
    assert.deepEqual([wrong.code, wrong.text.includes('The path does not lead to the root')], [1, true], wrong.text)
  })
})
