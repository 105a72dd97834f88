/** What each rule sees: at its threshold, not below it, and towards which side. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { signalKinds } from '../../stages/signals/giveSignals.js'
import { freshStore } from '../support/servers.js'

type Features = Readonly<Record<string, unknown>>
/** What is known of a coin in which nothing stands out. */
const plain: Features = {
  chain: 'HL', px: '100', change_1h: 0, change_4h: 0, open_interest_usd: 1e8, open_interest_change_4h: 0, rate: 0.0000125, rate_4h_ago: 0.0000125, rate_z: 0, rate_hours: 700, volume_usd: 2e6, volume_ratio: 1, flow: 0, whale_flow: 0, whale_usd: 0,
  smart_flow: null, smart_usd: 0, ofi: 0, book: 0, vpin: null, long_liquidated_usd: 0, short_liquidated_usd: 0, cluster_side: 'none', cluster_distance: null, cluster_usd: 0, cluster_share: null, reconstructed: false,
}
/** Seven of ten leaders are long, and seven of ten of their dollars. */
const standing: Features = { chain: 'HL', smart_accounts: 10, smart_long_accounts: 7, smart_long_usd: 700_001, smart_short_usd: 299_999, tracked_accounts: 20, tracked_long_accounts: 10, tracked_long_usd: 5e6, tracked_short_usd: 5e6, flows: {} }
/** Rule → what it speaks of, the side, and what is just too little. */
const cases: Readonly<Record<(typeof signalKinds)[number], readonly (readonly [seen: Features, side: string | null, stance?: Features])[]>> = {
  funding_extreme: [[{ rate_z: 2 }, 'short'], [{ rate_z: -2.5 }, 'long'], [{ rate_z: 1.99 }, null], [{ rate_z: 5, rate_hours: 167 }, null], [{ rate_z: null }, null]],
  open_interest: [[{ change_4h: 0.01, open_interest_change_4h: 0.02 }, 'long'], [{ change_4h: -0.01, open_interest_change_4h: 0.02 }, 'short'], [{ change_4h: 0.01, open_interest_change_4h: -0.02 }, 'none'], [{ change_4h: -0.01, open_interest_change_4h: -0.02 }, 'none'], [{ change_4h: 0.01, open_interest_change_4h: 0.019 }, null]],
  bearish_divergence: [[{ change_4h: -0.01, open_interest_change_4h: 0.02, volume_ratio: 1.1, rate: -0.00001 }, 'short'], [{ change_4h: -0.01, open_interest_change_4h: 0.02, volume_ratio: 1.1 }, null], [{ change_4h: -0.01, open_interest_change_4h: 0.02, volume_ratio: 0.9, rate: -0.00001 }, null],
    [{ change_4h: 0.01, open_interest_change_4h: 0.02, volume_ratio: 1.1, rate: -0.00001 }, null], [{ change_4h: -0.01, open_interest_change_4h: 0.02, volume_ratio: 1.1, rate: -0.00001, rate_4h_ago: -0.00001 }, null]],
  whale_flow: [[{ whale_flow: 0.3, whale_usd: 500_000 }, 'long'], [{ whale_flow: -0.3, whale_usd: 500_000 }, 'short'], [{ whale_flow: 0.29, whale_usd: 500_000 }, null], [{ whale_flow: 1, whale_usd: 499_999 }, null]],
  trade_imbalance: [[{ flow: 0.3 }, 'long'], [{ flow: -0.3 }, 'short'], [{ flow: 0.29 }, null], [{ flow: 1, volume_usd: 999_999 }, null]],
  order_flow: [[{ ofi: 0.3 }, 'long'], [{ ofi: -0.3 }, 'short'], [{ ofi: 0.29 }, null], [{ ofi: null }, null]],
  toxic_flow: [[{ vpin: 0.4 }, 'none'], [{ vpin: 0.39 }, null]],
  liquidation_cluster: [[{ cluster_side: 'long', cluster_distance: -0.01, cluster_usd: 1e6, cluster_share: 0.01 }, 'short'], [{ cluster_side: 'short', cluster_distance: 0.01, cluster_usd: 1e6, cluster_share: 0.01 }, 'long'], [{ cluster_side: 'long', cluster_distance: -0.01, cluster_usd: 1e6, cluster_share: 0.004 }, null]],
  cascade_setup: [[{ rate: 0.0000625, open_interest_change_4h: 0.02, cluster_side: 'long', cluster_distance: -0.01, cluster_usd: 1e6 }, 'short'], [{ rate: -0.0000625, open_interest_change_4h: 0.02, cluster_side: 'short', cluster_distance: 0.01, cluster_usd: 1e6 }, 'long'],
    [{ rate: 0.0000625, open_interest_change_4h: 0.02, cluster_side: 'short', cluster_distance: 0.01, cluster_usd: 1e6 }, null], [{ rate: 0.00006, open_interest_change_4h: 0.02, cluster_side: 'long', cluster_distance: -0.01, cluster_usd: 1e6 }, null]],
  // Of all tracked 10 of 20 and half the dollars are long.
  smart_bias: [[{}, 'long', {}], [{}, 'short', { smart_long_accounts: 3, smart_long_usd: 3e5, smart_short_usd: 7e5 }], [{}, null, { smart_long_accounts: 6 }], [{}, null, { smart_long_usd: 69e4, smart_short_usd: 31e4 }], [{}, null, { smart_long_accounts: 3 }],
    [{}, null, { smart_accounts: 4, smart_long_accounts: 4 }], [{}, null, { tracked_accounts: 19, tracked_long_accounts: 9 }], [{}, null, { smart_long_usd: 249_999, smart_short_usd: 0 }], [{}, null, { smart_accounts: 0, smart_long_accounts: 0, smart_long_usd: 0, smart_short_usd: 0 }]],
  smart_money: [[{ smart_flow: 0.5, smart_usd: 250_000 }, 'long'], [{ smart_flow: -0.5, smart_usd: 250_000 }, 'short'], [{ smart_flow: 0.5, smart_usd: 249_999 }, null]],
}
const at = 1_780_000_200
const Seen = z.object({ coin: z.string(), side: z.string() })

describe('rules of signals', function () {
  this.timeout(120_000)
  let store: Store
  before(async () => { store = (await freshStore()).store })

  for (const kind of signalKinds) {
    it(`${kind} speaks from its threshold on, to its side`, async () => {
      await store.insert('hl_features', cases[kind].map(([seen], index) => ({ ...plain, ...seen, coin: `${kind}${index}`, time: at })))
      await store.insert('hl_stances', cases[kind].flatMap(([, , stance], index) => (stance === undefined ? [] : [{ ...standing, ...stance, coin: `${kind}${index}`, time: at }])))
      await store.execute(loadSql(new URL('../../stages/signals/giveSignals.ts', import.meta.url).href, `rules/${kind}.sql`), { chain: 'HL', from_time: at - 300, to_time: at })
      const told = new Map((await store.query('SELECT toString(coin) AS coin, toString(side) AS side FROM hl_sightings WHERE kind = {kind:String} AND startsWith(coin, {kind:String})', { kind }, Seen)).map(({ coin, side }) => [coin, side]))
      assert.deepEqual(cases[kind].map((_, index) => told.get(`${kind}${index}`) ?? null), cases[kind].map(([, side]) => side))
    })
  }

  it('extreme funding is held against what other venues were expected to set within the hour before, each by its own interval; unknown is left out', async () => {
    const said = (venue: string, rate: string, hours: number | null, minutes: number, coin = 'SPREAD') => ({ chain: 'HL', block_number: 1, source: 'info', heard_at: new Date(at * 1_000).toISOString(), coin, market: 'perp', dex: '', time: new Date((at - minutes * 60) * 1_000).toISOString(), venue, rate, next_at: new Date(at * 1_000).toISOString(), interval_hours: hours, generation: 0 })
    await store.insert('hl_predicted_fundings', [said('HlPerp', '0.9', 1, 5), said('BinPerp', '0.0008', 8, 50), said('BinPerp', '0.00008', 8, 5), said('BybitPerp', '0.00012', 4, 59), said('OldPerp', '0.5', 8, 61), said('LaterPerp', '0.5', 8, -1), said('DarkPerp', '0.5', null, 5), said('BinPerp', '0.00008', 8, 61, 'ALONE')])
    await store.insert('hl_features', ['SPREAD', 'ALONE'].map((coin) => ({ ...plain, coin, time: at, rate: 0.00005, rate_z: 3 })))
    await store.execute(loadSql(new URL('../../stages/signals/giveSignals.ts', import.meta.url).href, 'rules/funding_extreme.sql'), { chain: 'HL', from_time: at - 300, to_time: at })
    const rows = await store.query("SELECT round(measures['venue_spread'], 12) AS spread, detail LIKE '% % above other venues' AS said FROM hl_sightings WHERE coin IN ('SPREAD', 'ALONE') AND kind = 'funding_extreme' ORDER BY coin", {}, z.object({ spread: z.number(), said: z.coerce.boolean() }))
    assert.deepEqual(rows, [{ spread: 0, said: false }, { spread: 0.00003, said: true }])
  })

  it('what is measured says whether takers agree', async () => {
    await store.insert('hl_features', [{ ...plain, coin: 'AGREE', time: at, smart_flow: -0.9, smart_usd: 1e6, flow: -0.4 }])
    await store.execute(loadSql(new URL('../../stages/signals/giveSignals.ts', import.meta.url).href, 'rules/smart_money.sql'), { chain: 'HL', from_time: at - 300, to_time: at })
    const [row] = await store.query("SELECT measures['flow'] AS flow FROM hl_sightings WHERE coin = 'AGREE' AND kind = 'smart_money'", {}, z.object({ flow: z.number() }))
    assert.equal(row?.flow, 0.4)
  })
})
