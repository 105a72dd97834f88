/** What a request may plan while another of its chain waits above a batch that gave up: that one is not fetched on, and holds up nobody else. */
import assert from 'node:assert/strict'
import type { Store } from '../../schemas/clickhouse.js'
import { stageNames, type BatchRef, type StageName } from '../../schemas/primitives.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import type { ChainModule } from '../../stages/stage.js'
import { openBackfill } from '../../workers/backfill.js'
import { bury, deadId, revive } from '../../workers/deadLetters.js'
import type { Stretch } from '../../workers/intervals.js'
import type { Parts } from '../../workers/runner.js'
import { freshStore } from '../support/servers.js'

describe('what a backfill may plan beside one that waits for a dead letter', function () {
  this.timeout(30_000)
  let store: Store
  beforeEach(async () => { ({ store } = await freshStore()) })

  const hashOf = (number: number): string => `0x${String(number).padStart(64, '0')}`
  const module = { chain: { id: 'ETH', segmentBlocks: 10 }, maxBatch: 10, source: { header: async (number: number) => ({ number, hash: hashOf(number) }) } } as unknown as ChainModule
  /** Batches of ten blocks from each of `froms` on. */
  const plan = async (froms: readonly number[], floor: number): Promise<BatchRef[]> => {
    const ledger = openLedger(store)
    return await ledger.plan('ETH', await ledger.position('ETH'), froms.map((from) => ({ from, to: from + 9, hash: hashOf(from + 9), parentHash: '', target: '', floor }))) ?? assert.fail()
  }
  const land = async (batch: BatchRef | undefined, last: StageName): Promise<void> => {
    for (const stage of stageNames.slice(0, stageNames.indexOf(last) + 1)) await openLedger(store).land(batch ?? assert.fail(), stage, { rows: 1, bytes: 1, endpoint: 'made' }, 1)
  }
  /** First blocks of what may be planned now of `wanted`, where two batches may be fetched and four lie between ingest and the last stage. */
  const firsts = async (wanted: readonly Stretch[], covered: readonly Stretch[], top = 10_000): Promise<number[]> => {
    const ledger = openLedger(store)
    const parts = { store, ledger, config: { JOB_BACKOFF_MS: 5 }, log: { error: () => undefined }, bounds: { ahead: 2, behind: 4 } } as unknown as Parts
    return (await openBackfill(parts, module).pieces(wanted, covered, top, await ledger.position('ETH'))).map(({ from }) => from)
  }

  it('is as much as if it were alone; what waits is not fetched on', async () => {
    const [dead, ...above] = await plan([100, 110, 120, 130], 100)
    for (const one of above) await land(one, 'normalize')
    await land(dead, 'ingest')
    const first = { from: 100, to: 299 }, covered = [{ from: 100, to: 139 }]
    assert.deepEqual(await firsts([first, { from: 500, to: 599 }], covered), [], 'all four are on their way')
    await bury(store, 'normalize', dead ?? assert.fail(), 8, new Error('made'))
    assert.deepEqual(await firsts([first, { from: 500, to: 599 }], covered), [500, 510])
    assert.deepEqual(await firsts([{ from: 20, to: 99 }, first], covered), [20, 30])
    assert.deepEqual(await firsts([first], covered), [])
    // Those whose first block lies in what is not fetched on, or right above, are planned so far that they can be told to wait for the letter.
    assert.deepEqual(await firsts([first, { from: 200, to: 229 }], covered), [200, 210])
    assert.deepEqual(await firsts([{ from: 100, to: 139 }, { from: 140, to: 199 }], covered), [140, 150])
    await revive(store, [deadId('normalize', dead ?? assert.fail())])
    assert.deepEqual(await firsts([first, { from: 500, to: 599 }], covered), [])
  })

  it('is no less where thousands wait, as above a letter of a chain that is followed', async () => {
    const [dead] = await plan(Array.from({ length: 2_100 }, (_, at) => 1_000 + 10 * at), 1_000)
    await store.execute("INSERT INTO batches SELECT l.chain, s.stage, l.from_block, l.to_block, l.hash, l.generation, 1, 1, 1, 'made', now64(3) FROM live_batches AS l, (SELECT arrayJoin(['ingest', 'normalize']) AS stage) AS s WHERE l.chain = 'ETH'")
    const covered = [{ from: 1_000, to: 21_999 }], followed = { from: 1_000, to: 30_000 }, other = { from: 100, to: 199 }
    assert.deepEqual(await firsts([other, followed], covered, 40_000), [], 'all are on their way')
    await bury(store, 'enrich', dead ?? assert.fail(), 8, new Error('made'))
    assert.deepEqual(await firsts([other, followed], covered, 40_000), [100, 110])
    assert.deepEqual(await firsts([followed], covered, 40_000), [])
  })

  it('is bounded by what waits for nothing but its stages', async () => {
    const [dead, held, freed, again] = await plan([100, 110, 120, 130], 100)
    await land(freed, 'enrich')
    for (const one of [dead, held, again]) await land(one, 'normalize')
    await bury(store, 'enrich', dead ?? assert.fail(), 8, new Error('made'))
    // Two of the four wait for the letter, two for their turn.
    const wanted = [{ from: 100, to: 139 }, { from: 500, to: 599 }], covered = [{ from: 100, to: 139 }]
    assert.deepEqual(await firsts(wanted, covered), [500, 510])
    const [own] = await plan([500], 500)
    await land(own, 'normalize')
    assert.deepEqual(await firsts(wanted, [...covered, { from: 500, to: 509 }]), [510])
    await bury(store, 'index', again ?? assert.fail(), 8, new Error('made'))
    assert.deepEqual(await firsts(wanted, [...covered, { from: 500, to: 509 }]), [510], 'behind enrich nobody waits for a letter')
  })
})
