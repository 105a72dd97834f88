/** What the statements behind dashboard, feed, wallets and entities read: the granules of their span, hour or address, and no others. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { lookAlikeLetters } from '../../schemas/addresses/lookAlikes.js'
import type { Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { freshStore } from '../support/servers.js'
import { seedLabel } from './support/handmade.js'
import { seed } from './support/seed.js'

const blocks = 30_000
const start = new Date('2026-01-01T00:00:00Z')
const at = (block: number): number => start.getTime() + 12_000 * (block - 1)
const span = { chain: 'ETH', first: 29_900, newest: blocks, from: at(29_900) - 1, to: at(blocks), limit: 50, min_usd: 0, rank: '170141183460469231731687303715884105727', after: '', segmentBlocks: 64, addresses: '18446744073709551615', block: '18446744073709551615', index: 4294967295, kind: 127, position: 4294967295, sub: 4294967295, id: '', run: '0', as_of: 0, rule_version: 1, rule: 'smart_trader', labels: '0' }
const address = '0'.repeat(36) + 'beef'

const more = [
  `INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation) SELECT 'ETH', toFixedString(unhex(leftPad(lower(hex(number % 65536)), 40, '0')), 20), number, 'erc20', 1, 0, 'in', now64(3), '', '', '', 1, 0, 1., 0 FROM numbers(200000)`,
  `INSERT INTO address_segments SELECT 'ETH', toFixedString(unhex(leftPad(lower(hex(number % 65536)), 40, '0')), 20), {start:DateTime} + toIntervalHour(intDiv(number, 65536)), 1, 1, 1, 0, 0, 1, 1, now64(3), now64(3), 1 FROM numbers(200000)`,
  `INSERT INTO entity_token_segments SELECT 'ETH', {start:DateTime} + toIntervalHour(intDiv(number, 80)), 1, toString(number % 8), toFixedString(toString(intDiv(number, 8) % 10), 20), 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 FROM numbers(200000)`,
  `INSERT INTO class_segments SELECT 'ETH', {start:DateTime} + toIntervalHour(intDiv(number, 1000)), 1, 'exchange', 'fund', leftPad(toString(number % 1000), 20), 1, 1, 0, 1, 1, 1 FROM numbers(100000)`,
  `INSERT INTO prices SELECT 'ETH', leftPad(toString(intDiv(number, 1000)), 20), number % 1000, now64(3), '', 1., 'peg', 1, 1., 0 FROM numbers(100000)`,
  `INSERT INTO alerts SELECT SHA256(toString(number)), 'ETH', 'new_pool', 1, 'low', number, '', now64(3), '', 0, '', NULL, 0, '', '', '', false, 0, 0 FROM numbers(30000)`,
]

describe('statements over a span', function () {
  this.timeout(90_000)
  let store: Store
  before(async () => {
    store = (await freshStore()).store
    await seed(store, 1, blocks, start)
    for (const statement of more) await store.execute(statement, { start: '2026-01-01 00:00:00' })
    await seedLabel(store, 'd', 'A label', 'fund')
    for (const table of ['blocks', 'transactions', 'transfers', 'swaps', 'address_segments', 'entity_token_segments', 'class_segments']) await store.execute(`OPTIMIZE TABLE ${table} FINAL`)
  })

  const explain = async (file: string, params: object, kind: string): Promise<string> => {
    const sql = loadSql(new URL('../../api/x', import.meta.url).href, file)
    const rows = await store.query(`EXPLAIN ${kind} = 1 ${sql.text.replace(/^--.*$/gm, '')}`, { ...span, ...params }, z.object({ explain: z.string() }))
    return rows.map((row) => row.explain).join('\n')
  }
  /** Tables read, each with its granules after the primary key and all of them. */
  const reads = (plan: string) => plan.split('ReadFromMergeTree').slice(1).map((part) => {
    const [, table = '', rest = ''] = /\([^.]*\.(\w+)\)([\s\S]*)/.exec(part) ?? []
    const [, read, all] = /PrimaryKey[\s\S]*?Granules: (\d+)\/(\d+)/.exec(rest) ?? []
    return { table, read: Number(read ?? 0), all: Number(all ?? 0) }
  })

  for (const [file, tables] of [
    ['span.sql', ['blocks']], ['operations/dashboard/getGas.sql', ['blocks', 'transactions']], ['operations/dashboard/listGasHours.sql', ['blocks', 'transactions']], ['operations/dashboard/listSwapPairs.sql', ['swaps']],
    ['operations/dashboard/getWhaleActivity.sql', ['transfers']], ['operations/dashboard/listStablecoins.sql', ['transfers', 'class_segments']], ['operations/dashboard/listExchangeFlows.sql', ['entity_token_segments', 'transfers']],
    ['operations/feed/listTrending.sql', ['swaps']], ['operations/feed/listPrices.sql', ['prices']], ['operations/tokens/listEmergingTokens.sql', ['swaps']],
    ['operations/wallets/topWallets.sql', ['transfers']], ['operations/wallets/listWallets.sql', ['address_segments', 'transfers', 'address_transfers']], ['operations/wallets/exploreFlows.sql', ['class_segments', 'transfers']], ['operations/wallets/listSmartMoneyFlows.sql', ['class_segments', 'transfers']],
    ['operations/wallets/getWallet.sql', ['address_segments']], ['operations/wallets/listBalances.sql', ['address_transfers']], ['operations/wallets/listCounterparties.sql', ['address_transfers']],
    ['operations/entities/listEntities.sql', ['entity_token_segments']], ['operations/entities/listEntityFlows.sql', ['entity_token_segments']],
  ] as const) {
    it(`${file} leaves what is outside alone`, async () => {
      const plan = await explain(file, { low: 29_800, before: at(29_800), oldest: 29_900, address, entity: '7', from_class: '', to_class: '', min_score: 0, classification: '', label: 'a LABEL', tokens: [`0x${Buffer.from('7'.padStart(20)).toString('hex')}`], lowest: 0, btc_from: at(29_900) - 1, btc_to: at(blocks), btc: '', btc_newest: 0, btc_segmentBlocks: 6, exchanges: ['7'], btc_exchanges: ['7'], ...lookAlikeLetters }, 'indexes')
      const seen = reads(plan)
      for (const table of tables) {
        const of = seen.filter((one) => one.table === table)
        assert.ok(of.length > 0 && of.every(({ read, all }) => all >= 4 && read <= Math.max(3, all / 50)), `${table}: ${JSON.stringify(seen)}`)
      }
    })
  }

  it('whom list_wallets may show is worked out once: what rules say is read once', async () => {
    const said = 50_000
    await store.execute(`INSERT INTO rule_labels SELECT 'ETH', concat('0x', leftPad(toString(number), 40, '0')), 'Whale', 1, false, '', 'whale', 60, now64(3), 0, 0 FROM numbers(${said})`)
    const { text } = loadSql(new URL('../../api/operations/wallets/x', import.meta.url).href, 'listWallets.sql')
    const answer = await store.client.query({ query: text, query_params: { ...span, classification: 'whale', label: 'a SHARK' }, format: 'JSON' })
    const { rows, statistics } = await answer.json()
    assert.equal(rows, 0)
    assert.ok(statistics !== undefined && statistics.rows_read >= said && statistics.rows_read < 1.5 * said, JSON.stringify(statistics))
  })

  it('lists of the newest are read backwards in the order of the key', async () => {
    for (const file of ['operations/dashboard/listTxs.sql', 'operations/dashboard/listNewestTxs.sql', 'operations/dashboard/listWhaleTxs.sql', 'operations/dashboard/listAlerts.sql']) {
      assert.match(await explain(file, { min_usd: 1, risky: ['scam'] }, 'actions'), /InReverseOrder/, file)
    }
  })
})
