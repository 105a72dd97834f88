/** Bitcoin's blocks need not be later than the ones before them: what a span covers, and what a page goes on with, where a time goes back. */
import assert from 'node:assert/strict'
import { stageNames } from '../../schemas/primitives.js'
import { openLedger } from '../../stages/ledger/ledger.js'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { addressOf, idOf, insertBlocks, type Block } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { startService, type Service } from './support/service.js'

const btc = 100_000_000
const newest = Date.parse('2019-06-02T12:00:00.000Z')
const at = (minutes: number): string => new Date(newest - minutes * 60_000).toISOString()
const day = 24 * 60
const pays = (from: string, ...outs: readonly (readonly [string, number])[]) => ({
  ins: [{ address: addressOf(from), value: outs.reduce((sum, [, value]) => sum + value * btc, 0) }], outs: outs.map(([to, value]) => ({ address: addressOf(to), value: value * btc })),
})
const blocks: Block[] = [
  { number: 100, at: at(day + 50), txs: [pays('first', ['a', 1])] },
  { number: 101, at: at(day - 10), txs: [pays('w', ['a', 400], ['hot', 90])] },
  // Before the day, though the block below it is of the day.
  { number: 102, at: at(day + 10), txs: [pays('rich', ['early', 5_000])] },
  { number: 103, at: at(60), txs: [pays('x', ['b', 300], ['beta', 80])] },
  { number: 104, at: at(0), txs: [pays('y', ['c', 200], ['gamma', 70])] },
]
/** Found after 104, and said to be of twenty minutes before it. */
const late: Block = { number: 105, at: at(20), txs: [pays('gamma', ['c', 9_000]), pays('z', ['gamma', 20_000]), pays('hot', ['y', 7_000])] }

describe('Bitcoin where the time of a block goes back', function () {
  this.timeout(120_000)
  let service: Service
  const pass = async (passed: readonly Block[]): Promise<void> => {
    const { store } = service, [from, to] = [passed[0]?.number ?? 0, passed.at(-1)?.number ?? 0]
    await insertBlocks(store, passed)
    await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks WHERE block_number BETWEEN {from:UInt64} AND {to:UInt64}', { from, to })
    await store.execute("INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation) SELECT 'ETH', unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599'), block_number, block_time, '', 8000, 'chainlink', 1, 0, 1 FROM btc_blocks WHERE block_number BETWEEN {from:UInt64} AND {to:UInt64}", { from, to })
    const written = new Set(['prices', 'transfers', 'btc_flows', 'btc_entity_nets', 'entity_token_segments', 'class_segments', 'address_transfers', 'address_segments'])
    const batch = { ...bitcoinBatch(from, to, 0), hash: `${to}` }
    await runStatements([...listsOf('BTC').enrich, ...listsOf('BTC').index].map((group) => group.filter(({ writes }) => written.has(writes))), batch, bitcoinContext(store))
    for (const stage of stageNames) await openLedger(store).land(batch, stage, { rows: 0, bytes: 0, endpoint: '' }, 0)
  }
  before(async () => {
    service = await startService()
    for (const [name, entity] of [['hot', 'Alpha'], ['beta', 'Beta'], ['gamma', 'Gamma']] as const) await nameAddress(service.store, `0x${idOf(addressOf(name))}`, entity, 1)
    for (const [name, category] of [['a', 'fund'], ['b', 'whale'], ['c', 'mixer']] as const) await nameAddress(service.store, `0x${idOf(addressOf(name))}`, `Owner of ${name}`, 1, { category })
    await service.store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await pass(blocks)
    await service.store.execute("INSERT INTO btc_parties (id, address) SELECT DISTINCT toFixedString(substring(SHA256(address), 1, 20), 20), address FROM (SELECT address FROM btc_outputs UNION ALL SELECT address FROM btc_inputs)")
  })
  after(() => service.stop())

  /** A page of a list: its rows, the window it covers, its cursor. */
  const page = async (path: string): Promise<{ rows: any[]; window: any; cursor: string | null }> => {
    const { body, headers } = await service.call(`GET /v1/${path}`)
    return Array.isArray(body) ? { rows: body, window: JSON.parse(headers.get('x-window') ?? 'null'), cursor: headers.get('x-next-cursor') } : { rows: body.exchanges, window: body.window, cursor: body.next_cursor }
  }
  const rest = async (path: string, cursor: string | null): Promise<any[]> => {
    const rows: any[] = []
    for (let after = cursor; after !== null;) { const next = await page(`${path}&cursor=${after}`); rows.push(...next.rows); after = next.cursor }
    return rows
  }

  it('a day of which every block is there is complete, also where one within it is of before', async () => {
    assert.deepEqual((await page('feed/btc/recent?hours=24')).window, { from: new Date(newest - day * 60_000 + 1).toISOString(), to: at(0), indexed: { first_block: 101, last_block: 104, blocks: 3, complete: true } })
    assert.equal((await page('feed/btc/recent?hours=25')).window.indexed.complete, false, 'whether 99 is of these hours nobody knows')
  })

  it('what a block of before moved is in no list of the day', async () => {
    const { rows } = await page('wallets/top/BTC?limit=100')
    assert.deepEqual(rows.map(({ address, volume_usd: usd }) => [address, usd]), [['w', 490], ['a', 400], ['x', 380], ['b', 300], ['y', 270], ['c', 200], ['hot', 90], ['beta', 80], ['gamma', 70]].map(([name, value]) => [addressOf(String(name)), Number(value) * 8_000]))
  })

  it('pages go on as they began when a block arrives that is said to be earlier', async () => {
    const lists = ['wallets/top/BTC?limit=2', 'wallets?chain=BTC&limit=2', 'wallets/top/ALL?limit=2', 'wallets/flow-explorer?chain=BTC&limit=2', 'wallets/flow-explorer?chain=ALL&limit=2', 'dashboard/exchange-flows?chain=BTC&limit=1', 'feed/btc/recent?min_btc=0&limit=1']
    const begun = await Promise.all(lists.map(async (path) => ({ path, all: (await page(path.replace(/limit=\d/, 'limit=50'))).rows, first: await page(path) })))
    for (const { all, first, path } of begun) assert.ok(all.length > first.rows.length + 1, path)
    await pass([late])
    // Each a question of its own, since answers are kept for a while.
    for (let seen = 0, least = 0; seen < 105; least++) seen = (await page(`feed/btc/recent?min_btc=${least}&limit=1`)).window.indexed.last_block
    await service.store.execute("INSERT INTO btc_parties (id, address) SELECT DISTINCT toFixedString(substring(SHA256(address), 1, 20), 20), address FROM btc_inputs")
    const gone = await Promise.all(begun.map(async ({ path, first }) => [path, [...first.rows, ...await rest(path, first.cursor)]]))
    assert.deepEqual(gone, begun.map(({ path, all }) => [path, all]))
    assert.equal((await page('wallets/top/BTC?limit=1')).rows[0].address, addressOf('gamma'), 'who begins anew sees it')
  })
})
