/** The published views: all of them answer, none shows what was rolled back, those with a parameter read through a sort key. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { publishedIn } from '../../../schemas/analysts.js'
import { bitcoinId } from '../../../schemas/bitcoin.js'
import { seed } from '../support/seed.js'
import { startService, type Service } from '../support/service.js'

const address = `0x${'01'.repeat(20)}`
const example: Readonly<Record<string, string>> = { address, account: address, token: `0x${'00'.repeat(20)}`, hash: `0x${'00'.repeat(29)}03e900` }

describe('SQL for analysts: views', function () {
  this.timeout(90_000)
  let service: Service
  let views: any[]
  before(async () => {
    service = await startService()
    await seed(service.store, 1_000, 20, new Date('2026-01-01T00:00:00Z'))
    await service.store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation) SELECT 'ETH', unhex(leftPad(lower(hex(number % 50000)), 40, '0')), number, 'erc20', 1, 0, 'in', now64(3), unhex(repeat('ab', 32)), unhex(repeat('00', 20)), unhex(repeat('02', 20)), 7, 0, NULL, 0 FROM numbers(200000)`)
    views = (await service.call('GET /v1/sql/schema')).body.views
  })
  after(() => service.stop())
  const rows = async (query: string): Promise<unknown[][]> => { const { status, body, text } = await service.call('POST /v1/sql/rows', { body: { query } }); assert.equal(status, 200, text); return body.rows }
  const from = ({ name, parameter }: { name: string; parameter: string | null }): string => (parameter === null ? name : `${name}(${parameter} = '${example[parameter] ?? ''}')`)

  it('are listed with their columns, and each column with a description', async () => {
    assert.ok(views.length >= 20)
    for (const view of views) {
      const [one] = (await service.call(`GET /v1/sql/schema?view=${view.name}`)).body.views
      assert.ok(one.description.length > 10 && one.columns.length > 5, view.name)
      for (const column of one.columns) assert.ok(column.description !== '' && column.type !== '', `${view.name}.${column.name}`)
      const [described] = await rows(`SELECT count() FROM ${from(view)}`)
      assert.equal(described?.length, 1)
      const { body } = await service.call('POST /v1/sql/rows', { body: { query: `SELECT * FROM ${from(view)}`, limit: 1 } })
      assert.deepEqual(body.columns.map(({ name }: { name: string }) => name), one.columns.map(({ name }: { name: string }) => name), view.name)
    }
    const { status, body } = await service.call('GET /v1/sql/schema?view=secrets')
    assert.deepEqual([status, body.error.code], [422, 'VALIDATION_ERROR'])
  })

  it('show addresses and hashes as lower-case hex', async () => {
    assert.deepEqual(await rows("SELECT block_hash FROM blocks WHERE block_number = 1001"), [[`0x${'0'.repeat(61)}3e9`]])
    assert.deepEqual(await rows(`SELECT block_number, from_address FROM transaction_of(hash = '${example['hash']}')`), [['1001', address]])
    assert.deepEqual(await rows('SELECT topic0 FROM logs'), [])
  })

  it('reach rows of one address through the sort key, in either case', async () => {
    const one = '0x00000000000000000000000000000000000000Ff'
    assert.deepEqual(await rows(`SELECT count(), sum(amount) FROM transfers_of(address = '${one}') WHERE chain = 'ETH'`), [['4', '28']])
    const Row = z.object({ explain: z.string() })
    const plan = await service.store.query(`EXPLAIN indexes = 1 SELECT count() FROM ${publishedIn(service.database)}.transfers_of(address = '${one}') WHERE chain = 'ETH'`, {}, Row)
    // The last index named is the primary key.
    const [, read, all] = [...plan.map(({ explain }) => explain).join('\n').matchAll(/Granules: (\d+)\/(\d+)/g)].at(-1) ?? []
    assert.ok(Number(read) <= 2 && Number(all) >= 20, `${read} of ${all}`)
    const { body } = await service.call('POST /v1/sql/rows', { body: { query: `SELECT * FROM transfers_of(address = '${one}') WHERE chain = 'ETH'`, preview: true } })
    assert.ok(body.estimate.rows <= 2 * 8_192 && body.estimate.rows > 0, JSON.stringify(body.estimate))
  })

  it('of trades, extracted value, prices by the hour and derived classes say what their tables do', async () => {
    const account = `0x${'0a'.repeat(20)}`
    const token = `0x${'0b'.repeat(20)}`
    await service.store.execute(`INSERT INTO wallet_trades (chain, account, block_number, position, token, block_time, tx_hash, side, role, basis, amount, usd) SELECT 'ETH', unhex(repeat(if(number = 2, '0c', '0a'), 20)), 1001 + number, 5, unhex(repeat('0b', 20)), '2026-01-01 00:00:12.000',
      unhex(repeat('ab', 32)), if(number = 1, 'sell', 'buy'), 'sender', 'netted', 70 + number, if(number = 1, NULL, 9.5) FROM numbers(3)`)
    assert.deepEqual(await rows(`SELECT block_number, account, token, side, amount, usd FROM trades_of(account = '${account.toUpperCase().replace('0X', '0x')}') ORDER BY block_number`), [['1001', account, token, 'buy', '70', 9.5], ['1002', account, token, 'sell', '71', null]])
    assert.deepEqual(await rows('SELECT count(), uniqExact(account) FROM wallet_trades'), [['3', '2']])
    await service.store.execute(`INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'ETH', unhex(repeat('0b', 20)), 1001 + number, toDateTime64('2026-01-01 00:58:00', 3) + 60 * number, [2., 5., 1., 3.][number + 1], 'vwap' FROM numbers(4)`)
    assert.deepEqual(await rows(`SELECT hour, open, high, low, close, priced_blocks FROM price_hours_of(token = '${token}') ORDER BY hour`), [['2026-01-01T00:00:00Z', 2, 5, 2, 5, '2'], ['2026-01-01T01:00:00Z', 1, 3, 1, 3, '2']])
    await service.store.execute(`INSERT INTO mev (chain, block_number, mev_id, kind, rule, grade, searcher, tx_hashes, nets, builder_payment) SELECT 'ETH', 1003, unhex(repeat('0d', 32)), 'arbitrage', 'r', 'high', unhex(repeat('0a', 20)), [unhex(repeat('ab', 32))], [(unhex(repeat('0b', 20)), -3)], NULL`)
    assert.deepEqual(await rows('SELECT kind, searcher, tx_hashes, nets, builder_payment FROM mev'), [['arbitrage', account, [`0x${'ab'.repeat(32)}`], [{ token, amount: '-3' }], null]])
    await service.store.execute(`INSERT INTO label_changes (chain, address, source, label, version, action, category, rule, last_block) SELECT 'ETH', {address:String}, if(number = 2, 'test', 'rules'), 'Whale', number + 1, if(number = 1, 'removed', 'added'), 'whale', 'whale', 1002 FROM numbers(3)`, { address: account })
    assert.deepEqual(await rows('SELECT count() FROM classes'), [['0']], 'what was removed is not there')
    assert.deepEqual(await rows('SELECT count() FROM label_changes'), [['0']], 'no run has landed')
    await service.store.execute(`INSERT INTO label_runs (chain, version, step) VALUES ('ETH', 2, 'landed')`)
    assert.deepEqual(await rows('SELECT version, action, category FROM label_changes ORDER BY version'), [['1', 'added', 'whale'], ['2', 'removed', 'whale']])
  })

  it('tell what is not known of sums as not known, and no 0', async () => {
    const { store } = service
    const token = `unhex(repeat('5a', 20))`, hour = `toDateTime('2026-03-01 04:00:00', 'UTC')`
    // Bitcoin: received where an input is not known, paid out without a price, both with one. ETH: nothing has a price, a transfer of nothing, an amount that is absurd.
    await store.execute(`INSERT INTO entity_token_segments (chain, hour, segment, entity, token, transfers_in, amount_in, usd_in, transfers_out, amount_out, usd_out, oversized, version, transfers_unknown, amount_unknown, usd_unknown) VALUES
      ('BTC', ${hour}, 1, 'blank', ${token}, 0, 0, 0, 0, 0, 0, 0, 1, 2, 200, 0), ('BTC', ${hour}, 2, 'blank', ${token}, 0, 0, 0, 1, 7, 0, 0, 1, 1, 4, 0), ('BTC', ${hour}, 1, 'priced', ${token}, 1, 5, 3, 1, 7, 4, 0, 1, 1, 4, 2),
      ('ETH', ${hour}, 1, 'blank', ${token}, 2, 5, 0, 1, 0, 0, 0, 1, 0, 0, 0), ('ETH', ${hour}, 1, 'absurd', ${token}, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0)`)
    assert.deepEqual(await rows(`SELECT chain, entity, transfers_in, amount_in, usd_in, transfers_out, amount_out, usd_out, transfers_unknown, amount_unknown, usd_unknown FROM entity_hours WHERE hour = ${hour} ORDER BY chain, entity`), [
      ['BTC', 'blank', '0', '0', 0, '1', '7', null, '3', '204', null], ['BTC', 'priced', '1', '5', 3, '1', '7', 4, '1', '4', 2],
      ['ETH', 'absurd', '1', null, null, '0', null, 0, '0', '0', 0], ['ETH', 'blank', '2', '5', null, '1', '0', 0, '0', '0', 0],
    ])
    await store.execute(`INSERT INTO class_segments (chain, hour, segment, from_class, to_class, token, transfers, amount, value_usd, priced_transfers, version) VALUES ('BTC', ${hour}, 1, 'a', 'b', ${token}, 9, 5, 0, 0, 1), ('ETH', ${hour}, 1, 'a', 'b', ${token}, 9, 5, 6, 2, 1)`)
    await store.execute(`INSERT INTO token_segments (chain, hour, segment, token, transfers, amount, value_usd, priced_transfers, version) VALUES ('BTC', ${hour}, 1, ${token}, 9, 5, 0, 0, 1), ('ETH', ${hour}, 1, ${token}, 9, 5, 6, 2, 1)`)
    await store.execute(`INSERT INTO pair_segments (chain, hour, segment, token_a, token_b, protocol, swaps, value_usd, priced_swaps, version) VALUES ('ETH', ${hour}, 1, ${token}, ${token}, 'none', 9, 0, 0, 1), ('ETH', ${hour}, 1, ${token}, ${token}, 'some', 9, 6, 2, 1)`)
    for (const view of ['class_hours', 'token_hours']) assert.deepEqual(await rows(`SELECT chain, transfers, value_usd, priced_transfers FROM ${view} WHERE hour = ${hour} ORDER BY chain`), [['BTC', '9', null, '0'], ['ETH', '9', 6, '2']], view)
    assert.deepEqual(await rows(`SELECT protocol, swaps, value_usd, priced_swaps FROM pair_hours WHERE hour = ${hour} ORDER BY protocol`), [['none', '9', null, '0'], ['some', '9', 6, '2']])
    await store.execute(`INSERT INTO address_segments (chain, address, hour, segment, transfers_in, usd_in, transfers_out, usd_out, version) VALUES ('BTC', ${token}, ${hour}, 1, 62, 0, 0, 0, 1), ('ETH', ${token}, ${hour}, 1, 1, 3, 2, 0, 1)`)
    for (const view of [`wallet_of(address = '0x${'5a'.repeat(20)}')`, `wallets`]) assert.deepEqual(await rows(`SELECT chain, transfers_in, usd_in, transfers_out, usd_out FROM ${view} WHERE address = '0x${'5a'.repeat(20)}' ORDER BY chain`), [['BTC', '62', null, '0', 0], ['ETH', '1', 3, '2', null]], view)
  })

  it('leave out rows of a rollback that is not carried out yet, of that chain', async () => {
    const heights = async (view: string): Promise<unknown[][]> => rows(`SELECT max(block_number), count() > 0 FROM ${view}`)
    assert.deepEqual(await heights('transfers'), [['1019', 1]])
    await service.store.execute("INSERT INTO plans SELECT 'ETH', 99, 'rollback', 1010, 1010, 'x', '', 5, '', 0, 'w', now64(3)")
    for (const view of ['transfers', 'blocks', 'transactions', 'swaps']) assert.deepEqual(await heights(view), [['1009', 1]], view)
    await service.store.execute("INSERT INTO rollbacks_applied (chain, seq, from_block, generation, step, epoch, rows_deleted, writer) VALUES ('ETH', 99, 1010, 5, 'deleted', 1, 0, 'w')")
    assert.deepEqual(await heights('transfers'), [['1019', 1]])
    await service.store.execute("INSERT INTO plans SELECT 'BTC', 1, 'rollback', 5, 5, 'x', '', 5, '', 0, 'w', now64(3)")
    assert.deepEqual(await heights('transfers'), [['1019', 1]])
    // Two chains at once: each is cut where its own rollback begins, whichever is the lower.
    await service.store.execute("INSERT INTO plans SELECT 'ETH', 100, 'rollback', 1015, 1015, 'x', '', 6, '', 0, 'w', now64(3)")
    await service.store.execute("INSERT INTO prices (chain, token, block_number, block_time, usd, method) SELECT 'BTC', unhex(repeat('00', 20)), 3 + number, now64(3), 9e4, 'p' FROM numbers(5)")
    for (const view of ['transfers', 'blocks', 'transactions', 'swaps']) assert.deepEqual(await heights(view), [['1014', 1]], view)
    for (const view of ['prices', `prices_of(token = '${example['token']}')`]) assert.deepEqual(await rows(`SELECT chain, max(block_number) FROM ${view} WHERE chain = 'BTC' OR block_number > 1004 GROUP BY chain ORDER BY chain`), [['BTC', '4'], ['ETH', '1014']], view)
    assert.deepEqual(await rows(`SELECT block_number FROM transaction_of(hash = '0x${'00'.repeat(29)}03f600')`), [['1014']])
    assert.deepEqual(await rows(`SELECT block_number FROM transaction_of(hash = '0x${'00'.repeat(29)}03f700')`), [])
  })

  it('no view cuts a chain where the rollback of another begins', async () => {
    const Row = z.object({ name: z.string() })
    const database = publishedIn(service.database)
    assert.deepEqual(await service.store.query("SELECT name FROM system.tables WHERE database = {database:String} AND position(as_select, 'min(ceiling)') > 0", { database }, Row), [])
    const cut = await service.store.query("SELECT name FROM system.tables WHERE database = {database:String} AND position(as_select, 'unsettled') > 0", { database }, Row)
    assert.equal(cut.length, 17)
  })

  it('of Bitcoin tell the texts behind ids, and the ids behind texts, through the sort key', async () => {
    const [old, segwit, script] = ['1dice97ECuByXAvqXpaYzSaQuPVvrtmz6', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', `script${'0a'.repeat(32)}`]
    await service.store.execute("INSERT INTO btc_parties SELECT substring(SHA256(t), 1, 20), t, if(startsWith(t, 'script'), 'pubkey', 'pubkeyhash') FROM (SELECT arrayJoin({texts:Array(String)}) AS t)", { texts: [old, segwit, script] })
    // The same again, as a second block that names it writes it.
    await service.store.execute("INSERT INTO btc_parties SELECT substring(SHA256({old:String}), 1, 20), {old:String}, 'pubkeyhash'", { old })
    await service.store.execute("INSERT INTO btc_parties SELECT substring(SHA256(toString(number)), 1, 20), toString(number), 'made' FROM numbers(50000)")
    await service.store.execute("INSERT INTO address_transfers (chain, address, block_number, kind, position, direction, block_time, other, amount) SELECT 'BTC', substring(SHA256({old:String}), 1, 20), 3, 'utxo', 1, 'out', now64(3), substring(SHA256({segwit:String}), 1, 20), 5", { old, segwit })
    await service.store.execute("INSERT INTO transfers (chain, block_number, kind, position, block_time, from_address, to_address, amount) SELECT 'BTC', 3, 'utxo', 1, now64(3), substring(SHA256({old:String}), 1, 20), substring(SHA256({segwit:String}), 1, 20), 5", { old, segwit })
    await service.store.insert('labels', [{ chain: 'BTC', address: bitcoinId(old), label: 'A game', entity: 'A game', category: 'gambling', source: 'test', rule: '', confidence: 80, licence: '', valid_from: '2024-01-01 00:00:00.000', removed: false, version: 1 }])
    const id = bitcoinId(old)
    const ofText = (text: string): string => `concat('0x', lower(hex(substring(SHA256('${text}'), 1, 20))))`
    assert.deepEqual(await rows(`SELECT ${ofText(old)}`), [[id]])
    assert.deepEqual(await rows(`SELECT label FROM labels WHERE chain = 'BTC' AND address = ${ofText(old)}`), [['A game']])
    for (const asked of [old, id, id.toUpperCase().replace('0X', '0x')]) assert.deepEqual(await rows(`SELECT chain, id, address, script_type, has_address FROM btc_address_of(address = '${asked}')`), [['BTC', id, old, 'pubkeyhash', true]], asked)
    assert.deepEqual(await rows(`SELECT id, address, has_address FROM btc_address_of(address = '${script}')`), [[bitcoinId(script), script, false]])
    for (const asked of [segwit, segwit.toUpperCase()]) assert.deepEqual(await rows(`SELECT id, address FROM btc_address_of(address = '${asked}')`), [[bitcoinId(segwit), segwit]])
    for (const view of ['transfers_of', 'wallet_of', 'btc_address_of']) for (const asked of ['0x12', 'bc1', 'nobody', `${old}' '`, '']) {
      const { status, body } = await service.call('POST /v1/sql/rows', { body: { query: `SELECT * FROM ${view}(address = '${asked}')` } })
      assert.deepEqual([status, body.error?.code], [422, 'SQL_INVALID'], `${view} ${asked}`)
    }
    for (const asked of [old, id]) assert.deepEqual(await rows(`SELECT chain, kind, direction, other, amount FROM transfers_of(address = '${asked}')`), [['BTC', 'utxo', 'out', bitcoinId(segwit), '5']])
    assert.deepEqual(await rows("SELECT a.address, b.address, t.amount FROM transfers AS t INNER JOIN btc_addresses AS a ON a.id = t.from_address INNER JOIN btc_addresses AS b ON b.id = t.to_address WHERE t.chain = 'BTC' AND t.block_number = 3"), [[old, segwit, '5']])
    const several = "SELECT address FROM btc_addresses WHERE id_bytes IN (SELECT toFixedString(unhex(substring(to_address, 3)), 20) FROM transfers WHERE chain = 'BTC' AND block_number = 3)"
    assert.deepEqual(await rows(several), [[segwit]])
    for (const query of [several, `SELECT address FROM btc_address_of(address = '${old}')`, `SELECT address FROM btc_addresses WHERE id_bytes = substring(SHA256('${old}'), 1, 20)`, `SELECT address FROM btc_addresses WHERE id_bytes = unhex('${id.slice(2)}')`]) {
      const { body } = await service.call('POST /v1/sql/rows', { body: { query, preview: true } })
      const read = body.estimate?.tables.find(({ table }: { table: string }) => table === 'btc_parties')?.rows
      assert.ok(read > 0 && read <= 8 * 512, `${query}: ${read}`)
    }
    const described = async (view: string): Promise<Record<string, string>> => Object.fromEntries((await service.call(`GET /v1/sql/schema?view=${view}`)).body.views[0].columns.map(({ name, description }: { name: string; description: string }) => [name, description]))
    const { chain, kind, from_address: from } = await described('transfers')
    assert.match(`${chain}; ${kind}; ${from}`, /ETH, BTC; .*utxo, coinbase; .*btc_addresses/)
    for (const view of ['transfers_of', 'wallet_of', 'wallets', 'labels', 'label_changes', 'prices', 'prices_of', 'tokens', 'entity_hours', 'alerts']) assert.match((await described(view))['chain'] ?? '', /ETH, BTC/, view)
    for (const view of ['logs', 'transaction_of', 'trades_of']) assert.doesNotMatch((await described(view))['chain'] ?? '', /BTC/, view)
  })

  it('show no label that was taken back and no alert that was', async () => {
    const label = (removed: boolean, version: number) => ({ chain: 'ETH', address, label: 'X', entity: 'X', category: 'exchange', source: 'test', rule: '', confidence: 80, licence: '', valid_from: '2024-01-01 00:00:00.000', removed, version })
    await service.store.insert('labels', [label(false, 1)])
    assert.deepEqual(await rows(`SELECT label FROM labels WHERE address = '${address}'`), [['X']])
    await service.store.insert('labels', [label(true, 2)])
    assert.deepEqual(await rows(`SELECT label FROM labels WHERE address = '${address}'`), [])
    await service.store.execute("INSERT INTO alerts (id, chain, rule, block_number, retracted, version) SELECT unhex(repeat('aa', 32)), 'ETH', 'r', 1001, k, k FROM (SELECT arrayJoin([0, 1]) AS k)")
    assert.deepEqual(await rows('SELECT * FROM alerts'), [])
  })
})
