import assert from 'node:assert/strict'
import { z } from 'zod'
import { makeCursors, openCursors } from '../../api/cursors.js'
import { freshStore } from '../support/servers.js'
import { seed } from './support/seed.js'
import { startService } from './support/service.js'

describe('cursors', () => {
  let now = Date.UTC(2026, 0, 1)
  const cursors = makeCursors('a secret of sixteen', () => now)
  const code = (read: () => unknown): string => { try { read(); return 'read' } catch (thrown) { return (thrown as { code: string }).code } }

  it('read back what was written, whatever the order of the inputs', () => {
    const cursor = cursors.write('list', { chain: 'ETH', since: undefined, min: 1 }, 42)
    assert.equal(cursors.read('list', { min: 1, chain: 'ETH' }, cursor, z.number()), 42)
  })

  it('refuse what is forged, foreign, cut, padded or old', () => {
    const cursor = cursors.write('list', { chain: 'ETH' }, 42)
    const [text = '', signature = ''] = cursor.split('.')
    const other = Buffer.from(Buffer.from(text, 'base64url').toString().replace('42', '43')).toString('base64url')
    for (const wrong of [`${other}.${signature}`, text, `${text}.`, `${cursor}A`, `${cursor}.x`, '', '.', makeCursors('another secret, long', () => now).write('list', { chain: 'ETH' }, 42)]) {
      assert.equal(code(() => cursors.read('list', { chain: 'ETH' }, wrong, z.number())), 'INVALID_CURSOR', wrong)
    }
    assert.equal(code(() => cursors.read('other', { chain: 'ETH' }, cursor, z.number())), 'INVALID_CURSOR')
    assert.equal(code(() => cursors.read('list', { chain: 'BTC' }, cursor, z.number())), 'INVALID_CURSOR')
    assert.equal(code(() => cursors.read('list', { chain: 'ETH' }, cursor, z.string())), 'INVALID_CURSOR')
    now += 86_401_000
    assert.equal(code(() => cursors.read('list', { chain: 'ETH' }, cursor, z.number())), 'INVALID_CURSOR')
  })

  it('share one secret however many processes start at once', async () => {
    const { store } = await freshStore()
    const [a, ...others] = await Promise.all([1, 2, 3, 4].map(() => openCursors({ CURSOR_SECRET: undefined }, store)))
    const cursor = a?.write('list', {}, 1) ?? ''
    for (const other of others) assert.equal(other.read('list', {}, cursor, z.number()), 1)
  })

  it('are signed with a secret, also where a killed ClickHouse came back with its token alone', async () => {
    const { store } = await freshStore()
    await openCursors({ CURSOR_SECRET: undefined }, store)
    await store.execute('DELETE FROM secrets WHERE 1')
    const opened = await openCursors({ CURSOR_SECRET: undefined }, store)
    assert.equal(code(() => opened.read('list', {}, makeCursors('').write('list', {}, 1), z.number())), 'INVALID_CURSOR')
    const cursor = opened.write('list', {}, 1)
    assert.equal((await openCursors({ CURSOR_SECRET: undefined }, store)).read('list', {}, cursor, z.number()), 1)
  })

  it('are not signed at all while their secret cannot be read', async () => {
    const { store } = await freshStore()
    await store.insert('secrets', [{ name: 'cursor', value: '', created_at: new Date().toISOString() }])
    await assert.rejects(openCursors({ CURSOR_SECRET: undefined }, store), { code: 'NO_SECRET' })
  })

  for (const [path, rows, id] of [
    ['/v1/whales/recent?chain=ETH&limit=7', 'whales', (row: any) => `${row.block_number}/${row.kind}`],
    ['/v1/blocks/recent?chain=ETH&limit=7', 'blocks', (row: any) => row.number],
    ['/v1/feed/recent?limit=7', 'blocks', (row: any) => row.block_number],
  ] as const) {
    it(`${path}: pages neither repeat nor miss a row while blocks arrive`, async function () {
      this.timeout(60_000)
      const service = await startService()
      try {
        await seed(service.store, 100, 20)
        const seen: unknown[] = []
        let next: string | null = ''
        for (let at = 200; next !== null; at += 5) {
          const { status, body } = await service.call(`GET ${path}${next === '' ? '' : `&cursor=${next}`}`)
          assert.equal(status, 200)
          seen.push(...body[rows].map(id))
          next = body.next_cursor
          assert.equal(body.has_more, next !== null)
          await seed(service.store, at, 5)
        }
        const expected = Array.from({ length: 20 }, (_, index) => 119 - index)
        assert.deepEqual(seen, rows === 'whales' ? expected.flatMap((height) => [`${height}/erc20`, `${height}/native`]) : expected)
      } finally {
        await service.stop()
      }
    })
  }
})
