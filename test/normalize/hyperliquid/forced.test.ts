/** Whose position was closed by force: the loser's own fill has the last word, whether it is heard before the other side's or after, in one batch or in several. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { stateDigest } from '../../../stages/digest/digest.js'
import { alertOn, digest, insertHeard, type Heard } from '../../support/hyperliquid.js'
import { freshStore } from '../../support/servers.js'

const [loser, winner, third] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string]
const hash = `0x${'ab'.repeat(32)}`, now = Math.floor(Date.now() / 1_000) * 1_000 - 60_000
const fill = (account: string, tid: number, side: string, more: object): string => JSON.stringify([account, { coin: 'BTC', px: '100.0', sz: '2000.0', side, time: now + tid, startPosition: '2000.0', dir: 'Close Long', closedPnl: '0.0', hash, oid: tid, crossed: true, fee: '1.0', tid, feeToken: 'USDC', ...more }])
const heard = (...lines: string[]): Heard => ({ kind: 'node_fills', payload: lines.join('\n'), at: now + 1_000 })
const named = (account: string) => ({ liquidation: { liquidatedUser: account, markPx: '99.0', method: 'market' } })
/** Of one trade the other side names somebody else, of one a winner was deleveraged, of one it names the loser; the loser's own fills say nothing of mark or method. */
const others = heard(fill(winner, 1, 'B', { dir: 'Open Long', ...named(third) }), fill(winner, 2, 'B', { dir: 'Auto-Deleveraging', ...named(third) }), fill(winner, 3, 'B', { dir: 'Open Long', ...named(loser) }))
const own = heard(...[1, 2, 3].map((tid) => fill(loser, tid, 'A', { dir: 'Liquidated Cross Long' })))

const Text = z.object({ text: z.string() })
const texts = async (store: Store, sql: string): Promise<string[]> => (await store.query(sql, {}, Text)).map(({ text }) => text)
const told = (store: Store) => texts(store, "SELECT concatWithSeparator(' ', block_number, toUnixTimestamp64Milli(heard_at) - toUnixTimestamp64Milli(time) + tid, tid, kind, lower(hex(liquidated)), side, px, sz, method, lower(hex(hash))) AS text FROM hl_forced ORDER BY tid")
const rows = (store: Store) => texts(store, "SELECT concatWithSeparator(' ', block_number, tid, kind, substring(lower(hex(liquidated)), 1, 2), told) AS text FROM hl_liquidations ORDER BY tid, block_number")
const alerts = (store: Store) => texts(store, "SELECT concat(kind, ' ', substring(lower(hex(account)), 1, 2), if(startsWith(summary, 'Corrected: '), ' corrected', '')) AS text FROM hl_alerts ORDER BY tid, block_number, kind")
/** `segments`, put through the stages as the batches say. */
const made = async (segments: readonly (readonly Heard[])[], batches: readonly (readonly [number, number])[]): Promise<Store> => {
  const { store } = await freshStore()
  for (const [index, segment] of segments.entries()) await insertHeard(store, index + 1, segment)
  for (const [from, to] of batches) { await digest(store, from, to); await alertOn(store, from, to) }
  return store
}

describe('whose position was closed by force', function () {
  this.timeout(240_000)
  let stores: readonly [after: Store, first: Store, batched: Store, together: Store]
  before(async () => {
    stores = [await made([[others], [own]], [[1, 1], [2, 2]]), await made([[own], [others]], [[1, 1], [2, 2]]), await made([[others], [own]], [[1, 2]]), await made([[others, own]], [[1, 1]])]
  })

  it('is known alike in the end, in whichever order and batches the two fills came', async () => {
    const [known, ...more] = await Promise.all(stores.map(told))
    const side = `${loser.slice(2)} sell 100 2000 market ${hash.slice(2)}`
    assert.deepEqual(known, [1, 2, 3].map((tid) => `1 1000 ${tid} liquidation ${side}`))
    for (const one of more) assert.deepEqual(one, known)
  })

  it('what was said stays, and what changes it is added; a fill that says less adds no other word', async () => {
    assert.deepEqual(await rows(stores[0]), ['1 1 liquidation 33 other', '2 1 liquidation 11 loser', '1 2 adl 22 winner', '2 2 liquidation 11 loser', '1 3 liquidation 11 other', '2 3 liquidation 11 loser'])
    assert.deepEqual((await rows(stores[1])).map((text) => text.slice(4)), Array<string>(6).fill('liquidation 11 loser'), 'the later rows bring mark and method')
    assert.deepEqual(await rows(stores[3]), [1, 2, 3].map((tid) => `1 ${tid} liquidation 11 loser`))
  })

  it('rows hang on segments alone: the same however they were batched, and when a batch is done again', async () => {
    const digests = async () => Promise.all([stores[0], stores[2]].map(async (store) => (await stateDigest(store, 'HL', 2)).digest))
    const [apart, at_once] = await digests()
    assert.equal(apart, at_once)
    for (const [store, from] of [[stores[0], 2], [stores[2], 1]] as const) { await digest(store, from, 2, true); await alertOn(store, from, 2, true) }
    assert.deepEqual(await digests(), [apart, at_once])
  })

  it('an alert is given once for each who was named, the later ones marked; an account named again is no news', async () => {
    assert.deepEqual(await alerts(stores[0]), ['liquidation 33', 'liquidation 11 corrected', 'adl 22', 'liquidation 11', 'liquidation 11'])
    for (const store of [stores[1], stores[3]]) assert.deepEqual(await alerts(store), Array<string>(3).fill('liquidation 11'))
    assert.deepEqual(await texts(stores[0], 'SELECT toString(count() - uniqExact(id)) AS text FROM hl_alerts'), ['0'])
  })

  it('what was judged before words were kept is not changed by what the other side says again', async () => {
    const store = await made([[own], [others]], [[1, 1]])
    await store.execute("ALTER TABLE hl_liquidations UPDATE told = 'unknown' WHERE 1 SETTINGS mutations_sync = 1")
    const before = (await told(store)).map((text) => text.split(' ').slice(2, 5))
    await digest(store, 2, 2)
    await alertOn(store, 2, 2)
    assert.deepEqual((await told(store)).map((text) => text.split(' ').slice(2, 5)), before)
    assert.deepEqual(await alerts(store), Array<string>(3).fill('liquidation 11'))
  })

  it('a row that was cut off is put in, though another segment said something of the same trade', async () => {
    const [store] = stores
    await store.execute('DELETE FROM hl_liquidations WHERE block_number = 2 AND tid = 1 SETTINGS mutations_sync = 1, lightweight_deletes_sync = 1')
    assert.equal((await rows(store)).length, 5)
    await digest(store, 2, 2, true)
    assert.equal((await rows(store)).length, 6)
  })
})
