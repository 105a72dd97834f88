/** Steps that share a queue: what stayed in it is told once. */
import assert from 'node:assert/strict'
import { settle, type Kept } from '../../api/operations/wallets/trail/rests.js'
import type { Step } from '../../api/operations/wallets/trail/step.js'

const kept = (key: string, amount: string, goesOn: boolean): Kept => ({ key, address: `0x${key}`, root: 'r', fifo: amount, haircut: amount, lifo: amount, goesOn })
const party = (address: string) => ({ address, label: '', entity: '', classification: 'unknown', sure: 0, transfers: 0, counterparties: null })

/** Steps with shares, by where they go on; answers why each ended, and what stayed besides. */
const settled = (steps: readonly (readonly [share: number, ...keys: string[]])[], left: readonly Kept[]) => {
  const made = steps.map(([share]) => ({ stopped_because: null, fifo_share: share }) as Step), onward: (readonly string[])[] = steps.map(([, ...keys]) => keys)
  const rests = settle({ steps: made, onward, source: false }, 0, left, new Map(left.map(({ key }) => [key, 1n])), party, () => 10n)
  return { ends: made.map(({ stopped_because: end }) => end), rests: rests.map(({ address, fifo_share: share }) => [address, share]) }
}

describe('what a hop left behind', () => {
  it('ends a step behind which nothing moved, and is told apart from what went on', () => {
    assert.deepEqual(settled([[0.4, 'X'], [0.6, 'Y']], [kept('X', '4', false), kept('Y', '1', true)]), { ends: ['held', null], rests: [['0xY', 0.1]] })
  })

  it('is whole where a step shares a queue with one that goes on through another, also at two removes', () => {
    assert.deepEqual(settled([[0.4, 'X'], [0.5, 'X', 'Y']], [kept('X', '6', false), kept('Y', '0', true)]), { ends: [null, null], rests: [['0xX', 0.6]] })
    assert.deepEqual(settled([[0.2, 'Z'], [0.2, 'X', 'Z'], [0.5, 'X', 'Y'], [0.1, 'W']], [kept('X', '4', false), kept('Z', '3', false), kept('Y', '0', true), kept('W', '1', false)]),
      { ends: [null, null, null, 'held'], rests: [['0xX', 0.4], ['0xZ', 0.3]] })
  })
})
