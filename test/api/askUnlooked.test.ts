/** A question that names what was not looked at is not answered as if nothing had happened. */
import assert from 'node:assert/strict'
import { seed, seedHead } from './support/seed.js'
import { startService, type Service } from './support/service.js'

describe('a question about what was not looked at', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 100)
    // Ten more that index has not come to.
    for (const table of ['blocks', 'transactions']) await service.store.execute(`INSERT INTO ${table} SELECT * REPLACE (block_number + 100 AS block_number) FROM ${table} WHERE chain = 'ETH' AND block_number BETWEEN 1000 AND 1009`)
    await service.store.execute("INSERT INTO plans SELECT 'ETH', 1001, 'plan', 1100, 1109, 'y', '', 0, 't', 1100, 'w', now64(3)")
    await service.store.execute("INSERT INTO batches SELECT 'ETH', stage, 1100, 1109, 'y', 0, 1, 1, 40, 'node', now64(3) FROM (SELECT arrayJoin(['ingest', 'normalize']) AS stage)")
    await seedHead(service.store, 1_110)
  })
  after(() => service.stop())
  const why = async (question: string, chain = 'ETH'): Promise<unknown[]> => {
    const { body } = await service.call('POST /v1/ask', { body: { question, chain } })
    assert.deepEqual([body.answer, body.evidence], [null, []], question)
    return [body._meta.empty.empty_reason, body._meta.empty.is_successful_empty]
  }

  it('has a gap where a block it names is not in the store', async () => {
    for (const question of ['What happened in block 5?', 'What happened in blocks 5 and block 7?', 'What happened in block 999,999?', `What did 0x${'12'.repeat(32)} do in block 5?`]) assert.deepEqual(await why(question), ['data_gap', false], question)
    assert.deepEqual(await why('is tornado cash involved in block 1003?'), ['no_signal', true])
    // Of swaps and flows chunks tell large ones alone, and of MEV none; other chains were not looked at.
    for (const question of ['What was swapped in block 1003?', 'How much went into exchanges in block 1003?', 'Was there a sandwich of swaps in block 1003?', `Did 0x${'13'.repeat(20)} use a mixer in block 1003?`]) assert.deepEqual(await why(question), ['unclassified', null], question)
    for (const chain of ['HL', 'ARB']) assert.notEqual((await why('What happened in block 5?', chain))[1], true, chain)
    await service.store.execute("DELETE FROM chunks WHERE block_number IN (1005, 1006)")
    assert.deepEqual([await why('What happened in block 1005?'), await why('What happened in block 1005 and block 5?')], [['no_signal', true], ['data_gap', false]])
  })

  it('has a gap where a block it names is not indexed yet', async () => {
    assert.deepEqual(await why('What happened in block 1105?'), ['data_gap', false])
  })

  it('is not decided where a transaction or an address it names may be older than the blocks looked at', async () => {
    for (const question of [`Explain 0x${'12'.repeat(32)}`, `What did 0x${'13'.repeat(20)} do?`]) assert.deepEqual(await why(question), ['unclassified', null], question)
    assert.deepEqual(await why('anything about zebras'), ['no_signal', true])
  })
})
