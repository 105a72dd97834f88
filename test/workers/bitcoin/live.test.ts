import assert from 'node:assert/strict'
import { z } from 'zod'
import { openStore } from '../../../schemas/clickhouse.js'
import { bitcoinId } from '../../../schemas/bitcoin.js'
import { litecoinRegtest, startLitecoin, type Litecoin } from '../../../scripts/simulate/litecoin.js'
import { openWorkers } from '../../../scripts/simulate/world.js'
import { stateDigest } from '../../../stages/digest/digest.js'
import { pipelineEnvironment, settled, startPipeline, until, type Pipeline } from '../../support/pipeline.js'

const Row = z.object({ number: z.coerce.number(), hash: z.string() })
const Payment = z.object({ value: z.string(), script_type: z.string() })
const Sums = z.object({ hash: z.string(), spent: z.string(), paid: z.string(), fee: z.string() })
const Count = z.object({ count: z.coerce.number() })

describe('Bitcoin on a real node of its family', function () {
  this.timeout(300_000)
  let [a, b] = [] as unknown as [Litecoin, Litecoin]
  let environment: Record<string, string>
  let pipeline: Pipeline | undefined
  before(async () => {
    [a, b] = [await startLitecoin(), await startLitecoin()]
    environment = await pipelineEnvironment({ BTC_RPC_URL: a.url, BTC_GENESIS: litecoinRegtest, BTC_CHECK_WORK: 'false', BTC_START_BLOCK: '1', BTC_FINALITY: '8', BTC_POLL_MS: '50' })
    await meet()
  })
  after(async () => { await pipeline?.stop(); for (const node of [a, b] as (Litecoin | undefined)[]) await node?.stop() })

  const best = (node: Litecoin): Promise<string> => node.rpc<string>('getbestblockhash')
  const meet = async (): Promise<void> => {
    // One try may come to nothing: the other node may still hold the connection that has just ended.
    await until(async () => {
      if (await a.rpc<number>('getconnectioncount') === 0) await a.rpc('addnode', `127.0.0.1:${b.port}`, 'onetry')
      return await best(a) === await best(b)
    }, 'the nodes do not come together')
  }
  const part = async (): Promise<void> => {
    await a.rpc('disconnectnode', `127.0.0.1:${b.port}`)
    await until(async () => await a.rpc<number>('getconnectioncount') + await b.rpc<number>('getconnectioncount') === 0, 'the nodes stay together')
  }
  const tip = async (): Promise<{ number: number; hash: string }> => ({ number: await a.rpc<number>('getblockcount'), hash: `0x${await best(a)}` })
  const settle = async (): Promise<void> => { assert.ok(pipeline); await settled(pipeline.store, 'BTC', await tip(), 1, 120) }
  const running = (): Pipeline => { assert.ok(pipeline); return pipeline }
  const stored = () => running().store.query('SELECT block_number AS number, lower(hex(block_hash)) AS hash FROM btc_blocks WHERE chain = \'BTC\' ORDER BY number', {}, Row)
  const onNode = async (): Promise<{ number: number; hash: string }[]> => {
    const found: { number: number; hash: string }[] = [], top = await a.rpc<number>('getblockcount')
    // One after the other: a node has room for few calls at once.
    for (let number = 1; number <= top; number += 1) found.push({ number, hash: await a.rpc<string>('getblockhash', number) })
    return found
  }
  const payments = (txid: string) => running().store.query('SELECT toString(value) AS value, script_type FROM btc_outputs WHERE chain = \'BTC\' AND txid = unhex({txid:String}) ORDER BY vout', { txid }, Payment)

  it('is followed from its first block through all five stages', async () => {
    await a.mine(110)
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

  it('the longer of two chains wins: the blocks of the other go, its payments come again', async () => {
    await meet()
    await part()
    const txid = await a.rpc<string>('sendtoaddress', await a.rpc<string>('getnewaddress'), 3)
    const orphans = await a.mine(2)
    await settle()
    assert.equal((await payments(txid)).length > 0, true)
    await b.mine(4)
    await meet()
    await settle()
    assert.deepEqual(await stored(), await onNode())
    assert.deepEqual(await payments(txid), [])
    for (const table of ['raw_payloads', 'blocks', 'btc_blocks', 'btc_transactions', 'btc_outputs', 'btc_inputs', 'movements', 'transfers']) {
      const [left] = await running().store.query('SELECT count() AS count FROM {table:Identifier} WHERE chain = \'BTC\' AND block_hash IN (SELECT unhex(arrayJoin({orphans:Array(String)})))', { table, orphans }, Count)
      assert.equal(left?.count, 0, table)
    }
    await a.mine(1)
    await settle()
    assert.equal((await payments(txid)).length > 0, true)
  })

  it('workers and node killed in the middle of it, and a run without any of that, end in the same state', async () => {
    await pipeline?.stop()
    pipeline = undefined
    const workers = await openWorkers(environment, 2, 7, 0.01)
    try {
      for (let round = 0; round < 4; round += 1) {
        await a.rpc('sendtoaddress', await b.rpc<string>('getnewaddress'), 0.5)
        await a.mine(2)
        if (round === 1) { await part(); const [left] = [await a.mine(1)]; await b.mine(3); assert.ok(left); await meet() }
        if (round === 2) { await a.restart(); await meet() }
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
      const store = openStore(environment['CLICKHOUSE_URL'] ?? '', environment['CLICKHOUSE_DATABASE'] ?? '')
      await settled(store, 'BTC', await tip(), 1, 120)
      await store.close()
    } finally { await workers.stop() }
    // Once more without deaths: what late writers left is swept, what was lost is done.
    pipeline = await startPipeline(environment)
    await settle()
    const { number } = await tip()
    const faulty = await stateDigest(pipeline.store, 'BTC', number)
    await pipeline.stop()
    pipeline = await startPipeline({ ...await pipelineEnvironment({}), ...Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('BTC_'))) })
    await settle()
    const clean = await stateDigest(pipeline.store, 'BTC', number)
    assert.deepEqual(faulty.parts, clean.parts)
    assert.ok(clean.parts.some(({ table, rows }) => table === 'btc_outputs' && Number(rows) > 100), 'Bitcoin\'s own tables are part of the state')
  })
})
