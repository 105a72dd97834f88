import assert from 'node:assert/strict'
import { simulate } from '../../scripts/simulate/run.js'

/** Chosen so that together they hold every kind of disaster and both kinds of reorg. `npm run simulate -- --seeds N` runs others. */
const seeds = [1, 9]

describe('the pipeline under faults', function () {
  this.timeout(600_000)
  for (const seed of seeds) {
    it(`ends in the same state as without any (seed ${seed})`, async () => {
      const result = await simulate(seed, 16)
      assert.ok(result.reorgs > 0 && result.disasters.length > 0, 'the seed holds no reorg or no disaster: choose another')
      assert.ok(result.rollbacks > 0 && result.faults > 0, 'the pipeline saw no reorg or no bad answer: the run proved nothing')
      assert.deepEqual(result.faulty.parts, result.clean.parts)
    })
  }
})
