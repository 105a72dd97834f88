import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
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

  it('waits with what is streamed, in either direction, too', async () => {
    const { store } = await freshStore()
    await store.execute('CREATE TABLE streamed (x UInt8) ENGINE = Memory')
    const underWay = openUnderWay(), behind = givingWay(store, underWay, 3_600_000)
    const read = async (): Promise<string> => { let text = ''; for await (const part of behind.read({ name: 'one', path: '', text: `${one} FORMAT TSV`, writes: '', reads: [] }, {})) text += part.toString(); return text }
    const sent = (): Promise<void> => behind.insertStream('INSERT INTO streamed FORMAT TSV', Readable.from(['1\n']), {}, 'one')
    const fed = (): Promise<number> => behind.feed('INSERT INTO streamed FORMAT TSV', Readable.from(['2\n']), {}, {})
    const waiting = await whileUnderWay(underWay, async () => {
      const all = [read(), sent(), fed()]
      assert.equal(await Promise.race([...all, later(300)]), 'waits')
      return { all }
    })
    assert.deepEqual((await Promise.all(waiting.all)).slice(0, 2), ['1\n', undefined])
    assert.deepEqual(await store.query('SELECT x FROM streamed ORDER BY x', {}, Any), [{ x: 1 }, { x: 2 }])
  })

  it('puts a statement off no longer than it may', async () => {
    const { store } = await freshStore()
    const underWay = openUnderWay()
    await whileUnderWay(underWay, async () => {
      assert.deepEqual(await givingWay(store, underWay, 50).query(one, {}, Any), [{ x: 1 }])
    })
  })
})
