import assert from 'node:assert/strict'
import { openGate } from '../../schemas/gate.js'

describe('a gate', () => {
  it('lets so many in at once, the others in order', async () => {
    const gate = openGate(2)
    const order: number[] = []
    let [inside, most] = [0, 0]
    await Promise.all([1, 2, 3, 4, 5].map((one) => gate.pass(async () => {
      order.push(one)
      most = Math.max(most, inside += 1)
      await new Promise((resolve) => setImmediate(resolve))
      inside -= 1
    })))
    assert.deepEqual([order, most, inside], [[1, 2, 3, 4, 5], 2, 0])
  })

  it('lets go who gives up while waiting, and gives the place to the next', async () => {
    const gate = openGate(1)
    let finish = (): void => undefined
    const first = gate.pass(() => new Promise<void>((resolve) => { finish = resolve }))
    const leaving = new AbortController()
    const second = gate.pass(() => Promise.resolve('second'), leaving.signal)
    const third = gate.pass(() => Promise.resolve('third'))
    leaving.abort()
    await assert.rejects(second, /aborted/)
    finish()
    await first
    assert.equal(await third, 'third')
  })

  it('gives a place back after a failure', async () => {
    const gate = openGate(1)
    await assert.rejects(gate.pass(() => Promise.reject(new Error('broken'))), /broken/)
    assert.equal(await gate.pass(() => Promise.resolve(1)), 1)
  })
})
