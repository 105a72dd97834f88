/** Balances of Bitcoin are whole where the chain is stored from block 1 on without a gap and every input is resolved; elsewhere the reason is told. Without a price nothing has a value. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { balancesOf } from '../../api/operations/wallets/balance.js'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext, rawAnswer } from '../support/bitcoin.js'
import { addressOf, insertBlocks, txidOf, type Block } from '../support/btcLedger.js'
import { until } from '../support/pipeline.js'
import { passBitcoin } from './support/bitcoin.js'
import { startService, type Service } from './support/service.js'

const [miner, holder, other] = ['miner', 'holder', 'other'].map(addressOf) as [string, string, string]
const out = (address: string, value: number) => ({ address, value, type: 'pubkeyhash' })
const first: Block = { number: 1, txs: [{ coinbase: true, ins: [{ address: '', value: 0 }], outs: [out(miner, 5_000)] }] }
const second: Block = { number: 2, txs: [{ ins: [{ ...out(miner, 5_000), spends: { txid: txidOf(first, 0), vout: 0, block: 1 } }], outs: [out(holder, 3_000), out(miner, 1_900)] }] }
const third: Block = { number: 3, txs: [{ ins: [{ ...out(holder, 3_000), spends: { txid: txidOf(second, 0), vout: 0, block: 2 } }], outs: [out(other, 1_000), out(holder, 1_950)] }] }

describe('balances of Bitcoin', function () {
  this.timeout(120_000)
  let service: Service
  before(async () => {
    service = await startService()
    const { store } = service
    await insertBlocks(store, [first, second, third])
    await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
    const statements = [...listsOf('BTC').enrich, ...listsOf('BTC').index].map((group) => group.filter(({ writes }) => ['btc_flows', 'address_transfers', 'address_segments'].includes(writes)))
    await runStatements(statements, { ...bitcoinBatch(1, 3, 0), hash: 'x' }, bitcoinContext(store))
  })
  after(() => service.stop())
  const balance = async (address: string) => { const { balances: [one] } = (await service.call(`GET /v1/wallets/${address}`)).body; return [one.net_amount, one.complete, one.incomplete_because] }

  it('are whole from block 1 on', async () => {
    assert.deepEqual(await balance(miner), ['1900', true, null])
    assert.deepEqual(await balance(holder), ['1950', true, null])
  })

  it('are not where blocks are missing, or an input spends what is not known', async () => {
    const bounds = { chain: 'BTC', newest: 255, oldest: 1, blocks: 255, newest_time: '', untraced: 0, untraced_from: 0, untraced_to: 0, missing: 0, missing_from: 0, missing_to: 0, worked: 255, waiting: 0, unresolved: 0 }
    const row = { token: `0x${'00'.repeat(20)}`, token_symbol: 'BTC', token_decimals: 8, nft: false, transfers: 1, net_amount: '5', value_usd: null, rebasing: false }
    const said = (change: object, net = '5') => balancesOf([{ ...row, net_amount: net }], { ...bounds, ...change }).map((one) => [one.complete, one.incomplete_because])[0]
    assert.deepEqual([said({}), said({ unresolved: 1 }), said({ oldest: 2, blocks: 254 }), said({ blocks: 254 }), said({ missing: 1 }), said({}, '-1')],
      [[true, null], [false, 'inputs_unresolved'], [false, 'history_not_whole'], [false, 'history_not_whole'], [false, 'history_not_whole'], [false, 'less_than_nothing']])
    // On a chain of accounts the coin moves without transfers, and block 0 pays somebody.
    assert.deepEqual([said({ chain: 'ETH' }), said({ chain: 'ETH', oldest: 0, blocks: 256 })], [[false, 'history_not_whole'], [false, 'coin_moves_without_transfers']])
  })

  it('a recorded block far above leaves a gap; without wrapped bitcoin or an oracle nothing has a price', async () => {
    await passBitcoin(service.store, rawAnswer(574_200), 4)
    // What is indexed is looked at once a second.
    await until(async () => (await service.api.parts.services.coverage.view()).bounds.get('BTC')?.newest === 574_200, 'the block is not seen')
    assert.deepEqual(await balance(other), ['1000', false, 'history_not_whole'])
    const flows = (await service.call('GET /v1/feed/btc/recent')).body
    assert.ok(flows.length > 0 && flows.every(({ value_usd: usd, price_method: method }: any) => usd === null && method === 'unknown'))
    assert.deepEqual((await service.call('GET /v1/whales/recent?chain=BTC&min_usd=0')).body.whales, [])
    const [row] = await service.store.query("SELECT toFloat64(countIf(value_usd IS NOT NULL OR price_method != '')) AS priced, toFloat64(count()) AS moves FROM transfers WHERE chain = 'BTC'", {}, z.object({ priced: z.number(), moves: z.number() }))
    assert.deepEqual([row?.priced, (row?.moves ?? 0) > 100], [0, true])
  })

  it('the other form of an address is shown by what spends it, and known from its script', async () => {
    const cluster = async (address: string) => (await service.call(`GET /v1/btc/clusters/${address}`)).body.wrapped
    const wraps = await cluster('3PtAmosnWD18KNS2X3dLSCYArjJxKz4isR')
    assert.deepEqual({ ...wraps, address: '' }, { address: '', relation: 'wraps', name: 'p2sh_segwit', version: 1, confidence: 95, seen: wraps?.seen })
    assert.deepEqual(await cluster(wraps.address), { address: '3PtAmosnWD18KNS2X3dLSCYArjJxKz4isR', relation: 'wrapped_in', name: 'p2sh_segwit', version: 1, confidence: 95, seen: true })
    assert.equal(await cluster(miner), null)
  })
})
