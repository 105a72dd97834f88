/** Trails on Bitcoin against a ledger small enough to be worked out by hand; amounts in satoshis. */
import assert from 'node:assert/strict'
import { bitcoinScriptType } from '../../schemas/bitcoin.js'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { addressOf, hashOf, insertBlocks, txidOf, type Block } from '../support/btcLedger.js'
import { startService, type Service } from './support/service.js'

const [m, p, q, t, x, y, z, w, v, n, k, l] = ['m', 'p', 'q', 't', 'x', 'y', 'z', 'w', 'v', 'n', 'k', 'l'].map(addressOf) as [string, string, string, string, string, string, string, string, string, string, string, string]
const out = (address: string, value: number) => ({ address, value, type: 'pubkeyhash' })
const one: Block = { number: 1, txs: [{ coinbase: true, ins: [{ address: '', value: 0 }], outs: [out(m, 100)] }] }
const two: Block = { number: 2, txs: [{ ins: [{ ...out(m, 100), spends: { txid: txidOf(one, 0), vout: 0, block: 1 } }], outs: [out(p, 60), out(q, 39)] }] }
const three: Block = { number: 3, txs: [{ ins: [{ ...out(p, 60), spends: { txid: txidOf(two, 0), vout: 0, block: 2 } }, { ...out(q, 39), spends: { txid: txidOf(two, 0), vout: 1, block: 2 } }], outs: [out(t, 50), out(p, 45)] }] }
const four: Block = { number: 4, txs: [{ ins: [{ ...out(t, 50), spends: { txid: txidOf(three, 0), vout: 0, block: 3 } }], outs: [out(x, 50)] }] }
const five: Block = { number: 5, txs: [{ ins: [{ address: '', value: null }, { ...out(p, 45), spends: { txid: txidOf(three, 0), vout: 1, block: 3 } }], outs: [out(z, 40), out(y, 10)] }] }
/** A script without an address gets coins and passes them on. */
const bare = `script${hashOf(hashOf(''))}`
const six: Block = { number: 6, txs: [{ ins: [{ ...out(z, 40), spends: { txid: txidOf(five, 0), vout: 0, block: 5 } }], outs: [{ address: '', value: 39, type: 'pubkey' }] }] }
const seven: Block = { number: 7, txs: [{ ins: [{ address: '', value: 39, type: 'pubkey', spends: { txid: txidOf(six, 0), vout: 0, block: 6 } }], outs: [out(w, 38)] }] }
/** What it spends is not indexed: the node told of it. */
const eight: Block = { number: 8, txs: [{ ins: [{ ...out(v, 8), spends: { txid: hashOf('not indexed'), vout: 0, block: null } }], outs: [out(n, 7)] }] }
/** It pays a miner, and what it pays goes into a CoinJoin. */
const nine: Block = { number: 9, txs: [{ ins: [{ ...out(k, 40), spends: { txid: hashOf('not indexed'), vout: 1, block: null } }], outs: [out(l, 30)] }] }
const ten: Block = { number: 10, txs: [{ ins: [{ ...out(l, 30), spends: { txid: txidOf(nine, 0), vout: 0, block: 9 } }], outs: [out(addressOf('o'), 30)] }] }

describe('trails on Bitcoin', function () {
  this.timeout(60_000)
  let service: Service
  const trail = async (address: string, query = ''): Promise<any> => (await service.call(`GET /v1/wallets/trail/${address}?chain=BTC&hops=4${query}`)).body
  const short = ({ hop, from_address: from, to_address: to, fifo, haircut, poison, stopped_because: end }: any) => [hop, from, to, fifo, haircut, poison, end]
  const balanced = ({ checks }: any): void => { for (const check of checks) assert.deepEqual([check.fifo.difference, check.lifo.difference, check.haircut.difference], ['0', '0', '0'], JSON.stringify(check)) }
  const nobody = `0x${'00'.repeat(20)}`
  before(async () => {
    service = await startService()
    const { store } = service
    const blocks = [one, two, three, four, five, six, seven, eight, nine, ten]
    await insertBlocks(store, blocks)
    await store.execute('INSERT INTO btc_parties SELECT toFixedString(substring(SHA256(party), 1, 20), 20), party, script_type FROM btc_outputs')
    await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
    await store.execute(`INSERT INTO btc_coinjoins (chain, block_number, tx_index, txid, detector, detector_version, confidence) SELECT chain, block_number, tx_index, txid, 'generic', 1, 70 FROM btc_transactions WHERE block_number IN (4, 10)`)
    const statements = [...listsOf('BTC').enrich, ...listsOf('BTC').index].map((group) => group.filter(({ writes }) => ['btc_flows', 'address_transfers', 'address_segments'].includes(writes)))
    await runStatements(statements, { ...bitcoinBatch(1, 10, 0), hash: 'x' }, bitcoinContext(store))
  })
  after(() => service.stop())

  it('goes back satoshi by satoshi, to where they were mined', async () => {
    assert.equal(bitcoinScriptType(t), 'pubkeyhash')
    const found = await trail(t)
    balanced(found)
    assert.deepEqual(found.traced, [{ token: nobody, amount: '50', value_usd: null }])
    assert.deepEqual(found.trail.map(short).sort(), [
      [1, p, t, '50', '30', '50', null], [1, q, t, '0', '20', '50', null], [2, m, p, '50', '30', '50', null], [2, m, q, '0', '20', '50', null], [3, nobody, m, '50', '50', '50', 'coinbase'],
    ].sort())
  })

  it('of a token that is not the coin is refused: there is none on Bitcoin, and all the coins would pass for it', async () => {
    const whole = await trail(t)
    assert.deepEqual((await trail(t, `&token=${nobody}`)).trail, whole.trail)
    for (const [form, chain] of [['', 'BTC'], ['/graph', 'ALL'], ['/graphml', 'BTC']] as const) {
      const { status, body } = await service.call(`GET /v1/wallets/trail/${t}${form}?chain=${chain}&token=0x${'a1'.repeat(20)}`)
      assert.deepEqual([status, body.error?.code, body.error?.details?.[0].loc], [422, 'VALIDATION_ERROR', ['query', 'token']], form)
    }
  })

  it('goes on, to what is held and what miners kept', async () => {
    const found = await trail(m, '&direction=destination')
    balanced(found)
    const first = found.trail.filter(({ hop }: any) => hop === 1).map(short)
    assert.deepEqual(first, [[1, m, p, '60', '60', '100', null], [1, m, q, '39', '39', '100', null], [1, m, nobody, '1', '1', '100', 'fee']])
    const second = found.trail.filter(({ hop }: any) => hop === 2).map(short).sort()
    assert.deepEqual(second, [[2, p, t, '50', '30', '100', null], [2, p, p, '10', '27', '100', null], [2, p, nobody, '0', '3', '100', 'fee'], [2, q, t, '0', '19', '100', null], [2, q, p, '35', '18', '100', null], [2, q, nobody, '4', '2', '100', 'fee']].sort())
    assert.ok(found.trail.some((step: any) => step.hop === 3 && step.stopped_because === 'coinjoin' && step.from_address === t && step.fifo === '50'))
  })

  it('last in, first out: a transaction\'s outputs are filled from its last input on', async () => {
    const lifo = ({ hop, from_address: from, to_address: to, lifo: amount }: any) => [hop, from, to, amount]
    assert.deepEqual((await trail(t, '&limit=19')).trail.map(lifo).sort(), [[1, p, t, '11'], [1, q, t, '39'], [2, m, p, '11'], [2, m, q, '39'], [3, nobody, m, '50']].sort())
    const on = (await trail(m, '&direction=destination&limit=19')).trail.map(lifo).filter(([hop]: any) => hop < 3).sort()
    assert.deepEqual(on, [[1, m, p, '60'], [1, m, q, '39'], [1, m, nobody, '1'], [2, p, t, '11'], [2, p, p, '45'], [2, p, nobody, '4'], [2, q, t, '39'], [2, q, p, '0'], [2, q, nobody, '0']].sort())
  })

  it('is drawn with addresses as Bitcoin writes them', async () => {
    const { text } = await service.call(`GET /v1/wallets/trail/${t}/graphml?chain=BTC&hops=1`)
    for (const one of [t, p, q]) assert.ok(text.includes(`<node id="${one}">`), text)
    const { nodes, edges } = (await service.call(`GET /v1/wallets/trail/${t}/graph?chain=BTC&hops=1`)).body
    assert.deepEqual([nodes.map(({ id }: any) => id).sort(), edges.length], [[t, p, q].sort(), 2])
  })

  it('is drawn with one node for all that has no address, which is a CoinJoin only where it is nothing else', async () => {
    const drawn = async (address: string, direction: string): Promise<unknown> => {
      const { nodes, edges } = (await service.call(`GET /v1/wallets/trail/${address}/graph?chain=BTC&direction=${direction}`)).body
      const ends = edges.filter(({ source, target }: any) => [source, target].includes(nobody)).map((edge: any) => edge.stopped_because)
      return nodes.filter(({ id }: any) => id === nobody).map((node: any) => [node.label, node.classification, node.stopped_because, ends])
    }
    assert.deepEqual(await drawn(k, 'destination'), [['', 'unknown', ['fee', 'coinjoin'], ['fee', 'coinjoin']]])
    assert.deepEqual(await drawn(l, 'destination'), [['CoinJoin (generic)', 'mixer', ['coinjoin'], ['coinjoin']]])
  })

  it('ends at a CoinJoin, and says so of what was mixed', async () => {
    const found = await trail(x)
    balanced(found)
    assert.deepEqual(found.trail.map((step: any) => [...short(step), step.classification]), [[1, nobody, x, '50', '50', '50', 'coinjoin', 'mixer']])
  })

  it('a CoinJoin weighs as much as its detector is sure', async () => {
    await service.store.execute('ALTER TABLE address_transfers UPDATE value_usd = 1000 WHERE block_number = 4 SETTINGS mutations_sync = 2')
    for (const [address, direction] of [[x, 'source'], [t, 'destination']] as const) {
      const { exposure } = (await service.call(`GET /v1/wallets/compliance/${address}?chain=BTC`)).body
      const found = exposure.filter((one: any) => one.classification === 'mixer' && one.direction === direction)
      assert.deepEqual(found.map((one: any) => [one.confidence, one.share, Math.round(100 * one.contribution)]), [[70, 1, 49]], direction)
    }
  })

  it('goes through a script without an address, which has a name of its own', async () => {
    const back = await trail(w)
    balanced(back)
    assert.deepEqual(back.trail.slice(0, 2).map(short), [[1, bare, w, '38', '38', '38', null], [2, z, bare, '38', '38', '38', null]])
    const on = await trail(z, '&direction=destination')
    balanced(on)
    assert.deepEqual(on.trail.map(short).filter(([hop]: any) => hop < 3), [[1, z, bare, '39', '39', '40', null], [1, z, nobody, '1', '1', '40', 'fee'], [2, bare, w, '38', '38', '40', 'held'], [2, bare, nobody, '1', '1', '40', 'fee']])
    assert.deepEqual((await trail(bare)).trail[0].from_address, z)
  })

  it('counts what is held among the ends, which add up to what went', async () => {
    await service.store.execute('ALTER TABLE address_transfers UPDATE value_usd = 4000 WHERE block_number = 6 SETTINGS mutations_sync = 2')
    const { origins } = await trail(z, '&direction=destination&limit=18')
    assert.deepEqual(origins.map((one: any) => [one.stopped_because, one.addresses, one.fifo_usd, one.lifo_usd, one.haircut_usd]).sort(), [['fee', 1, 200, 200, 200], ['held', 1, 3_800, 3_800, 3_800]])
  })

  it('guesses nothing where an input is not known: poison alone goes on', async () => {
    const found = await trail(y)
    balanced(found)
    const first = found.trail.filter(({ hop }: any) => hop === 1).map(short).sort()
    assert.deepEqual(first, [[1, nobody, y, null, null, '10', 'unresolved'], [1, p, y, null, null, '10', null]].sort())
    assert.deepEqual([found.checks[0].fifo.unknown, found.checks[0].haircut.unknown], ['10', '10'])
    assert.ok(found.trail.some((step: any) => step.stopped_because === 'coinbase' && step.poison === '10' && step.fifo === null))
  })

  it('a coin in which a trail ends is told whole, by however many ways it was reached and whatever is known of them', async () => {
    const ends = async (address: string, query: string): Promise<unknown> => (await trail(address, query)).trail.filter(({ stopped_because: end }: any) => ['coinbase', 'coinjoin', 'unresolved'].includes(end)).map((step: any) => [step.hop, step.stopped_because, step.amount, step.largest, step.transfers, step.haircut])
    assert.deepEqual(await ends(t, '&limit=17'), [[3, 'coinbase', '100', '100', 1, '50']])
    assert.deepEqual(await ends(y, '&limit=17'), [[1, 'unresolved', '10', '10', 1, null], [4, 'coinbase', '100', '100', 1, null]])
    assert.deepEqual(await ends(q, '&direction=destination&limit=17'), [[2, 'coinjoin', '50', '50', 1, '19'], [2, 'unresolved', '45', '45', 1, null]])
  })

  it('ends where what the node told of an input is not indexed, and makes up no time for it', async () => {
    for (const since of ['', '&since=2019-01-01T00:00:00Z']) {
      const found = await trail(n, since)
      balanced(found)
      assert.deepEqual(found.trail.map((step: any) => [step.hop, step.gap, step.first_seen, step.last_seen]), [[1, null, '2019-01-01T01:20:00.000Z', '2019-01-01T01:20:00.000Z'], [2, 'unresolved', null, null]], since)
    }
    const { text } = await service.call(`GET /v1/wallets/trail/${n}/graphml?chain=BTC`)
    assert.ok(!text.includes('1970'), text)
  })
})
