import assert from 'node:assert/strict'
import { z } from 'zod'
import { resting } from '../../schemas/resting.js'
import { freshStore } from '../support/servers.js'

const takes = (seconds: number): string => `SELECT sleep(${seconds}) AS x`
const Any = z.unknown()

describe('a store that rests', () => {
  it('rests after each statement as long as that took, after one that fails, too', async () => {
    const { store } = await freshStore()
    const rested = resting(store, 10_000, new AbortController().signal)
    const started = performance.now()
    await rested.query(takes(0.3), {}, Any)
    await assert.rejects(rested.execute('SELECT throwIf(sleep(1) = 0) FORMAT Null'))
    await rested.query('SELECT 1 AS x', {}, Any)
    assert.ok(performance.now() - started >= 300 + 300 + 1_000 + 1_000)
  })

  it('rests no longer than it may', async () => {
    const { store } = await freshStore()
    const rested = resting(store, 1, new AbortController().signal)
    await rested.query(takes(3), {}, Any)
    const from = performance.now()
    await rested.query('SELECT 1 AS x', {}, Any)
    assert.ok(performance.now() - from < 3_000, 'it rested as long as it had worked')
  })

  it('ends a rest under way when it is hurried, and rests no more', async () => {
    const { store } = await freshStore()
    const hurry = new AbortController(), rested = resting(store, 3_600_000, hurry.signal)
    await rested.query(takes(3), {}, Any)
    const from = performance.now()
    const next = rested.query('SELECT 1 AS x', {}, Any)
    assert.equal(await Promise.race([next, new Promise((resolve) => { setTimeout(resolve, 300, 'rests') })]), 'rests')
    hurry.abort()
    assert.deepEqual(await next, [{ x: 1 }])
    assert.ok(performance.now() - from < 3_000, 'the rest went on')
    await rested.query(takes(2), {}, Any)
    assert.deepEqual(await rested.query('SELECT 1 AS x', {}, Any), [{ x: 1 }])
  })
})
