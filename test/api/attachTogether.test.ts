/** Two accounts that attach one key at the same moment, by two holders of keys with memories of their own, as two processes are: one of them has it, in both. */
import assert from 'node:assert/strict'
import { openKeys } from '../../api/keys.js'
import { startService } from './support/service.js'

describe('attaching one key from two accounts at once', function () {
  this.timeout(90_000)

  it('the first recorded has it; the other is told KEY_ATTACHED', async () => {
    const one = await startService()
    try {
      const shared = openKeys(one.store, one.store)
      const far = openKeys(one.store, one.store)
      for (let turn = 0; turn < 5; turn++) {
        const { key, record } = await shared.issue({ name: 'agent', role: 'agent', tier: 'free', rate_limit: 60, daily_cap: 1_000, scopes: ['read'], source_ip: '' })
        assert.notEqual(await far.check(key), null)
        const [left, right] = await Promise.all([shared.change(record, { account: 'left' }), far.change(record, { account: 'right' })])
        const stands = await one.api.parts.services.keys.find(record.public_id)
        assert.ok(stands?.account === 'left' || stands?.account === 'right')
        assert.deepEqual([left.account, right.account], [stands.account, stands.account])
      }
      const owners = await Promise.all([0, 1].map(async () => (await shared.issue({ name: 'customer', role: 'agent', tier: 'pro', rate_limit: 600, daily_cap: 1_000_000, scopes: ['read'], source_ip: '' })).key))
      const { body: { api_key: key } } = await one.call('POST /v1/keys', { key: null })
      const answers = await Promise.all(owners.map((owner) => one.call('POST /v1/keys/attach', { key: owner, body: { key } })))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
      assert.equal(answers.find(({ status }) => status === 409)?.body.error.code, 'KEY_ATTACHED')
    } finally {
      await one.stop()
    }
  })

  it('one that is exchanged in the same moment ends when it is said to', async () => {
    const one = await startService()
    try {
      const { keys } = one.api.parts.services, far = openKeys(one.store, one.store), { change } = keys
      const { body: { api_key: key } } = await one.call('POST /v1/keys', { key: null })
      // What another process records of the version that is read here.
      keys.change = async (record, changes) => { keys.change = change; await far.change(record, { account: 'another' }); return await change(record, changes) }
      const { status, body } = await one.call('POST /v1/keys/exchange', { key })
      const stands = await keys.find(body.replaces.public_id)
      assert.deepEqual([status, stands?.account, stands?.expires_at], [200, 'another', body.replaces.expires_at])
      assert.ok(Date.parse(body.replaces.expires_at) < Date.now() + 61_000)
    } finally { await one.stop() }
  })
})
