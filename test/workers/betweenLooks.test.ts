/** Between two looks at a node: time, or what it announces. */
import assert from 'node:assert/strict'
import { openBell } from '../../stages/ingest/bell.js'
import { pause } from '../../workers/betweenLooks.js'

/** Longer than a test may last. */
const never = 1_000_000
const told: string[] = []
const warn = (reason: string): void => { told.push(reason) }
const { signal: going } = new AbortController()

describe('a pause between two looks at a node', () => {
  it('lasts its time where nothing is announced, and where announcing fails, which is told', async () => {
    await pause(1, undefined, warn, going)
    await pause(1, openBell().next, warn, going)
    assert.deepEqual(told, [])
    await pause(1, () => Promise.reject(new Error('no socket')), warn, going)
    assert.deepEqual(told, ['no socket'])
  })

  it('is over when a block is announced', async () => {
    const bell = openBell()
    setImmediate(bell.ring)
    await pause(never, bell.next, warn, going)
  })

  it('is over at once where one was announced since the last pause, which had lasted its time', async () => {
    const bell = openBell()
    await pause(1, bell.next, warn, going)
    bell.ring()
    await pause(never, bell.next, warn, going)
    let over = false
    const next = pause(never, bell.next, warn, going).then(() => { over = true })
    await new Promise((resolve) => { setImmediate(resolve) })
    assert.equal(over, false, 'what was announced ends one pause')
    bell.ring()
    await next
  })

  it('is over when the process ends, and does not begin after that', async () => {
    const ending = new AbortController(), bell = openBell()
    const waiting = [pause(never, undefined, warn, ending.signal), pause(never, bell.next, warn, ending.signal)]
    ending.abort()
    await Promise.all(waiting)
    await pause(never, undefined, warn, ending.signal)
  })
})
