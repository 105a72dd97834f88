/** Days of reports are closed once, with a signed root that every report of the day leads to, in a chain of statements. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { flawOf } from '../../schemas/attest/reportDay.js'
import { hashOf } from '../../schemas/attest/canonical.js'
import { closeDays } from '../../stages/reports/closeDays.js'
import { keepReport } from '../api/support/reports.js'
import { startService, type Service } from '../api/support/service.js'

const at = (day: number, hour: number): number => Date.UTC(2026, 0, day, hour)

describe('days of reports', function () {
  this.timeout(90_000)
  let service: Service
  const verified = async (hash: string) => (await service.call(`GET /v1/verify/${hash}`, { key: null })).body
  before(async () => { service = await startService() })
  after(() => service.stop())

  it('are closed when they are over, whoever asks and however often, and prove what is in them', async () => {
    const { store } = service
    assert.equal(await closeDays(store, at(2, 1)), null)
    const hashes: string[] = []
    for (const hour of [0, 5, 5, 23]) hashes.push((await keepReport(service, { hour, place: hashes.length }, {}, at(1, hour))).content_hash)
    const next = (await keepReport(service, { hour: 1 }, {}, at(2, 1))).content_hash
    assert.equal(await closeDays(store, at(2, 0) + 60_000), null, 'ten minutes are left for the last of a day')
    assert.deepEqual((await Promise.all([at(2, 1), at(2, 1), at(2, 2)].map((now) => closeDays(store, now)))).map((done) => done === null || done.reports === 4), [true, true, true])
    assert.equal(await closeDays(store, at(2, 3)), null)
    await service.api.parts.services.attestation.rotate()
    assert.deepEqual(await closeDays(store, at(3, 1)), { days: 1, reports: 1 })
    const keys = (await service.api.parts.services.attestation.published()).map(({ jwk }) => jwk.x)
    const proofs = []
    for (const hash of hashes) {
      const { inclusion } = await verified(hash)
      assert.deepEqual([inclusion.state, inclusion.proof.tree_size, inclusion.proof.day], ['included', 4, '2026-01-01'])
      assert.equal(flawOf(inclusion.proof, hash, keys), null)
      proofs.push(inclusion.proof)
    }
    assert.deepEqual(proofs.map(({ leaf_index: index }) => index).sort(), [0, 1, 2, 3])
    assert.equal(new Set(proofs.map(({ root }) => root)).size, 1)
    const { inclusion: { proof } } = await verified(next)
    assert.equal(flawOf(proof, next, keys), null)
    assert.deepEqual([JSON.parse(proofs[0].statement).previous, JSON.parse(proof.statement).previous], [null, hashOf(proofs[0].statement)])
    const { newest_day: day } = (await service.call('GET /v1/verify', { key: null })).body
    assert.deepEqual([day.day, day.root, day.statement], ['2026-01-02', proof.root, proof.statement])
  })

  it('prove nothing else', async () => {
    const { content_hash: hash } = await keepReport(service, { hour: 7 }, {}, at(2, 7))
    const { inclusion } = await verified(hash)
    assert.deepEqual(inclusion, { state: 'not_included', proof: null }, 'a day that is closed takes no more')
    const [row] = await service.store.query("SELECT content_hash FROM reports WHERE toDate(created_at) = '2026-01-01' ORDER BY created_at LIMIT 1", {}, z.object({ content_hash: z.string() }))
    const mine = row?.content_hash ?? ''
    const { inclusion: { proof } } = await verified(mine)
    const flip = (text: string): string => `${text.startsWith('0') ? '1' : '0'}${text.slice(1)}`
    const wrong = [
      { ...proof, leaf_index: 1 }, { ...proof, tree_size: 5 }, { ...proof, root: flip(proof.root) }, { ...proof, audit_path: proof.audit_path.slice(1) }, { ...proof, audit_path: proof.audit_path.map(flip) }, { ...proof, signature: flip(proof.signature) },
      { ...proof, statement: proof.statement.replace('2026-01-01', '2026-01-03') }, { ...proof, day: '2026-01-03' }, { ...proof, key_id: 'x' }, { ...proof, statement: '{' }, {}, null,
    ]
    for (const one of wrong) assert.equal(typeof flawOf(one, mine, null), 'string', JSON.stringify(one))
    assert.equal(typeof flawOf(proof, hash, null), 'string')
    assert.match(flawOf(proof, mine, ['another']) ?? '', /none of those given/)
  })

  it('are closed by no clock that is ahead, and follow each other whatever clocks said', async () => {
    const { store } = service
    const today = new Date().toISOString().slice(0, 10)
    await keepReport(service, { hour: 8 }, {}, Date.now())
    assert.equal(await closeDays(store, Date.now() + 2 * 86_400_000), null, 'who asks is ahead: the day goes on')
    assert.deepEqual(await store.query('SELECT d.day AS day FROM report_days AS d WHERE d.day >= toDate({today:String})', { today }, z.object({ day: z.string() })), [])
    // Closed by a clock that was a year ahead.
    await store.execute("ALTER TABLE report_days UPDATE closed_at = now() + INTERVAL 1 YEAR WHERE day = '2026-01-01' SETTINGS mutations_sync = 1")
    // A day that had none got its first when days after it were closed.
    for (const [day, from] of [[4, 4], [3, 4], [6, 6]] as const) {
      await keepReport(service, { day }, {}, at(day, 1))
      assert.deepEqual(await closeDays(store, at(from + 1, 1)), { days: 1, reports: 1 })
    }
    const statements = await store.query('SELECT d.statement AS statement FROM report_days AS d', {}, z.object({ statement: z.string() }))
    const previous = statements.map(({ statement }) => z.object({ previous: z.string().nullable() }).parse(JSON.parse(statement)).previous)
    assert.deepEqual([statements.length, new Set(previous).size], [5, 5], 'no two follow the same')
  })
})
