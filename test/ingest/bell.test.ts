/** A ring is heard by who waits, or by who comes next; never by who has gone. */
import assert from 'node:assert/strict'
import { openBell } from '../../stages/ingest/bell.js'

describe('a bell', () => {
  const still = new AbortController().signal
  const state = async (wait: Promise<void>): Promise<string> => Promise.race([wait.then(() => 'woken'), new Promise<string>((resolve) => { setImmediate(resolve, 'waits') })])

  it('wakes who waits, once', async () => {
    const bell = openBell(), waiting = bell.next(still)
    assert.equal(await state(waiting), 'waits')
    bell.ring()
    assert.equal(await state(waiting), 'woken')
    assert.equal(await state(bell.next(still)), 'waits')
  })

  it('wakes who comes after it rang, once however often that was', async () => {
    const bell = openBell()
    bell.ring()
    bell.ring()
    assert.equal(await state(bell.next(still)), 'woken')
    assert.equal(await state(bell.next(still)), 'waits')
  })

  it('is not heard by who gave up before it rang: the next one is woken', async () => {
    const bell = openBell(), over = new AbortController(), gone = bell.next(over.signal)
    over.abort()
    assert.equal(await state(gone), 'woken')
    bell.ring()
    assert.equal(await state(bell.next(over.signal)), 'woken')
    assert.equal(await state(bell.next(still)), 'woken')
    assert.equal(await state(bell.next(still)), 'waits')
  })
})
