/** Logs a hostile contract can emit: what does not fit its event yields nothing, what fits is decoded as viem decodes it. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { concat, decodeAbiParameters, encodeAbiParameters, maxUint256, pad, size, slice, toHex, type Hex } from 'viem'
import { insertAnswers } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { address, madeUpBlock, topic, type MadeLog } from './madeUp.js'
import { normalize, rowsOf } from './normalized.js'

const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const single = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
const events: Record<string, readonly [topics: number, bytes: number]> = {
  [transfer]: [3, 32], [single]: [4, 64],
  '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c': [2, 32], '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65': [2, 32],
  '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822': [3, 128], '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67': [3, 160],
  '0x19b47279256b2a23a1665c810c8d55a1758940ee09377d4f8d26497a3577dc83': [3, 224], '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f': [3, 192],
  '0x8b3e96f2b889fa771c53c981b40daf005f63f637f1869f707052d15a3dd97140': [2, 128], '0x143f1f8e861fbdeddd5b46e844b7d3ac7b86a122f36e8c463859ee6811b1f29c': [2, 192],
  '0x908fb5ee8f16c6bc9bc3690973819f32a4d4b10188134543c88706e0e1d43378': [4, 64], '0x2170c741c41531aec20e7c107c24eecfdd15e69c9bb0a8dd37b1840b9e0b207b': [4, 64],
  '0x3b841dc9ab51e3104bda4f61b41e4271192d22cd19da5ee6e292dc8e2744f713': [1, 224], '0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17': [2, 288],
  '0xf5847d3f2197b16cdcd2098ec95d0905cd1abdaf415f07bb7cef2bba8ac5dec4': [2, 128],
}
const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
const people = [topic(address('aa')), topic(address('bb')), topic(address('cc'))]
const word = fc.oneof(fc.bigInt({ min: 0n, max: maxUint256 }), fc.constantFrom(0n, 1n, 32n, 64n, 1n << 255n, maxUint256, (1n << 64n) - 1n)).map((value) => pad(toHex(value), { size: 32 }))
const bytes = fc.array(word, { maxLength: 12 }).chain((words) => fc.nat(32).map((cut) => { const all = concat(words); return size(all) > cut ? slice(all, 0, size(all) - cut) : '0x' as Hex }))
const anyLog: fc.Arbitrary<MadeLog> = fc.record({
  address: fc.constantFrom(weth, address('dd'), '0xba12222222228d8ba445958a75a0704d566bf2c8', '0x000000000004444c5dc75cb358380d2e3de08a90'),
  topics: fc.tuple(fc.constantFrom(...Object.keys(events), batch), fc.array(word, { maxLength: 3 })).map(([first, rest]) => [first, ...rest]), data: bytes,
})

describe('logs that lie', function () {
  this.timeout(120_000)
  let store: Store
  let height = 30_000_000
  before(async () => { store = (await freshStore()).store })
  const decoded = async (logs: readonly MadeLog[]) => {
    height += 1
    await insertAnswers(store, madeUpBlock(height, logs))
    await normalize(store, height, height)
    return { movements: await rowsOf(store, 'movements', height), legs: await rowsOf(store, 'swap_legs', height), logs: await rowsOf(store, 'logs', height), pools: await rowsOf(store, 'pool_sightings', height) }
  }

  it('never fail a statement, and stay in the table of logs as they are', async () => {
    await fc.assert(fc.asyncProperty(fc.array(anyLog, { minLength: 200, maxLength: 400 }), async (logs) => {
      const rows = await decoded(logs)
      assert.deepEqual(rows.logs.map((log) => [log['topic_count'], log['data']]), logs.map((log) => [String(log.topics.length), log.data.slice(2)]))
    }), { numRuns: 6 })
  })

  it('yield nothing when a topic or a byte is missing or too many', async () => {
    const logs = Object.entries(events).flatMap(([event, [topics, length]]) => [[topics - 1, length], [topics + 1, length], [topics, length - 1], [topics, length - 32], [topics, length + 32], [topics, 0]].flatMap(([count = 0, bytes_ = 0]) =>
      (count < 1 || count > 4 || (event === transfer && count === 4 && bytes_ === 0) || (event.startsWith('0xf5847d3f') && bytes_ >= length) ? [] : [{ address: weth, topics: [event, ...people].slice(0, count), data: toHex(new Uint8Array(bytes_).fill(1)) }])))
    const rows = await decoded(logs)
    assert.ok(logs.length > 50)
    assert.deepEqual([rows.movements, rows.legs, rows.pools], [[], [], []])
  })

  it('yield nothing when an address has more than twenty bytes', async () => {
    const dirty = `0x01${'00'.repeat(11)}${'aa'.repeat(20)}`
    const rows = await decoded([
      { address: weth, topics: [transfer, dirty, people[0] ?? ''], data: topic('0x01') },
      { address: weth, topics: [transfer, people[0] ?? '', people[1] ?? '', dirty], data: '0x' },
      { address: weth, topics: [single, people[0] ?? '', dirty, people[1] ?? ''], data: concat([topic('0x01'), topic('0x01')]) },
    ])
    assert.deepEqual(rows.movements.map((row) => [row['kind'], row['token_id']]), [['erc721', String(BigInt(dirty))]])
  })

  it('believe in wrapping only where it is WETH that says so', async () => {
    const deposit = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c'
    const rows = await decoded([weth, address('dd')].map((emitter) => ({ address: emitter, topics: [deposit, people[0] ?? ''], data: topic('0x05') })))
    assert.deepEqual(rows.movements.map((row) => [row['kind'], row['position'], row['from_address'], row['to_address'], row['amount']]), [['wrap', '0', '0'.repeat(40), 'aa'.repeat(20), '5']])
  })

  it('in ERC-1155 batches: what viem decodes is decoded alike, arrays that overrun or differ are left out', async () => {
    const fine = fc.array(fc.tuple(fc.bigInt({ min: 0n, max: maxUint256 }), fc.bigInt({ min: 0n, max: maxUint256 })), { maxLength: 6 })
      .map((pairs) => encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [pairs.map(([id]) => id), pairs.map(([, amount]) => amount)]))
    // A word of a sound encoding overwritten: offsets and lengths that point elsewhere, ids and amounts that are still fine.
    const broken = fc.tuple(fine, fc.nat(15), word).map(([data, at, value]) => {
      const index = at % (size(data) / 32)
      return concat([...(index > 0 ? [slice(data, 0, index * 32)] : []), value, ...((index + 1) * 32 < size(data) ? [slice(data, (index + 1) * 32)] : [])])
    })
    await fc.assert(fc.asyncProperty(fc.array(fc.oneof(fine, broken), { minLength: 100, maxLength: 200 }), async (list) => {
      const { movements } = await decoded(list.map((data) => ({ address: address('dd'), topics: [batch, ...people], data })))
      const expected = list.flatMap((data, position) => {
        try {
          const [ids, amounts] = decodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], data)
          return ids.length === amounts.length ? ids.map((id, sub) => [position, sub, id, amounts[sub]].join()) : []
        } catch { return [] }
      })
      assert.deepEqual(movements.map((row) => [row['position'], row['sub'], row['token_id'], row['amount']].join()), expected)
    }), { numRuns: 4 })
  })
})
