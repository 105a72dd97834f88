/** A node given after a demo: the chain is followed from its head on, once a source whose chain was checked has said that. */
import assert from 'node:assert/strict'
import { AppError } from '../../schemas/errors.js'
import { demos, wantDemo } from '../../scripts/up/demo.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import type { BlockHead } from '../../stages/stage.js'
import type { PipelineControl } from '../../workers/control.js'
import { openPlanner } from '../support/planner.js'
import { freshStore } from '../support/servers.js'

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
const headOf = (number: number): BlockHead => ({ number, hash: hashOf(number), parentHash: hashOf(number - 1), time: 1_700_000_000 + number })

describe('a chain whose demo was played', function () {
  this.timeout(60_000)

  it('is followed from the head of the first right node on, and no further than the demo while that plays', async () => {
    const { store } = await freshStore(), ledger = openLedger(store)
    const demo = demos.find(({ chain }) => chain === 'ETH') ?? assert.fail()
    const last = demo.heights.at(-1) ?? 0
    await wantDemo(store, { backfill: async () => undefined } as unknown as PipelineControl, demo)
    const follows = async () => (await ledger.targets('ETH')).filter(({ kind }) => kind === 'follow').map(({ id, from_block: from, to_block: to }) => [id, from, to > Number.MAX_SAFE_INTEGER ? null : to])
    const recorded = ['follow-recorded', last, last]
    let head: number | undefined = last
    const source = {
      head: async () => { if (head === undefined) throw new AppError('WRONG_CHAIN', 'The node is of another chain', { retry: 'wait' }); return { ...headOf(head), finalized: 0, endpoint: 'made' } },
      header: async (number: number) => headOf(number),
    }
    /** Looks of a worker that begins anew; `heads`: what the node says at each, undefined where it is a wrong one. */
    const work = async (heads: readonly (number | undefined)[]): Promise<void> => {
      const planner = await openPlanner(store, source, { startBlock: undefined } as never)
      try { for (head of heads) await planner.tick().catch((thrown: unknown) => { assert.equal((thrown as AppError).code, 'WRONG_CHAIN') }) } finally { await planner.stop() }
    }
    await work([last, last])
    assert.deepEqual(await follows(), [recorded])
    await work([undefined, last, last + 90, last + 91])
    assert.deepEqual(await follows(), [recorded, [`follow-${last + 90}`, last + 90, null]])
    await work([last + 99])
    assert.equal((await follows()).length, 2)
    assert.ok((await ledger.intervals('ETH')).some(({ from, to }) => from === last + 90 && to === last + 99), 'nothing was planned')
  })
})
