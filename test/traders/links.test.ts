/** Suspects whose money came from one source: linked, with the source as evidence; by whom money was sent tells nothing where it was sent to many. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { listMigrations } from '../../schemas/migrations.js'
import { computeTraders } from '../../stages/traders/computeTraders.js'
import { digest, infoAnswer, insertHeard, message } from '../support/hyperliquid.js'
import { freshStore } from '../support/servers.js'
import { addressOf, file, hour, minute, roundTrip, start } from '../support/traders.js'

describe('links of suspects', function () {
  this.timeout(120_000)
  it('are money from one source, or from a suspect', async () => {
    const { store } = await freshStore()
    const bought = 300 * hour, hash = `0x${'cd'.repeat(32)}`
    const told = (at: number, px: number, tid: number) => ({ coin: 'BTC', side: 'B', px: px.toFixed(4), sz: '1', time: start + at, hash, tid, users: [addressOf(98), addressOf(99)] })
    const sent = (nth: number, from: string, kind = 'internalTransfer') => ({ time: start + bought - 3 * hour, hash: `0x${nth.toString(16).padStart(2, '0')}${'ef'.repeat(31)}`, delta: { type: kind, usdc: '50000', user: from, destination: addressOf(nth), fee: '0' } })
    const informed = (nth: number, ...transfers: object[]) => [infoAnswer({ type: 'userNonFundingLedgerUpdates', user: addressOf(nth) }, [{ time: start + bought - 4 * hour, hash, delta: { type: 'deposit', usdc: '50000' } }, ...transfers]), file(roundTrip(nth, 1, { at: bought, hold: 4 * hour, exit: 120, size: 3_000 }))]
    await insertHeard(store, 1, [
      message('trades', [...Array.from({ length: 400 }, (_, nth) => told(bought - 399.5 * 30 * minute + nth * 30 * minute, nth % 2 === 0 ? 100 : 100.01, 1_000 + nth)), told(bought + 59 * minute, 120, 5_000)]),
      // Two by one patron, one by a suspect, one by nobody known, one that sent itself something.
      ...informed(11, sent(11, addressOf(40))), ...informed(12, sent(12, addressOf(40).toUpperCase().replace('0X', '0x'))), ...informed(13, sent(13, addressOf(11), 'subAccountTransfer')), ...informed(14, sent(14, addressOf(41))), ...informed(15, sent(15, addressOf(15))),
    ])
    await digest(store, 1, 1)
    const run = await computeTraders(store, { chain: 'HL', upto: 1 })
    assert.equal(run?.accounts, 5)
    const rows = await store.query("SELECT concat('0x', lower(hex(account))) AS address, score, arrayFirst(one -> one.1 = 'link', evidence).3 AS link FROM hl_insider_trades FINAL ORDER BY account", {}, z.object({ address: z.string(), score: z.number(), link: z.string() }))
    const plain = rows.find(({ address }) => address === addressOf(14))?.score ?? 0
    assert.ok(plain >= 40)
    // What one sends oneself is no money that came: six times the capital of that one, three times that of the others.
    const why = (from: number, alike?: number): string => `money came from ${addressOf(from)}, ${alike === undefined ? '' : `as that of ${addressOf(alike)}, `}which is suspected too`
    assert.deepEqual(rows.map(({ address, score, link }) => [address, score - plain, link]), [[addressOf(11), 5, why(40, 12)], [addressOf(12), 5, why(40, 11)], [addressOf(13), 5, why(11)], [addressOf(14), 0, ''], [addressOf(15), 15, '']])
    assert.deepEqual(await store.query("SELECT suspicion FROM hl_traders FINAL WHERE account = toFixedString(unhex({account:String}), 20)", { account: addressOf(11).slice(2) }, z.object({ suspicion: z.number() })), [{ suspicion: plain + 5 }])
    // What suspects took stands with them; of who was judged before it was kept, it is taken with the schema.
    const taken = () => store.query("SELECT concat('0x', lower(hex(account))) AS address, arrayMap(t -> (t.closed, toString(t.net)), taken) AS taken FROM hl_traders FINAL ORDER BY account", {}, z.object({ address: z.string(), taken: z.array(z.unknown()) }))
    const expected = await taken()
    assert.deepEqual(expected.map((one) => one.taken), Array(5).fill([[true, '60000']]))
    await store.execute('INSERT INTO hl_traders SELECT * REPLACE ([] AS taken) FROM hl_traders FINAL')
    for (let again = 0; again < 2; again += 1) for (const statement of listMigrations().find(({ id }) => id.startsWith('0047'))?.statements ?? []) await store.execute(statement)
    assert.deepEqual(await taken(), expected)
    // Judged again, it is the same; a position that is no longer found goes, whatever its version.
    assert.equal(await computeTraders(store, { chain: 'HL', upto: 1 }), null)
  })
})
