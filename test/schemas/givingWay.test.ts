import assert from 'node:assert/strict'
import { z } from 'zod'
import { givingWay, openUnderWay, whileUnderWay } from '../../schemas/givingWay.js'
import { freshStore } from '../support/servers.js'

const one = 'SELECT 1 AS x'
const Any = z.unknown()
const later = (milliseconds: number): Promise<string> => new Promise((resolve) => { setTimeout(resolve, milliseconds, 'waits') })

describe('a store that gives way', () => {
  it('waits until nothing is under way, however much there was, and does not where nothing is', async () => {
    const { store } = await freshStore()
    const underWay = openUnderWay(), behind = givingWay(store, underWay, 3_600_000)
    assert.deepEqual(await behind.query(one, {}, Any), [{ x: 1 }])
    let end = (): void => undefined, fail = (): void => undefined
    const first = whileUnderWay(underWay, () => new Promise<void>((resolve) => { end = resolve }))
    const second = whileUnderWay(underWay, () => new Promise<void>((_, reject) => { fail = () => { reject(new Error('it failed')) } }))
    const asked = behind.query(one, {}, Any)
    const said = behind.execute('SELECT 1 FORMAT Null')
    assert.equal(await Promise.race([asked, said, later(300)]), 'waits')
    end()
    await first
    assert.equal(await Promise.race([asked, said, later(300)]), 'waits')
    fail()
    await assert.rejects(second, /it failed/)
    assert.deepEqual(await asked, [{ x: 1 }])
    await said
  })

  it('puts a statement off no longer than it may', async () => {
    const { store } = await freshStore()
    const underWay = openUnderWay()
    await whileUnderWay(underWay, async () => {
      assert.deepEqual(await givingWay(store, underWay, 50).query(one, {}, Any), [{ x: 1 }])
    })
  })
})
