import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { idOf, insertBlocks, type In, type Out } from '../support/btcLedger.js'
import { freshStore } from '../support/servers.js'

const statement = (path: string) => loadSql(new URL(`../../stages/${path.replace(/[^/]*$/, '')}x`, import.meta.url).href, path.replace(/^.*\//, ''))
const statements = ['enrich/bitcoin/flows.sql', 'index/bitcoin/coinjoins.sql', 'alert/rules/bitcoin.sql'].map(statement)
const Alert = z.object({ position: z.number(), rule: z.string(), summary: z.string(), amount: z.string() })

const one = (address: string, value: number | null): In => ({ address: value === null ? '' : address, value })
const to = (address: string, value: number): Out => ({ address, value })
const btc = 100_000_000

describe('alerts on Bitcoin', function () {
  this.timeout(60_000)
  let store: Store
  before(async () => {
    ({ store } = await freshStore())
    await store.insert('labels', [{
      chain: 'BTC', address: `0x${idOf('hot')}`, label: 'Alpha hot', entity: 'Alpha', category: 'exchange', source: 'register', confidence: 90, licence: 'MIT', valid_from: '2009-01-01T00:00:00Z', removed: false, version: 1,
    }])
    await store.insert('labels', [{ chain: 'BTC', address: `0x${idOf('mix')}`, label: 'Mixy', entity: 'Mixy', category: 'mixer', source: 'register', confidence: 90, licence: 'MIT', valid_from: '2009-01-01T00:00:00Z', removed: false, version: 1 }])
    for (const [name, entity, category] of [['mix2', 'Blendy', 'mixer'], ['till', 'Payer', 'payment']] as const) await store.insert('labels', [{ chain: 'BTC', address: `0x${idOf(name)}`, label: entity, entity, category, source: 'register', confidence: 90, licence: 'MIT', valid_from: '2009-01-01T00:00:00Z', removed: false, version: 1 }])
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await store.execute("INSERT INTO btc_parties (id, address) SELECT toFixedString(substring(SHA256(name), 1, 20), 20), name FROM (SELECT arrayJoin(['hot', 'mix', 'mix2', 'till', 'rich', 'shop', 'new']) AS name)")
    await insertBlocks(store, [{ number: 700_000, txs: [
      { ins: [one('rich', 300 * btc)], outs: [to('shop', 120 * btc), to('rich', 180 * btc - 5_000)] },
      { ins: [one('rich', 100 * btc)], outs: [to('hot', 60 * btc), to('new', 40 * btc - 5_000)] },
      { ins: [one('hot', 100 * btc)], outs: [to('shop', 55 * btc), to('hot', 45 * btc - 5_000)] },
      { ins: [one('hot', 500 * btc)], outs: [to('hot', 500 * btc - 5_000)] },
      { ins: [one('rich', 100 * btc)], outs: [to('shop', 100 * btc - 1)] },
      // Alpha may have paid one bitcoin here and got the rest back.
      { ins: [one('', null), one('', null)], outs: [to('hot', 99 * btc), to('shop', btc)] },
      // A little of it to a mixer; a little of what a whale moves to an exchange; an exchange and a mixer pay two.
      { ins: [one('rich', 40 * btc)], outs: [to('mix', btc / 10), to('shop', 20 * btc), to('rich', 19.8 * btc)] },
      { ins: [one('rich', 150 * btc)], outs: [to('hot', btc / 2), to('shop', 149 * btc)] },
      { ins: [one('hot', 90 * btc)], outs: [to('shop', 30 * btc), to('new', 60 * btc - 5_000)] },
      { ins: [one('mix', 3 * btc)], outs: [to('shop', 2 * btc), to('new', btc)] },
      // Less than the threshold went to Alpha, and to nobody a whale's share.
      { ins: [one('rich', 100 * btc)], outs: [to('shop', 49 * btc), to('hot', 49 * btc)] },
      // A mixer beside an exchange that gets more; an exchange beside somebody named who gets more; one mixer to another.
      { ins: [one('rich', 16 * btc)], outs: [to('hot', 10 * btc), to('mix', 5 * btc), to('rich', btc)] },
      { ins: [one('rich', 122 * btc)], outs: [to('till', 61 * btc), to('hot', 60 * btc), to('rich', btc)] },
      { ins: [one('mix', 4 * btc)], outs: [to('mix2', 2 * btc), to('shop', btc), to('mix', btc)] },
    ] }])
    for (const sql of statements) await store.execute(sql, { chain: 'BTC', from: 700_000, to: 700_000, generation: 0 })
  })

  it('speak from their thresholds on, of what went to others, into an exchange what it got; where inputs are not known there is no inflow, and where it is a whale they say that it may be change', async () => {
    const found = await store.query('SELECT position, rule, summary, toString(amount) AS amount FROM alerts ORDER BY position, rule', {}, Alert)
    const unsure = '; 2 of its inputs spend what is not indexed, so change may be in it'
    assert.deepEqual(found.map(({ position, rule, summary, amount }) => [position, rule, summary, amount]), [
      [0, 'whale_transfer', '120.00000000 BTC (value unknown) moved from rich to shop', '12000000000'],
      [1, 'exchange_inflow', '60.00000000 BTC (value unknown) went into exchange Alpha hot (hot) from rich', '6000000000'],
      [2, 'exchange_outflow', '55.00000000 BTC (value unknown) left exchange Alpha hot (hot) for shop', '5500000000'],
      [5, 'whale_transfer', `100.00000000 BTC (value unknown) moved from an unknown sender: 99.00000000 BTC to Alpha hot (hot) and 1.00000000 BTC to others${unsure}`, '10000000000'],
      [6, 'mixer_use', '0.10000000 BTC (value unknown) entered mixer Mixy (mix) from rich', '10000000'],
      [7, 'whale_transfer', '149.50000000 BTC (value unknown) moved from rich: 0.50000000 BTC to Alpha hot (hot) and 149.00000000 BTC to others', '14950000000'],
      [8, 'exchange_outflow', '89.99995000 BTC (value unknown) left exchange Alpha hot (hot): 59.99995000 BTC for new and 30.00000000 BTC for others', '8999995000'],
      [9, 'mixer_use', '3.00000000 BTC (value unknown) left mixer Mixy (mix): 2.00000000 BTC for shop and 1.00000000 BTC for others', '300000000'],
      [11, 'mixer_use', '5.00000000 BTC (value unknown) entered mixer Mixy from rich', '500000000'],
      [12, 'exchange_inflow', '60.00000000 BTC (value unknown) went into exchange Alpha from rich', '6000000000'],
      [12, 'whale_transfer', '121.00000000 BTC (value unknown) moved from rich: 61.00000000 BTC to Payer (till) and 60.00000000 BTC to others', '12100000000'],
      [13, 'mixer_use', '2.00000000 BTC (value unknown) entered mixer Blendy (mix2) from Mixy (mix)', '200000000'],
    ])
  })
})
