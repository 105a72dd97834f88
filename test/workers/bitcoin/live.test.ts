import assert from 'node:assert/strict'
import { z } from 'zod'
import { openStore, type Store } from '../../../schemas/clickhouse.js'
import { bitcoinId } from '../../../schemas/bitcoin.js'
import { litecoinRegtest, meet, part, startLitecoin, type Litecoin } from '../../../scripts/simulate/litecoin.js'
import { openWorkers, type Workers } from '../../../scripts/simulate/world.js'
import { runClusters, type Holder } from '../../../stages/clusters/runClusters.js'
import { stateDigest } from '../../../stages/digest/digest.js'
import { startService, type Service } from '../../api/support/service.js'
import { clusterState } from '../../support/clusters.js'
import { ending } from '../../support/endings.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../../support/pipeline.js'

const Row = z.object({ number: z.coerce.number(), hash: z.string() })
const Payment = z.object({ value: z.string(), script_type: z.string() })
const Sums = z.object({ hash: z.string(), spent: z.string(), paid: z.string(), fee: z.string() })
const Count = z.object({ count: z.coerce.number() })

describe('Bitcoin on a real node of its family', function () {
  this.timeout(300_000)
  let a: Litecoin, b: Litecoin, workers: Workers
  let environment: Record<string, string>
  let pipeline: Pipeline | undefined, service: Service | undefined
  before(async () => {
    a = await startLitecoin()
    b = await startLitecoin()
    // Clusters are run by hand: when they look changes nothing of what they lead to.
    environment = await pipelineEnvironment({ BTC_RPC_URL: a.url, BTC_GENESIS: litecoinRegtest, BTC_CHECK_WORK: 'false', BTC_START_BLOCK: '1', BTC_FINALITY: '6', BTC_MAX_BATCH: '128', BTC_POLL_MS: '50', CLUSTERS_EVERY_SECONDS: '0' })
    await meet(a, b)
  })
  after(ending(() => service, () => workers, () => pipeline, () => a, () => b))

  const tip = async (): Promise<{ number: number; hash: string }> => ({ number: await a.rpc<number>('getblockcount'), hash: `0x${await a.best()}` })
  const running = (): Pipeline => { assert.ok(pipeline); return pipeline }
  const settle = async (): Promise<void> => { await settled(running().store, 'BTC', await tip(), 1, 120) }
  const stop = async (): Promise<void> => { const ended = pipeline; pipeline = undefined; await ended?.stop() }
  const stored = () => running().store.query('SELECT block_number AS number, lower(hex(block_hash)) AS hash FROM btc_blocks WHERE chain = \'BTC\' ORDER BY number', {}, Row)
  const onNode = async (): Promise<{ number: number; hash: string }[]> => {
    const found: { number: number; hash: string }[] = [], top = await a.rpc<number>('getblockcount')
    // One after the other: a node has room for few calls at once.
    for (let number = 1; number <= top; number += 1) found.push({ number, hash: await a.rpc<string>('getblockhash', number) })
    return found
  }
  const payments = (txid: string) => running().store.query('SELECT toString(value) AS value, script_type FROM btc_outputs WHERE chain = \'BTC\' AND txid = unhex({txid:String}) ORDER BY vout', { txid }, Payment)
  const get = async (path: string): Promise<any> => { const { status, body, text } = await service?.call(`GET /v1/${path}`) ?? assert.fail(); assert.equal(status, 200, text); return body }
  /** What the API knows of the chain is up to a second old. */
  const inFeed = (txid: string, wanted: boolean): Promise<void> => until(async () => (await get('feed/btc/recent?min_btc=0&limit=200')).some((row: any) => row.tx_hash === txid) === wanted, `${txid} is ${wanted ? 'not ' : ''}in the feed`, 20)
  const cluster = async (store: Store): Promise<void> => { for (const holder: Holder = { memory: null }; await runClusters(store, 'BTC', holder) !== null;); }

  it('is followed from its first block through all five stages', async () => {
    await a.mine(106)
    pipeline = await startPipeline(environment)
    await settle()
    assert.deepEqual(await stored(), await onNode())
  })

  it('payments of a wallet arrive with their amounts; what goes in comes out, or is the fee the node says', async () => {
    const address = await b.rpc<string>('getnewaddress')
    const [first, second] = [await a.rpc<string>('sendtoaddress', address, 1.5), await a.rpc<string>('sendtoaddress', address, 0.12345678)]
    await a.mine(1)
    await settle()
    for (const [txid, value] of [[first, '150000000'], [second, '12345678']] as const) {
      assert.ok((await payments(txid)).some((output) => output.value === value && output.script_type === 'witness_v0_keyhash'), `${value} of ${txid}`)
      const [sums] = await running().store.query(
        'SELECT lower(hex(txid)) AS hash, toString(input_value) AS spent, toString(output_value) AS paid, toString(fee) AS fee FROM btc_transactions WHERE chain = \'BTC\' AND txid = unhex({txid:String})', { txid }, Sums)
      const { fee } = await a.rpc<{ fee: number }>('gettransaction', txid)
      assert.ok(sums)
      assert.equal(BigInt(sums.spent) - BigInt(sums.paid), BigInt(sums.fee))
      assert.equal(sums.fee, String(BigInt((-fee).toFixed(8).replace('.', ''))))
    }
    const [moved] = await running().store.query('SELECT count() AS count FROM transfers WHERE chain = \'BTC\' AND to_address = unhex({id:String})', { id: bitcoinId(address).slice(2) }, Count)
    assert.equal(moved?.count, 2)
  })

  it('the API answers with what was followed: flows, an owner\'s addresses, its balance, and where it came from', async () => {
    const [one, two] = [await b.rpc<string>('getnewaddress'), await b.rpc<string>('getnewaddress')]
    for (const [address, coins] of [[one, 2], [two, 1]] as const) await a.rpc('sendtoaddress', address, coins)
    await a.mine(1)
    await meet(a, b)
    // All that the wallet has, in one transaction without change.
    const [all, target] = [await b.rpc<number>('getbalance'), await b.rpc<string>('getnewaddress')]
    const swept = await b.rpc<string>('sendtoaddress', target, all, '', '', true)
    await b.mine(2)
    await meet(a, b)
    await settle()
    await cluster(running().store)
    const told = await b.rpc<{ fee: number; confirmations: number; blockhash: string }>('gettransaction', swept)
    const sats = (coins: number): bigint => BigInt(coins.toFixed(8).replace('.', '')), fee = sats(-told.fee), got = String(sats(all) - fee)
    service = await startService({ CLICKHOUSE_DATABASE: environment['CLICKHOUSE_DATABASE'] ?? '', BTC_GENESIS: litecoinRegtest })

    const flow = (await get('feed/btc/recent?min_btc=0&limit=200')).find((row: any) => row.tx_hash === swept)
    assert.deepEqual([flow.flow, flow.net_transfer_sats, flow.fee_sats, flow.inputs, flow.inputs_unresolved, flow.outputs, flow.to_address], ['transfer', got, String(fee), 4, 0, 1, target])
    assert.deepEqual([flow.block_hash, flow.confirmations, told.confirmations], [told.blockhash, 2, 2], 'as the node counts them')

    const group = await get(`btc/clusters/${one}`)
    const owned = group.members.map((member: any) => member.address)
    assert.deepEqual([group.size, owned.length, owned.includes(one), owned.includes(two), flow.from_cluster], [3, 3, true, true, group.cluster])
    assert.equal((await get(`btc/clusters/${target}`)).cluster, null, 'it has spent nothing yet')

    const [paid, spent] = [await get(`wallets/${target}?chain=BTC`), await get(`wallets/${one}?chain=BTC`)]
    assert.deepEqual([paid.profile.transfers_in, paid.profile.transfers_out, paid.balances[0].net_amount], [1, 0, got])
    assert.deepEqual([spent.profile.transfers_in, spent.profile.transfers_out, spent.balances[0].net_amount], [1, 1, '0'])

    const back = await get(`wallets/trail/${target}?chain=BTC&hops=3`), on = await get(`wallets/trail/${one}?chain=BTC&hops=2&direction=destination`)
    for (const check of [...back.checks, ...on.checks]) assert.deepEqual([check.fifo.difference, check.lifo.difference, check.haircut.difference], ['0', '0', '0'], JSON.stringify(check))
    const first = back.trail.filter((step: any) => step.hop === 1)
    assert.deepEqual([first.map((step: any) => step.from_address).sort(), String(first.reduce((sum: bigint, step: any) => sum + BigInt(step.fifo), 0n))], [[...owned].sort(), got])
    assert.ok(back.trail.some((step: any) => step.stopped_because === 'coinbase'), 'it was mined by the other node')
    assert.ok(on.trail.some((step: any) => step.hop === 1 && step.from_address === one && step.to_address === target))
    assert.equal((await get(`blocks/BTC/${(await tip()).number}`)).block.hash, await a.best())
  })

  it('the longer of two chains wins: the blocks of the other go, its payments come again', async () => {
    await meet(a, b)
    await part(a, b)
    const txid = await a.rpc<string>('sendtoaddress', await a.rpc<string>('getnewaddress'), 3)
    const orphans = await a.mine(2)
    await settle()
    assert.equal((await payments(txid)).length > 0, true)
    await inFeed(txid, true)
    await cluster(running().store)
    await b.mine(4)
    await meet(a, b)
    await settle()
    assert.deepEqual(await stored(), await onNode())
    assert.deepEqual(await payments(txid), [])
    await inFeed(txid, false)
    for (const table of ['raw_payloads', 'blocks', 'btc_blocks', 'btc_transactions', 'btc_outputs', 'btc_inputs', 'transfers']) {
      const [left] = await running().store.query('SELECT count() AS count FROM {table:Identifier} WHERE chain = \'BTC\' AND block_hash IN (SELECT unhex(arrayJoin({orphans:Array(String)})))', { table, orphans }, Count)
      assert.equal(left?.count, 0, table)
    }
    await a.mine(1)
    await settle()
    assert.equal((await payments(txid)).length > 0, true)
    await inFeed(txid, true)
  })

  it('workers and node killed in the middle of it, and a run without any of that, end in the same state', async () => {
    await stop()
    workers = await openWorkers(environment, 2, 7, 0.002)
    const store = openStore(environment['CLICKHOUSE_URL'] ?? '', environment['CLICKHOUSE_DATABASE'] ?? '')
    const seen = async (): Promise<void> => { const { hash } = await tip(); await until(async () => (await store.query('SELECT count() AS count FROM heads WHERE chain = \'BTC\' AND hash = {hash:String}', { hash }, Count))[0]?.count !== 0, `${hash} is not seen`, 120) }
    try {
      const round = async (): Promise<void> => {
        await a.rpc('sendtoaddress', await b.rpc<string>('getnewaddress'), 0.5)
        await a.mine(2)
        await seen()
      }
      await round()
      await workers.restart(0.002)
      await round()
      // Only from the same block on is one of them the longer.
      await meet(a, b)
      await part(a, b)
      await a.mine(1)
      await seen()
      await b.mine(3)
      await meet(a, b)
      await seen()
      await round()
      // Killed, it forgets what it had not written: the chain goes on from what the other has.
      await a.restart()
      await b.mine(1)
      await meet(a, b)
      await round()
      await settled(store, 'BTC', await tip(), 1, 120)
      await workers.stop()
      // Once more without deaths: what late writers left is swept, what was lost is done. It ends after its first look at the least.
      pipeline = await startPipeline(environment)
      await settle()
      await stop()
      const { number } = await tip()
      await cluster(store)
      const faulty = await stateDigest(store, 'BTC', number), grouped = await clusterState(store)
      // All but the newest block in as few batches as can be: how it was cut must not show.
      pipeline = await startPipeline({ ...await pipelineEnvironment({}), ...Object.fromEntries(Object.entries(environment).filter(([name]) => /^BTC_|^CLUSTERS_/.test(name))), BTC_FINALITY: '1' })
      await settle()
      await cluster(running().store)
      const clean = await stateDigest(running().store, 'BTC', number)
      assert.deepEqual(faulty.parts, clean.parts)
      assert.deepEqual(grouped, await clusterState(running().store))
      for (const table of ['btc_outputs', 'btc_inputs', 'transfers', 'address_transfers', 'address_hours']) assert.ok(clean.parts.some((one) => one.table === table && one.rows > 0), `${table} is part of the state`)
    } finally { await store.close() }
  })
})
