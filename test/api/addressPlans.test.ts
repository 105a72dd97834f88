/** Statements about one address, and pages of chunks, read by the sort key, and whether a pool is known by an index: ClickHouse says so itself. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { loadSql } from '../../schemas/sql.js'
import type { Store } from '../../schemas/clickhouse.js'
import { freshStore } from '../support/servers.js'
import { seed } from './support/seed.js'

const operations = new URL('../../api/operations/x', import.meta.url).href

describe('statements about an address, and pages of chunks', function () {
  this.timeout(60_000)
  let store: Store
  const explain = async (file: string, params: object, ...without: readonly string[]): Promise<string> => {
    const text = loadSql(operations, file, ...without).text.replace(/^--.*$/gm, '')
    // A value that is computed first is executed before the plan is made, and has no place in it: it is planned by itself.
    const statement = /^\s*WITH \(\n([\s\S]*?)\n\) AS \w+/.exec(text)?.[1] ?? text
    return (await store.query(`EXPLAIN indexes = 1, actions = 1 ${statement}`, { ...params }, z.object({ explain: z.string() }))).map((row) => row.explain).join('\n')
  }
  /** Granules read of `table`, and all of them. */
  const granules = (plan: string, table: string): readonly [number, number] => {
    const [, read, all] = new RegExp(`ReadFromMergeTree \\([^)]*${table}\\)[\\s\\S]*?PrimaryKey[\\s\\S]*?Granules: (\\d+)/(\\d+)`).exec(plan) ?? []
    return [Number(read), Number(all)]
  }
  before(async () => {
    store = (await freshStore()).store
    await seed(store, 1, 40_000)
    await store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation) SELECT 'ETH', unhex(leftPad(hex(number % 5000), 40, '0')), intDiv(number, 100), 'native', number % 100, 0, 'in', now64(3), unhex(repeat('aa', 32)), unhex(repeat('00', 20)), unhex(repeat('02', 20)), 1, 0, 1., 0 FROM numbers(200000)`)
    await store.execute('OPTIMIZE TABLE address_transfers FINAL')
  })

  it('read the granules of their addresses only', async () => {
    const one = '17'.padStart(40, '0')
    const hop = { chain: 'ETH', source: true, upto: 9_000_000, since: 0, until: 7e12, whole: true, traced: true, addresses: [one], pairs: [one + '0'.repeat(40)], frontier: [[one, '0'.repeat(40), '1', '1', '0', '0', 'f'.repeat(40), '0', '1', '1', '1', '1']], bits: [], rates: [], moves: 100, items: 10, limit: 20 }
    for (const [file, params, without] of [['wallets/trail/traceHop.sql', hop, 'poisoned'], ['wallets/trail/traceHop.sql', { ...hop, whole: false }, 'queued'], ['wallets/listExposures.sql', { chain: 'ETH', address: one }, undefined], ['wallets/getDirectRisk.sql', { chain: 'ETH', address: one }, undefined]] as const) {
      const [read, all] = granules(await explain(file, params, ...(without === undefined ? [] : [without])), 'address_transfers')
      assert.ok(read <= 2 && all >= 20, `${file}: ${read}/${all}`)
    }
  })

  it('a page of chunks of a chain begins at its cursor, and is read backwards', async () => {
    const plan = await explain('rag/listChunks.sql', { chain: 'ETH', topic: '', to_chain: 'ETH', to_block: 500, to_topic: 'pool', to_position: 1, to_id: 'ab'.repeat(32), limit: 50, offset: 0 })
    const [read, all] = granules(plan, 'chunks')
    assert.ok(read <= 2 && all >= 8, `${read}/${all}`)
    assert.match(plan, /InReverseOrder/)
  })

  it('whether a pool is known is looked up: of one that nobody saw no swap is read', async () => {
    const asked = { chain: 'ETH', token: '', pool: 'ab'.repeat(32) }
    const [, read, all] = /ReadFromMergeTree \([^)]*swaps\)[\s\S]*?Name: by_pool[\s\S]*?Granules: (\d+)\/(\d+)/.exec(await explain('tokens/isKnown.sql', asked)) ?? []
    assert.deepEqual([Number(read), Number(all) >= 5], [0, true], `${read}/${all}`)
    const known = async (params: object): Promise<unknown> => store.query(loadSql(operations, 'tokens/isKnown.sql'), { ...params }, z.object({ known: z.coerce.boolean() }))
    assert.deepEqual(await known(asked), [{ known: false }])
    assert.deepEqual(await known({ ...asked, pool: '0c'.repeat(32) }), [{ known: true }])
  })

  it('a page of the addresses of a large cluster reads a page of it; whose some addresses are, their granules', async () => {
    const { store: other } = await freshStore()
    const id = (number: string): string => `toFixedString(substring(SHA256(toString(${number})), 1, 20), 20)`
    await other.execute(`INSERT INTO btc_cluster_moves SELECT 'BTC', ${id('number')}, toFixedString('', 20), ${id('number % 2')}, 1 FROM numbers(400000)`)
    await other.execute(`INSERT INTO btc_cluster_entities (chain, cluster, name, labelled, size, version) SELECT 'BTC', ${id('number')}, 'alpha', 1, 200000, 1 FROM numbers(2)`)
    await other.execute(`INSERT INTO btc_cluster_names (chain, address, name, entity, category, source, confidence, version) SELECT 'BTC', ${id('number')}, 'alpha', 'Alpha', 'exchange', 'register', 80, 1 FROM numbers(2)`)
    await other.execute(`INSERT INTO labels (chain, address, label, entity, category, source, confidence, version) SELECT 'BTC', concat('0x', lower(hex(${id('number')}))), 'Alpha', 'Alpha', 'exchange', 'register', 80, 1 FROM numbers(2)`)
    await other.execute('SYSTEM RELOAD DICTIONARY label_of')
    await other.execute('OPTIMIZE TABLE btc_cluster_members FINAL')
    const readBy = async (file: string, params: Record<string, unknown>): Promise<number> => Number((await other.client.command({ query: loadSql(operations, file).text, query_params: params })).summary?.read_rows)
    for (const [after_cluster, after] of [['', ''], [createHash('sha256').update('1').digest('hex').slice(0, 40), `0x${'80'.repeat(20)}`]] as const) {
      const read = await readBy('entities/listClusterAddresses.sql', { name: 'alpha', limit: 201, after_cluster, after })
      assert.ok(read < 40_000, `${read} rows were read of 400,000`)
    }
    const read = await readBy('bitcoin/readOwners.sql', { chain: 'BTC', addresses: ['7', '8', '9'].map((one) => createHash('sha256').update(one).digest('hex').slice(0, 40)) })
    assert.ok(read < 20_000, `${read} rows were read for three addresses`)
  })

  it('where outputs of Bitcoin were spent is looked up, however many are asked for', async () => {
    const { store: other } = await freshStore()
    await other.execute(`INSERT INTO btc_inputs (chain, block_number, tx_index, vin, block_hash, block_time, txid, prev_txid, prev_vout, prevout, value) SELECT 'BTC', intDiv(number, 2000), intDiv(number % 2000, 2), number % 2, unhex(repeat('aa', 32)), now64(3), SHA256(concat('in', toString(intDiv(number, 2)))), SHA256(toString(number)), 1, 'node', 5 FROM numbers(500000)`)
    await other.execute('INSERT INTO btc_spends SELECT chain, reinterpretAsUInt64(prev_txid), prev_vout, block_number, tx_index, generation FROM btc_inputs')
    const readBy = async (file: string, params: Record<string, unknown>): Promise<{ rows: number; given: unknown[] }> => {
      const answer = await other.client.query({ query: loadSql(operations, file).text, query_params: params, format: 'JSONEachRow' })
      const given = await answer.json<Record<string, unknown>>()
      return { rows: Number(JSON.parse(String(answer.response_headers['x-clickhouse-summary'])).read_rows), given }
    }
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
    // One of them is spent: of the others nothing is known.
    const frontier = Array.from({ length: 300 }, (_, n) => [hash(n === 0 ? '250000' : `unspent ${n}`), '1', '11'.repeat(20), '5', '0', '5', '0', '5'])
    const hop = await readBy('wallets/trail/bitcoin/hopOn.sql', { chain: 'BTC', frontier, upto: 1_000, since: 0, until: 7e12, skip: 0, limit: 20, items: 10 })
    assert.ok(hop.rows < 100_000, `${hop.rows} rows were read of 500,000`)
    const links = await readBy('bitcoin/getTxLinks.sql', { txid: hash('250000') })
    assert.ok(links.rows < 50_000, `${links.rows} rows were read of 500,000`)
  })

  it('of one entity only its own deposit addresses are put together; of a token only its holders are looked for among pools', async () => {
    const { store: other } = await freshStore()
    await other.execute(`INSERT INTO label_changes (chain, address, source, label, version, action, entity, category, rule) SELECT 'ETH', concat('0x', leftPad(lower(hex(number)), 40, '0')), 'rules', 'deposit', 1, 'added', concat('House ', toString(number % 1000)), 'exchange_deposit', 'exchange_deposit' FROM numbers(20000)`)
    // One went from another's to its own, one the other way.
    await other.execute(`INSERT INTO label_changes (chain, address, source, label, version, action, entity, category, rule) SELECT 'ETH', concat('0x', leftPad(lower(hex(number)), 40, '0')), 'rules', 'deposit', 2, 'changed', concat('House ', toString(8 - number)), 'exchange_deposit', 'exchange_deposit' FROM numbers(3, 1) UNION ALL SELECT 'ETH', concat('0x', leftPad(lower(hex(number)), 40, '0')), 'rules', 'deposit', 2, 'changed', 'House 6', 'exchange_deposit', 'exchange_deposit' FROM numbers(1005, 1)`)
    const query = async (file: string, params: Record<string, unknown>, settings: Record<string, string | number> = {}): Promise<{ rows: number; given: any[] }> => {
      const answer = await other.client.query({ query: loadSql(operations, file).text, query_params: params, clickhouse_settings: settings, format: 'JSONEachRow' })
      const given = await answer.json<any>()
      return { rows: Number(JSON.parse(String(answer.response_headers['x-clickhouse-summary'])).read_rows), given }
    }
    const few = { max_rows_to_group_by: 1_000, group_by_overflow_mode: 'throw' }
    const { given: [head] } = await query('entities/getEntity.sql', { name: 'house 5', chain: 'ETH' }, few)
    assert.deepEqual([head.entity, head.deposits_found], ['House 5', 20])
    const { given } = await query('entities/listEntityAddresses.sql', { name: 'house 5', chain: 'ETH', found: 0, after_chain: '', after_label: '', after: '', limit: 30 }, few)
    assert.deepEqual(given.slice(0, 3).map(({ address }) => Number(address)), [3, 5, 2_005])

    await other.execute(`INSERT INTO pool_sightings (chain, pool, block_number, log_index, source, tokens) SELECT 'ETH', toFixedString(concat(toFixedString('', 12), unhex(leftPad(hex(number % 3000), 40, '0'))), 32), number, 0, 'inferred', [unhex(repeat('01', 20))] FROM numbers(300000)`)
    await other.execute(`INSERT INTO transfers (chain, block_number, kind, position, token, from_address, to_address, amount) SELECT 'ETH', 1, 'erc20', number, unhex(repeat('01', 20)), '', unhex(leftPad(hex(number), 40, '0')), 10 FROM numbers(2990, 20)`)
    const { rows, given: [held] } = await query('tokens/getHolders.sql', { chain: 'ETH', token: '01'.repeat(20), first_from: 0, first_to: 10, newest: 10 })
    assert.deepEqual([held.holders, held.set_aside], [20, 10])
    assert.ok(rows < 50_000, `${rows} rows were read of 300,000`)
  })
})
