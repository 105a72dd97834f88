/** Keys of attestation: made once however many start, published without their private halves, rotated without losing an old one. */
import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { z } from 'zod'
import { openAttestation } from '../../../schemas/attest/keys.js'
import { openStore } from '../../../schemas/clickhouse.js'
import { clickhouseUrl, freshStore } from '../../support/servers.js'
import { runScript } from '../../support/run.js'
import { startService } from '../../api/support/service.js'
import attestationDocument from '../../../api/documents/attestation.js'
import { serveDocuments } from '../../../api/documents/serve.js'

const text = 'A report in its canonical form'
const Secret = z.object({ name: z.string(), value: z.string() })

describe('keys of attestation', function () {
  this.timeout(90_000)

  it('are made once, by whoever comes first, and kept', async () => {
    const { store, database } = await freshStore()
    const stores = await Promise.all(Array.from({ length: 6 }, async () => openStore(await clickhouseUrl(), database)))
    const opened = await Promise.all(stores.map((one) => openAttestation(one)))
    const ids = await Promise.all(opened.map(async (one) => (await one.published()).map(({ key_id: id }) => id)))
    assert.deepEqual(new Set(ids.map((list) => list.join())), new Set([ids[0]?.[0] ?? 'none']))
    assert.deepEqual((await (await openAttestation(store)).published()).map(({ key_id: id }) => id), ids[0])
    assert.deepEqual((await store.query('SELECT name, value FROM secrets ORDER BY name', {}, Secret)).map(({ name }) => name), [`attestation/ed25519/${ids[0]?.[0] ?? ''}`, `attestation/hmac/${ids[0]?.[0] ?? ''}`])
    await Promise.all(stores.map((one) => one.close()))
  })

  it('are made again where a killed ClickHouse came back with the token of the first alone', async () => {
    const { store } = await freshStore()
    await openAttestation(store)
    await store.execute('DELETE FROM secrets WHERE 1')
    const attestation = await openAttestation(store)
    const { key_id: id, signature } = await attestation.sign(text)
    assert.equal(await (await openAttestation(store)).verify(id, text, signature), true)
  })

  it('sign what the public half alone verifies, also after a rotation; nothing else does', async () => {
    const { store } = await freshStore()
    const attestation = await openAttestation(store)
    const before = await attestation.sign(text)
    const made = await attestation.rotate()
    const after = await attestation.sign(text)
    assert.equal(after.key_id, made.key_id)
    assert.notEqual(before.key_id, after.key_id)
    const published = await attestation.published()
    assert.deepEqual(published.map(({ key_id: id, state, retired_at: until }) => [id, state, until]), [[after.key_id, 'active', null], [before.key_id, 'retired', made.created_at]])
    for (const { key_id: id, signature } of [before, after]) {
      const { jwk, pem } = published.find((one) => one.key_id === id)!
      for (const key of [createPublicKey({ key: { ...jwk }, format: 'jwk' }), createPublicKey(pem)]) {
        assert.ok(verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url')))
        assert.ok(!verify(null, Buffer.from(`${text}.`), key, Buffer.from(signature, 'base64url')))
      }
      assert.equal(id, createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${jwk.x}"}`).digest('base64url'), 'the id is the thumbprint of the key')
      assert.deepEqual([await attestation.verify(id, text, signature), await attestation.verify(id, `${text}.`, signature)], [true, false])
    }
    assert.deepEqual([await attestation.verify(after.key_id, text, before.signature), await attestation.verify('unknown', text, before.signature)], [false, null])
  })

  it('are published at /attestation, and a rotation by the operator shows there; private halves never do', async () => {
    const service = await startService()
    try {
      const { body } = await service.call('GET /attestation', { key: null })
      assert.deepEqual(body.public_keys.map(({ state, algorithm }: { state: string; algorithm: string }) => [state, algorithm]), [['active', 'Ed25519']])
      const { text: told } = await runScript('scripts/attest.ts', ['--rotate'], { CLICKHOUSE_URL: await clickhouseUrl(), CLICKHOUSE_DATABASE: service.database })
      const now = await service.api.parts.services.attestation.published()
      assert.deepEqual([now.length, now[1]?.key_id, now[1]?.state], [2, body.public_keys[0].key_id, 'retired'])
      assert.deepEqual(told.trim().split('\n').map((line) => line.split(' ')[0]), now.map(({ key_id: id }) => id))
      const shown = JSON.stringify(now) + told
      for (const { value } of await service.store.query("SELECT name, value FROM secrets WHERE startsWith(name, 'attestation/')", {}, Secret)) assert.ok(!shown.includes(value) && !shown.includes(value.slice(-43)))
      const [line] = await service.store.query("SELECT action AS name, subject AS value FROM audit WHERE action = 'rotate_attestation_key'", {}, Secret)
      assert.equal(line?.value, now[0]?.key_id)
    } finally {
      await service.stop()
    }
  })

  it('that another process makes are at /attestation within 5 s, without a question to the store per request', async () => {
    const service = await startService()
    try {
      let [clock, asked] = [1_000_000, 0]
      const store = new Proxy(service.store, { get: (target, name) => { if (name === 'query') asked++; return Reflect.get(target, name) as unknown } })
      const attestation = await openAttestation(store, () => clock)
      const parts = { ...service.api.parts, services: { ...service.api.parts.services, attestation } }
      const serve = serveDocuments(parts, () => clock)
      const states = async (host: string): Promise<string[]> => {
        const ctx: any = { path: '/attestation', method: 'GET', querystring: '', state: { baseUrl: `https://${host}` }, set: () => undefined, get: () => '' }
        await serve(ctx, async () => Promise.resolve())
        return JSON.parse(ctx.body).public_keys.map(({ state }: { state: string }) => state)
      }
      asked = 0
      assert.deepEqual(await states('a.example'), ['active'])
      await (await openAttestation(service.store)).rotate()
      for (let at = 0; at < 20; at++) await states(`${at}.example`)
      assert.equal(asked, 1, 'whatever host callers name')
      // What a cache between holds is younger than max-age.
      clock += 5_000 - attestationDocument.cacheSeconds * 1_000
      assert.deepEqual(await states('a.example'), ['active', 'retired'])
      // The text is made anew for the same host as soon as the keys may be: both waits together stay below 5 s.
      clock += attestationDocument.cacheSeconds * 1_000
      await states('a.example')
      await (await openAttestation(service.store)).rotate()
      for (let waited = 0; waited + attestationDocument.cacheSeconds * 1_000 <= 4_000; waited += 500) { clock += 500; await states('a.example') }
      assert.equal((await states('a.example')).length, 3)
      await attestation.rotate()
      assert.equal((await attestation.shown()).length, 4, 'a key made here shows at once')
    } finally {
      await service.stop()
    }
  })
})
