/** Between two looks at a node: time, or what it announces. */
import assert from 'node:assert/strict'
import { openBell } from '../../stages/ingest/bell.js'
import { pause } from '../../workers/betweenLooks.js'

/** Longer than a test may last. */
const never = 1_000_000
const told: string[] = []
const warn = (reason: string): void => { told.push(reason) }

describe('a pause between two looks at a node', () => {
  it('lasts its time where nothing is announced, and where announcing fails, which is told', async () => {
    await pause(1, undefined, warn)
    await pause(1, openBell().next, warn)
    assert.deepEqual(told, [])
    await pause(1, () => Promise.reject(new Error('no socket')), warn)
    assert.deepEqual(told, ['no socket'])
  })

  it('is over when a block is announced', async () => {
    const bell = openBell()
    setImmediate(bell.ring)
    await pause(never, bell.next, warn)
  })

  it('is over at once where one was announced since the last pause, which had lasted its time', async () => {
    const bell = openBell()
    await pause(1, bell.next, warn)
    bell.ring()
    await pause(never, bell.next, warn)
    let over = false
    const next = pause(never, bell.next, warn).then(() => { over = true })
    await new Promise((resolve) => { setImmediate(resolve) })
    assert.equal(over, false, 'what was announced ends one pause')
    bell.ring()
    await next
  })
})
