/** What a batch writes depends on its blocks alone: not on its bounds, on retries, on second copies of an answer or on other generations. */
import assert from 'node:assert/strict'
import { insertAnswers, insertRaw, recordedAnswers } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { agentsUri, feedback, metadata, registered } from './agentLogs.js'
import { address, emitted, madeUpBlock } from './madeUp.js'
import { normalize, rowsOf, tables, type Table } from './normalized.js'

const everything = async (store: Store, from: number, to = from) => {
  const rows: Record<string, Record<string, string>[]> = {}
  for (const table of Object.keys(tables) as Table[]) rows[table] = await rowsOf(store, table, from, to)
  return rows
}

describe('a batch of blocks', function () {
  this.timeout(60_000)
  const first = 50_000_000
  const recordedHeights = [12914944, 13998626, 18000000, 22431084]

  it('gives the same rows in one batch, in five, and after retries and second copies', async () => {
    const one = (await freshStore()).store
    const single = (await freshStore()).store
    for (const [index, height] of recordedHeights.entries()) {
      await insertAnswers(one, recordedAnswers(height, first + index))
      await insertAnswers(single, recordedAnswers(height, first + index))
      await insertAnswers(single, recordedAnswers(height, first + index))
    }
    // No recorded block is as young as the registries of agents.
    const agents = madeUpBlock(first + 4, [registered(7n, agentsUri, address('a1')), metadata(7n, 'agentWallet', address('a1')), feedback(7n, address('c3'), 1n, -95n, 2)])
    for (const store of [one, single, single]) await insertAnswers(store, agents)
    await normalize(one, first, first + 4)
    for (const index of [4, 2, 0, 3, 1]) await normalize(single, first + index, first + index, 1, `batch-${index}`)
    for (const index of [1, 2, 4]) await normalize(single, first + index, first + index, 1, `batch-${index}`)
    const rows = await everything(one, first, first + 4)
    assert.deepEqual(await everything(single, first, first + 4), rows)
    for (const [table, found] of Object.entries(rows)) assert.ok(found.length > 0, `no row of ${table} was compared`)
  })

  it('reads the answers of its own generation only', async () => {
    const { store } = await freshStore()
    const transfer = emitted(address('aa'), 'event Transfer(address indexed from, address indexed to, uint256 value)', { from: address('11'), to: address('22'), value: 3n })
    await insertAnswers(store, madeUpBlock(first, [transfer], { value: '0x7' }), 1)
    await normalize(store, first, first, 1)
    await insertRaw(store, [13998626], 2)
    await insertAnswers(store, madeUpBlock(first, [transfer, transfer], { value: '0x9' }), 2)
    await normalize(store, first, first, 2)
    assert.deepEqual((await rowsOf(store, 'movements', first)).map((row) => [row['amount'], row['generation']]).sort(), [['3', '1'], ['3', '2'], ['3', '2'], ['7', '1'], ['9', '2']])
    assert.deepEqual((await rowsOf(store, 'blocks', first)).map((row) => [row['generation'], row['log_count']]).sort(), [['1', '1'], ['2', '2']])
    assert.deepEqual(await rowsOf(store, 'blocks', 13998626), [])
  })

  it('takes what old nodes leave out as unknown, and never as zero', async () => {
    const { store } = await freshStore()
    await insertAnswers(store, madeUpBlock(first, [], { value: '0x1a2', gasPrice: '0xabc', type: undefined }, { status: undefined, effectiveGasPrice: undefined }))
    await normalize(store, first, first)
    const [tx] = await rowsOf(store, 'transactions', first)
    assert.deepEqual([tx?.['status'], tx?.['gas_price'], tx?.['tx_type'], tx?.['max_fee_per_gas'], tx?.['blob_gas_used'], tx?.['value']], ['-', '2748', '0', '-', '-', '418'])
    const [block] = await rowsOf(store, 'blocks', first)
    assert.deepEqual([block?.['base_fee_per_gas'], block?.['excess_blob_gas'], block?.['withdrawal_count'], block?.['internal_complete']], ['-', '-', '0', 'false'])
    assert.deepEqual(await rowsOf(store, 'movements', first), [])
  })

  it('pays a new contract, and nobody where the transaction failed', async () => {
    const { store } = await freshStore()
    await insertAnswers(store, madeUpBlock(first, [], { value: '0x5', to: null }, { contractAddress: address('44') }))
    await insertAnswers(store, madeUpBlock(first + 1, [], { value: '0x5' }, { status: '0x0' }))
    await normalize(store, first, first + 1)
    const rows = await rowsOf(store, 'movements', first, first + 1)
    assert.deepEqual(rows.map((row) => [row['block_number'], row['kind'], row['to_address'], row['amount']]), [[String(first), 'native', '44'.repeat(20), '5']])
    assert.equal((await rowsOf(store, 'transactions', first))[0]?.['creates_contract'], 'true')
  })
})
