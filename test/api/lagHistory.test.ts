/** How the lag of a chain went: what was behind is counted from the highest block that stood then, whenever it came and whatever was fetched since. */
import assert from 'node:assert/strict'
import { startService, type Service } from './support/service.js'

describe('the lag of a chain, as it went', function () {
  this.timeout(90_000)
  let service: Service
  const minute = 60_000, now = Date.now()
  const ago = (minutes: number): string => new Date(now - minutes * minute).toISOString()
  const landed = (chain: string, from: number, to: number, minutes: number, generation = 0) => ({ chain, stage: 'enrich', from_block: from, to_block: to, hash: `0x${generation}${to}`, generation, rows: 1, bytes: 1, milliseconds: 1, endpoint: 'node', finished_at: ago(minutes) })
  const seen = (chain: string, number: number, minutes: number) => ({ chain, number, hash: 'x', block_time: ago(minutes), finalized: 0, endpoint: 'node', observed_at: ago(minutes) })
  const back = (chain: string, seq: number, from: number, generation: number, minutes: number) => ({ chain, seq, kind: 'rollback', from_block: from, to_block: 0, hash: 'x', parent_hash: '', generation, target: '', floor: 0, writer: 'test', at: ago(minutes) })
  before(async () => {
    service = await startService()
    const { store } = service
    await store.execute("INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT arrayJoin(['BTC', 'ETH']), 1000003, unhex(repeat('11', 32)), now64(3), true, 1")
    await store.insert('batches', [
      // Nothing new for two hours, and old blocks are fetched.
      landed('BTC', 800_000, 800_000, 120), landed('BTC', 100, 199, 10), landed('BTC', 200, 299, 2),
      // Long ago 1,000,005 was rolled back; lately 1,000,002 and 1,000,003, of which one came again.
      landed('ETH', 999_000, 1_000_001, 130), landed('ETH', 1_000_002, 1_000_005, 125), landed('ETH', 1_000_002, 1_000_002, 110, 1), landed('ETH', 1_000_003, 1_000_003, 30, 1), landed('ETH', 1_000_002, 1_000_002, 15, 2),
    ])
    await store.insert('plans', [back('ETH', 2, 1_000_002, 1, 120), back('ETH', 4, 1_000_002, 2, 20)])
    await store.insert('heads', [
      seen('BTC', 800_000, 100), seen('BTC', 800_001, 8), seen('BTC', 800_002, 1),
      seen('ETH', 1_000_003, 40), seen('ETH', 1_000_003, 25), seen('ETH', 1_000_002, 18), seen('ETH', 1_000_004, 12), seen('ETH', 1_000_001, 5),
    ])
  })
  after(() => service.stop())
  const history = async (chain: string): Promise<unknown> => (await service.call('GET /v1/dashboard/chains')).body.chains.find((one: any) => one.chain === chain).lagHistory

  it('is from the tip and not from old blocks that are fetched meanwhile', async () => {
    assert.deepEqual(await history('BTC'), [1, 2])
  })

  it('is from what stood at the time, before a reorg and after it, and never below nothing', async () => {
    assert.deepEqual(await history('ETH'), [1, 0, 1, 2, 0])
  })
})
