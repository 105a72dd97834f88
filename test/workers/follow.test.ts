import assert from 'node:assert/strict'
import { z } from 'zod'
import { openStore } from '../../schemas/clickhouse.js'
import { startAnvil, type Anvil } from '../../scripts/simulate/anvil.js'
import { ending } from '../support/endings.js'
import { pipelineEnvironment, settled, startPipeline } from '../support/pipeline.js'

describe('a changed ETH_START_BLOCK', function () {
  this.timeout(180_000)
  let anvil: Anvil
  let environment: Record<string, string>
  before(async () => {
    anvil = await startAnvil()
    await anvil.mine(10)
    environment = await pipelineEnvironment({ ETH_RPC_URL: anvil.url, ETH_CHAIN_ID: '31337', ETH_FINALITY: '4' })
  })
  after(ending(() => anvil))

  const tip = async () => { const block = await anvil.client.getBlock(); return { number: Number(block.number), hash: block.hash } }
  /** Runs a worker that starts at `start` until all is through from `from` on; resolves to the blocks that are there then. */
  const blocksAfter = async (start: number | undefined, from: number): Promise<number[]> => {
    const pipeline = await startPipeline({ ...environment, ...(start === undefined ? {} : { ETH_START_BLOCK: String(start) }) })
    try {
      await settled(pipeline.store, 'ETH', await tip(), from)
      return (await pipeline.store.query('SELECT block_number AS n FROM blocks ORDER BY n', {}, z.object({ n: z.coerce.number() }))).map(({ n }) => n)
    } finally { await pipeline.stop() }
  }
  const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)

  it('that is lower has the blocks between fetched', async () => {
    assert.deepEqual(await blocksAfter(5, 5), range(5, 10))
    assert.deepEqual(await blocksAfter(2, 2), range(2, 10))
  })

  it('that is gone again changes nothing', async () => {
    await anvil.mine(2)
    assert.deepEqual(await blocksAfter(undefined, 2), range(2, 12))
  })

  it('that was lower is ground for what is planned later', async () => {
    const store = openStore(environment['CLICKHOUSE_URL'] ?? '', environment['CLICKHOUSE_DATABASE'] ?? '')
    try {
      const floors = await store.query('SELECT from_block AS block, floor FROM plans WHERE from_block IN (5, 10, 12) ORDER BY from_block', {}, z.object({ block: z.coerce.number(), floor: z.coerce.number() }))
      assert.deepEqual(floors, [{ block: 5, floor: 5 }, { block: 10, floor: 5 }, { block: 12, floor: 2 }])
    } finally { await store.close() }
  })

  it('that is higher keeps what is there, leaves the gap, and goes on from there', async () => {
    await anvil.mine(10)
    assert.deepEqual(await blocksAfter(18, 18), [...range(2, 12), ...range(18, 22)])
  })

  it('that is low again fills the gap', async () => {
    await anvil.mine(1)
    assert.deepEqual(await blocksAfter(2, 2), range(2, 23))
  })
})
