/** Rules over the last days: what they read of older blocks, and whom they find where a block is earlier than the one before it. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { deriveLabels } from '../../stages/index/classes/deriveLabels.js'
import { at, majors, putTokens } from '../enrich/handmade.js'
import { freshStore } from '../support/servers.js'

const alpha = at('a0'), beta = at('b0')
/** Unix seconds of block `number`, as SQL: a thousand seconds apart, so that thirty days are 2,592 blocks. */
const seconds = '1000 * number', days30 = 2_592
const withExchanges = async (): Promise<Store> => {
  const { store } = await freshStore()
  await putTokens(store, majors)
  await store.insert('labels', [[alpha, 'alpha'], [beta, 'beta']].map(([address, entity]) => (
    { chain: 'ETH', address, label: `${entity}: hot`, entity, category: 'exchange', source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 })))
  return store
}
const putBlocks = (store: Store, first: number, top: number, at = seconds): Promise<number> =>
  store.execute(`INSERT INTO blocks (chain, block_number, block_time) SELECT 'ETH', number, toDateTime64(${at}, 3, 'UTC') FROM numbers({first:UInt64}, {count:UInt64})`, { first, count: top - first + 1 })
/** In each of the blocks `account` pays one coin to as many strangers, the first of them stranger number `paid`. */
const putPayments = (store: Store, account: string, first: number, top: number, many: number, paid = 0, at = seconds): Promise<number> =>
  store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, direction, block_time, other, amount, value_usd)
    SELECT 'ETH', unhex({account:String}), number, 'native', place, 'out', toDateTime64(${at}, 3, 'UTC'), toFixedString(toString(place + {paid:UInt32}), 20), 1, 1. FROM numbers({first:UInt64}, {count:UInt64}) ARRAY JOIN range({many:UInt32}) AS place`,
  { account: account.slice(2), first, count: top - first + 1, many, paid })
const leaders = 'leaders/leader_scores.sql'
const sqlOf = (file: string) => loadSql(new URL('../../stages/x', import.meta.url).href, file)
/** Numbers by which anybody who sold is a leader. */
const anybody = { chain: 'ETH', rule: 'smart_trader', rule_version: 3, days: 30, first: '0'.repeat(40), last: 'f'.repeat(40), min_closed: 1, min_tokens: 1, min_volume_usd: 0, max_trades_per_day: 100, max_same_block_share: 1, max_unknown_share: 1,
  wash_churn: 1, wash_trips: 3, wash_min_usd: 0, wash_result_share: 0, excluded_classes: ['exchange'] }
const Hot = z.object({ address: z.string(), rows: z.coerce.number(), first: z.coerce.number(), last: z.coerce.number() })
const hot = (store: Store) => store.query("SELECT address, evidence_rows AS rows, first_block AS first, last_block AS last FROM derived_labels WHERE rule = 'exchange_hot' ORDER BY address", {}, Hot)

describe('rules over a span of days', function () {
  this.timeout(120_000)

  describe('leave older blocks alone', () => {
    /** Half of the blocks are in either partition. */
    const first = 985_000, top = 1_014_999
    let store: Store
    before(async () => {
      store = await withExchanges()
      await putBlocks(store, first, top)
      for (const account of [alpha, beta]) await putPayments(store, account, first, top, 3)
      await store.execute(`INSERT INTO wallet_trades (chain, account, block_number, position, token, block_time, tx_hash, side, role, usd)
        SELECT chain, address, block_number, position, other, block_time, SHA256(toString(block_number)), 'sell', 'sender', 1. FROM address_transfers`)
      for (const table of ['address_transfers', 'wallet_trades']) await store.execute(`OPTIMIZE TABLE ${table} FINAL`)
    })
    /** Of each read of `table` by a statement: granules that are left, and those there are. A step that is made once is in no plan but its own: `spelled`, it is planned wherever it is named. */
    const reads = async (file: string, table: string, params: object, spelled = false): Promise<readonly (readonly [number, number])[]> => {
      const { text } = sqlOf(file)
      const whole = text.replace(/^--.*$/gm, '').replace(/INSERT INTO [^)]*\)/, '')
      const plan = await store.query(`EXPLAIN indexes = 1 ${spelled ? whole.replace(/ AS MATERIALIZED /g, ' AS ') : whole}`, { chain: 'ETH', ...params }, z.object({ explain: z.string() }))
      return plan.map(({ explain }) => explain).join('\n').split('ReadFrom').filter((part) => new RegExp(`^MergeTree \\([^)]*\\.${table}\\)`).test(part)).map((part) => {
        const granules = [...part.matchAll(/Granules: (\d+)\/(\d+)/g)]
        return [Number(granules.at(-1)?.[1]), Number(granules[0]?.[2])] as const
      })
    }

    it('exchange_hot, of the exchanges it looks at', async () => {
      const seen = await reads('index/classes/exchange_hot.sql', 'address_transfers', { version: 1, height: top })
      assert.ok(seen.length === 1 && seen.every(([read, all]) => read > 0 && all >= 150 && read <= all / 8), JSON.stringify(seen))
    })

    it('leaders, of those who trade', async () => {
      const asked = { ...anybody, as_of: top, until: 1_000_000 * top }
      const seen = [...await reads(leaders, 'wallet_trades', asked), ...await reads(leaders, 'wallet_trades', asked, true)]
      assert.ok(seen.length >= 3 && seen.some(([read]) => read > 0) && seen.every(([read, all]) => all >= 150 && read <= all / 8), JSON.stringify(seen))
    })
  })

  describe('where a block is earlier than the one before it', () => {
    const top = 10_000, edge = top - days30
    /** Of three blocks at the edge the middle one is too old. */
    const times = `1000 * transform(number, [${edge}, ${edge + 1}, ${edge + 2}], [${edge + 2}, ${edge - 1}, ${edge + 1}], number)`
    let store: Store
    before(async () => {
      store = await withExchanges()
      await putBlocks(store, edge - 5, top, times)
    })

    it('exchange_hot counts what is of these days, and nothing else', async () => {
      for (const [account, block] of [[alpha, edge], [beta, edge + 1]] as const) {
        await putPayments(store, account, block, block, 1, 0, times)
        await putPayments(store, account, edge + 2, edge + 2, 9, 1, times)
      }
      await deriveLabels(store, 'ETH')
      assert.deepEqual(await hot(store), [{ address: alpha, rows: 10, first: edge, last: edge + 2 }])
    })

    it('leaders count what is of these days, and nothing else', async () => {
      const trades = [[1, edge, 'buy', 100], [1, edge + 2, 'sell', 150], [2, edge + 1, 'buy', 100], [2, edge + 2, 'sell', 150]]
      await store.execute(`INSERT INTO wallet_trades (chain, account, block_number, token, block_time, tx_hash, side, role, amount, usd)
        SELECT 'ETH', toFixedString(toString(t.1), 20), t.2 AS number, 'token', toDateTime64(${times}, 3, 'UTC'), SHA256(toString(t)), t.3, 'sender', 1, t.4 FROM (SELECT arrayJoin([${trades.map(([who, block, side, usd]) => `(${who}, ${block}, '${side}', ${usd})`).join(', ')}]) AS t)`)
      await store.execute(sqlOf(leaders), { ...anybody, as_of: top, until: 1_000_000 * top })
      const scores = () => store.query('SELECT toString(toUInt8(substring(account, 1, 1))) AS who, volume_usd AS volume, realised_usd AS realised FROM leader_scores ORDER BY who', {}, z.object({ who: z.string(), volume: z.number(), realised: z.number() }))
      const [one, two] = [{ who: '1', volume: 250, realised: 50 }, { who: '2', volume: 150, realised: 50 }]
      assert.deepEqual(await scores(), [one, two])
      // A slice has the accounts from its first to its last, and each is in one.
      await store.execute('TRUNCATE TABLE leader_scores')
      const slice = async (first: string, last: string): Promise<void> => { await store.execute(sqlOf(leaders), { ...anybody, as_of: top, until: 1_000_000 * top, first: first.padEnd(40, '0'), last: last.padEnd(40, 'f') }) }
      await slice('', '31')
      assert.deepEqual(await scores(), [one])
      await slice('32', '')
      assert.deepEqual(await scores(), [one, two])
    })
  })
})
