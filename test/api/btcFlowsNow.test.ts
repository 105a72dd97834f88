/** Flows of Bitcoin by what is known now: clusters and labels that came later change the answers, and the rows keep what was known then. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { runClusters } from '../../stages/clusters/runClusters.js'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { idOf, insertBlocks, txidOf, type Block } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { startService, type Service } from './support/service.js'

const one = (address: string, value: number) => ({ address, value })
const blocks: Block[] = [
  { number: 1, txs: [{ coinbase: true, ins: [one('', 0)], outs: [one('m', 5_000_000_000)] }] },
  // Pays c; h3 is change, which shows when h3 is spent along with h2.
  { number: 2, txs: [{ ins: [one('h1', 1_000_000_000), one('h2', 500_000_000)], outs: [one('c', 600_000_000), one('h3', 899_000_000)] }] },
  { number: 3, txs: [{ ins: [one('h3', 899_000_000), one('h2', 200_000_000)], outs: [one('u', 300_000_000), one('n', 790_000_000)] }] },
  { number: 4, txs: [{ ins: [one('u', 300_000_000)], outs: [one('h2', 250_000_000), one('w', 49_000_000)] }, { ins: [one('c', 600_000_000)], outs: [one('c', 599_000_000)] }] },
]

describe('flows of Bitcoin as known now', function () {
  this.timeout(120_000)
  let service: Service
  before(async () => {
    service = await startService()
    const { store } = service
    await insertBlocks(store, blocks)
    await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
    await store.execute("INSERT INTO blocks (chain, block_number, block_time, internal_complete, tx_count) SELECT 'ETH', 1, max(block_time), true, 1 FROM btc_blocks")
    const written = new Set(['btc_flows', 'btc_entity_nets', 'address_transfers', 'entity_token_segments'])
    await runStatements([...listsOf('BTC').enrich, ...listsOf('BTC').index].map((group) => group.filter(({ writes }) => written.has(writes))), { ...bitcoinBatch(1, 4, 0), hash: 'x' }, bitcoinContext(store))
  })
  after(() => service.stop())
  const flows = async (query = ''): Promise<any[]> => (await service.call(`GET /v1/feed/btc/recent?min_btc=0${query}`)).body
  const short = ({ tx_hash: hash, flow, net_transfer_sats: sats, from_entity: from, to_entity: to }: any) => [hash, flow, sats, from, to]
  const tx = (number: number, index = 0): string => txidOf(blocks[number - 1] as Block, index)

  it('are those of single addresses while nothing more is known', async () => {
    assert.deepEqual((await flows()).map(short), [
      [tx(4), 'transfer', '299000000', '', ''], [tx(4, 1), 'internal', '0', '', ''], [tx(3), 'transfer', '1090000000', '', ''], [tx(2), 'transfer', '1499000000', '', ''], [tx(1), 'coinbase', '5000000000', '', ''],
    ])
    assert.deepEqual(await flows('&entity_only=true'), [])
    assert.deepEqual((await service.call('GET /v1/dashboard/exchange-flows?chain=BTC')).body.known_now, [])
  })

  it('net the change of a cluster out, and name whom a label names', async () => {
    const { store } = service
    await nameAddress(store, `0x${idOf('h1')}`, 'Alpha', 1)
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    while (await runClusters(store, 'BTC', { memory: null }) !== null);
    // Answers of before are kept for a while: another span is another question.
    const now = await flows('&hours=23')
    assert.deepEqual(now.map(short), [
      [tx(4), 'exchange_inflow', '299000000', '', 'Alpha'], [tx(4, 1), 'internal', '0', '', ''], [tx(3), 'exchange_outflow', '1090000000', 'Alpha', ''], [tx(2), 'exchange_outflow', '600000000', 'Alpha', ''], [tx(1), 'coinbase', '5000000000', '', ''],
    ])
    assert.deepEqual(now[3].known_then, { flow: 'transfer', net_transfer_sats: '1499000000', from_entity: '', to_entity: '' })
    assert.ok(now[3].from_cluster !== null && now[3].from_cluster === now[2].from_cluster && now[3].to_cluster === null)
    assert.deepEqual((await flows('&entity_only=true&hours=23')).map(({ tx_hash: hash }) => hash), [tx(4), tx(3), tx(2)])
    assert.deepEqual((await service.call('GET /v1/feed/btc/recent?min_btc=7')).body.map(({ tx_hash: hash }: any) => hash), [tx(3), tx(1)], 'what counts is the net as known now')
    const pages: any[] = []
    for (let cursor = ''; ;) {
      const { body, headers } = await service.call(`GET /v1/feed/btc/recent?min_btc=0&limit=2${cursor}`)
      pages.push(...body)
      if (headers.get('x-next-cursor') === null) break
      cursor = `&cursor=${headers.get('x-next-cursor')}`
    }
    assert.deepEqual(pages, now)
  })

  it('are asked for from an amount on, to the satoshi; half of one is refused', async () => {
    const from = async (amount: string): Promise<unknown> => (await service.call(`GET /v1/feed/btc/recent?min_btc=${amount}&hours=24`)).body.map(({ net_transfer_sats: sats }: any) => sats)
    assert.deepEqual([await from('2.99000000'), await from('2.99000001'), await from('10.9000001e0'), await from('21000000000')], [['299000000', '1090000000', '600000000', '5000000000'], ['1090000000', '600000000', '5000000000'], ['5000000000'], []])
    for (const amount of ['2.999999999', '1e-9', '0.30000000000000004']) {
      const { status, body } = await service.call(`GET /v1/feed/btc/recent?min_btc=${amount}`)
      assert.deepEqual([status, body.error.details], [422, [{ type: 'custom', loc: ['query', 'min_btc'], msg: 'at most 8 decimals: 0.00000001 BTC is the least there is' }]], amount)
    }
    assert.equal((await service.call('GET /v1/feed/btc/recent?min_btc=1e-8')).status, 200)
  })

  it('make the flows of an exchange, whose rows stay as they were', async () => {
    const answer = (await service.call('GET /v1/dashboard/exchange-flows?chain=BTC&hours=22')).body
    assert.deepEqual(answer.known_now.map(({ exchange, transfers_in: ins, transfers_out: outs, sats_in: gained, sats_out: lost }: any) => [exchange, ins, outs, gained, lost]), [['Alpha', 1, 2, '250000000', String(601_000_000 + 1_099_000_000)]])
    assert.deepEqual([answer.exchanges, answer.known_now_total], [[], 1])
    const { entity } = (await service.call('GET /v1/entity/Alpha?chain=BTC')).body
    const { transfers_in: ins, transfers_out: outs, sats_in: gained, sats_out: lost, transfers_unknown: unsure } = entity.btc_known_now
    assert.deepEqual([entity.flows, ins, outs, gained, lost, unsure], [[], 1, 2, '250000000', String(601_000_000 + 1_099_000_000), 0], 'an entity has both, as its exchange has')
    assert.equal((await service.call('GET /v1/entity/Alpha?chain=ETH')).body.entity.btc_known_now, null)
    assert.equal((await service.call('GET /v1/dashboard/exchange-flows?chain=BTC&known_now=false')).body.known_now, null)
    const [row] = await service.store.query("SELECT toFloat64(countIf(from_entity != '' OR to_entity != '')) AS named FROM btc_flows", {}, z.object({ named: z.number() }))
    assert.equal(row?.named, 0)
  })

  it('a cluster is called and classed as by the label of its name that goes first, not by the most confident', async () => {
    const { store } = service
    const inflow = async (hours: number) => { const { flow, to_entity: entity } = (await flows(`&hours=${hours}`))[0]; return [flow, entity] }
    await nameAddress(store, `0x${idOf('elsewhere')}`, 'ALPHA', 1, { category: 'mixer', confidence: 90 })
    await nameAddress(store, `0x${idOf('h1')}`, 'Alpha', 2, { official: true })
    while (await runClusters(store, 'BTC', { memory: null }) !== null);
    assert.deepEqual(await inflow(21), ['exchange_inflow', 'Alpha'])
    await nameAddress(store, `0x${idOf('elsewhere')}`, '', 2)
    while (await runClusters(store, 'BTC', { memory: null }) !== null);
    assert.deepEqual(await inflow(20), ['exchange_inflow', 'Alpha'])
  })

  it('a label of its own takes an address out of the cluster that goes by another name', async () => {
    const { store } = service
    await nameAddress(store, `0x${idOf('h3')}`, 'Beta', 1)
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    const { known_now: now } = (await service.call('GET /v1/dashboard/exchange-flows?chain=BTC&hours=23')).body
    assert.deepEqual(now.map(({ exchange, sats_in: gained, sats_out: lost }: any) => [exchange, gained, lost]).sort(), [['Alpha', '250000000', String(1_500_000_000 + 200_000_000)], ['Beta', '899000000', '899000000']])
  })

  it('are of one owner, however labels spell its name', async () => {
    const { store } = service
    await nameAddress(store, `0x${idOf('w')}`, 'AL-PHA', 1)
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    const answer = (await service.call('GET /v1/dashboard/exchange-flows?chain=BTC&hours=20')).body, now = answer.known_now.toSorted((a: any, b: any) => a.exchange.length - b.exchange.length), own = (await service.call('GET /v1/entity/Alpha?chain=BTC&limit=7')).body.entity.btc_known_now
    const beta = [1, 1, '899000000', '899000000'], sums = ({ transfers_in: ins, transfers_out: outs, sats_in: gained, sats_out: lost }: any) => [ins, outs, gained, lost], both = [1, 2, '299000000', String(601_000_000 + 1_099_000_000)]
    assert.deepEqual([now.map(({ exchange }: any) => exchange.length), now.map(sums), sums(own)], [[4, 5], [beta, both], both])
  })

  it('of both chains are of one owner, however labels of each spell its name', async () => {
    const { store } = service, account = `0x${'a1'.repeat(20)}`
    await nameAddress(store, account, 'al.pha', 1, { chain: 'ETH' })
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await store.execute("INSERT INTO address_transfers (chain, address, block_number, block_time, direction, other, value_usd) SELECT 'ETH', unhex({account:String}), 1, max(block_time), 'in', char(9), 5 FROM btc_blocks", { account: account.slice(2) })
    const { known_now: now, known_now_total: total } = (await service.call('GET /v1/dashboard/exchange-flows?chain=ALL&hours=20&known_now=true')).body
    assert.deepEqual([total, now.map(({ exchange, transfers_in: ins, usd_in: gained, sats_in: sats }: any) => [exchange.toLowerCase().replace(/[^a-z]/g, ''), ins, gained, sats]).sort()], [2, [['alpha', 2, 5, '299000000'], ['beta', 1, null, '899000000']]])
    const [alpha] = now.filter(({ sats_in: sats }: any) => sats === '299000000')
    assert.equal(alpha.exchange, 'al.pha')
  })
})
