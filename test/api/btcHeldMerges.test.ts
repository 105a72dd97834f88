/** Merges of Bitcoin's clusters that were not made, as those they would have joined see them later. */
import assert from 'node:assert/strict'
import { runClusters } from '../../stages/clusters/runClusters.js'
import { addressOf as address, insertBlocks, txidOf, type Block, type Tx } from '../support/btcLedger.js'
import { nameAddress } from '../support/clusters.js'
import { startService, type Service } from './support/service.js'

const people = ['a', 'b', 'c', 'd', 'e', 'x', 'y', 'r', 's', 't', 'one', 'two', 'friend', 'third'].map(address)
const spend = (...names: string[]): Tx => ({ ins: names.map((name) => ({ address: address(name), value: 10_000_000 })), outs: [{ address: address('shop'), value: 5_000_000 }] })
const early: Block[] = [{ number: 1, txs: [spend('a', 'b'), spend('x', 'y'), spend('c', 'd', 'e'), spend('r', 's', 't')] }, { number: 2, txs: [spend('a', 'x'), spend('one', 'two')] }]
/** Either side of the first joins a larger cluster, whose id it takes; one of the second spends with a friend. */
const late: Block[] = [{ number: 3, txs: [spend('b', 'c'), spend('y', 'r'), spend('one', 'friend')] }]

describe('merges held back', function () {
  this.timeout(120_000)
  let service: Service
  const get = async (name: string, limit = 20): Promise<any> => (await service.call(`GET /v1/btc/clusters/${address(name)}?limit=${limit}`)).body
  const sidesOf = (held: any): any[] => [...held.sides].sort((left: any, right: any) => (left.name < right.name ? -1 : 1))
  const cluster = async (blocks: readonly Block[]): Promise<void> => { await insertBlocks(service.store, blocks); while (await runClusters(service.store, 'BTC', { memory: null }) !== null); }
  before(async () => {
    service = await startService()
    await service.store.execute("INSERT INTO btc_parties (id, address, script_type) SELECT toFixedString(substring(SHA256(arrayJoin({people:Array(String)}) AS one), 1, 20), 20), one, 'pubkeyhash'", { people })
    for (const [name, entity] of [['b', 'Alpha'], ['y', 'Omega'], ['one', 'Binance'], ['two', 'Kraken']] as const) await nameAddress(service.store, address(name), entity, 1)
    await cluster(early)
  })
  after(() => service.stop())

  it('an address that is in no cluster because of one is told of it', async () => {
    for (const name of ['one', 'two']) {
      const answer = await get(name)
      assert.deepEqual([answer.cluster, answer.size, answer.held_back.length, answer.held_back[0]?.tx_hash], [null, 1, 1, txidOf(early[1] as Block, 1)])
      assert.deepEqual(sidesOf(answer.held_back[0]), [{ cluster: null, address: address('one'), name: 'binance', size: 1 }, { cluster: null, address: address('two'), name: 'kraken', size: 1 }])
    }
    assert.deepEqual((await get('third')).held_back, [])
  })

  it('it stays with its sides when they grow and take other ids, and names the clusters of today', async () => {
    const before = (await get('a')).cluster
    await cluster(late)
    const of = async (name: string): Promise<any> => get(name, 21)
    const [alpha, omega, binance, kraken] = [await of('a'), await of('x'), await of('one'), await of('two')]
    assert.notEqual(alpha.cluster, before)
    for (const answer of [alpha, omega, await of('e'), await of('t')]) {
      assert.deepEqual(answer.held_back.map(({ tx_hash }: any) => tx_hash), [txidOf(early[1] as Block, 0)])
      assert.deepEqual(sidesOf(answer.held_back[0]), [{ cluster: alpha.cluster, address: null, name: 'alpha', size: 2 }, { cluster: omega.cluster, address: null, name: 'omega', size: 2 }])
    }
    for (const answer of [binance, kraken, await of('friend')]) {
      assert.deepEqual(sidesOf(answer.held_back[0]), [{ cluster: binance.cluster, address: address('one'), name: 'binance', size: 1 }, { cluster: null, address: address('two'), name: 'kraken', size: 1 }])
    }
    assert.deepEqual([binance.size, kraken.cluster], [2, null])
    const list = async (query: string): Promise<any> => (await service.call(`GET /v1/btc/held-merges?${query}`, { key: service.adminKey })).body
    const all = await list('limit=5')
    assert.deepEqual(all.held_back.map(({ tx_hash }: any) => tx_hash), [txidOf(early[1] as Block, 1), txidOf(early[1] as Block, 0)])
    assert.deepEqual(sidesOf(all.held_back[1]).map((side) => side.cluster), [alpha.cluster, omega.cluster])
    const first = await list('limit=1')
    assert.deepEqual([first.count, (await list(`limit=1&cursor=${first.next_cursor}`)).held_back], [1, [all.held_back[1]]])
  })
})
