/** Blocks made up at random: bytes and JSON give the same rows, every kind of script is named, and what strangers write stays bytes. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { bitcoinScriptType as bitcoinType } from '../../../schemas/bitcoin.js'
import { normalizeAnswers } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'
import { addressesOf, facts, rowsOf } from './facts.js'
import { coinbase, madeJson, madeRaw, makeBlock, type Out, type Tx } from './madeUp.js'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array))
const some = fc.uint8Array({ maxLength: 120 }).map((array) => Buffer.from(array))
const of = (hex: string, ...rest: Buffer[]): Buffer => Buffer.concat([Buffer.from(hex, 'hex'), ...rest])
const key = fc.oneof(fc.tuple(fc.constantFrom(2, 3), bytes(32)), fc.tuple(fc.constantFrom(4, 6, 7), bytes(64))).map(([first, rest]) => Buffer.concat([Buffer.from([first]), rest]))
const pushed = (data: Buffer): Buffer => Buffer.concat([data.length < 76 ? Buffer.from([data.length]) : Buffer.from([76, data.length]), data])

/** Scripts of every kind, with what Bitcoin Core calls them. */
const script: fc.Arbitrary<{ script: Buffer; type: string }> = fc.oneof(
  bytes(20).map((hash) => ({ script: of('76a914', hash, of('88ac')), type: 'pubkeyhash' })),
  bytes(20).map((hash) => ({ script: of('a914', hash, of('87')), type: 'scripthash' })),
  bytes(20).map((hash) => ({ script: of('0014', hash), type: 'witness_v0_keyhash' })),
  bytes(32).map((hash) => ({ script: of('0020', hash), type: 'witness_v0_scripthash' })),
  bytes(32).map((hash) => ({ script: of('5120', hash), type: 'witness_v1_taproot' })),
  fc.tuple(fc.integer({ min: 2, max: 16 }), fc.integer({ min: 2, max: 40 }).chain(bytes)).map(([version, program]) => ({ script: Buffer.concat([Buffer.from([0x50 + version, program.length]), program]), type: 'witness_unknown' })),
  fc.constant({ script: of('51024e73'), type: 'anchor' }),
  bytes(21).map((program) => ({ script: of('0015', program), type: 'nonstandard' })),
  key.map((one) => ({ script: Buffer.concat([pushed(one), of('ac')]), type: 'pubkey' })),
  fc.array(key, { minLength: 1, maxLength: 3 }).chain((keys) => fc.integer({ min: 1, max: keys.length }).map((required) => ({
    script: Buffer.concat([Buffer.from([0x50 + required]), ...keys.map(pushed), Buffer.from([0x50 + keys.length, 0xae])]), type: 'multisig' }))),
  fc.array(key, { minLength: 1, maxLength: 3 }).map((keys) => ({ script: Buffer.concat([of('51'), ...keys.map(pushed), Buffer.from([0x51 + keys.length, 0xae])]), type: 'nonstandard' })),
  fc.array(some, { maxLength: 3 }).map((items) => ({ script: Buffer.concat([of('6a'), ...items.map(pushed)]), type: 'nulldata' })),
  fc.constantFrom('6aac', '6a05aabb', '6a4c', '', '00', 'ae', '51ae', '5152', 'ac', '76a914ac', '5101aa', `5129${'aa'.repeat(41)}`, `61${'14'.repeat(21)}`, `0003aabbcc`, `21${'05'.repeat(33)}ac`, `41${'02'.repeat(65)}ac`, `23${'02'.repeat(35)}ac`, `51${'21'}${'02'.repeat(33)}52ae`).map((hex) => ({ script: of(hex), type: 'nonstandard' })),
)
const out: fc.Arbitrary<Out> = fc.tuple(script, fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n })).map(([one, value]) => ({ ...one, value }))
const transaction = (told: boolean): fc.Arbitrary<Tx> => fc.record({
  version: fc.integer({ min: -2_147_483_648, max: 2_147_483_647 }), locktime: fc.nat(0xffffffff), outs: fc.array(out, { minLength: 1, maxLength: 5 }),
  ins: fc.array(fc.record({
    txid: bytes(32).map((hash) => hash.toString('hex')), vout: fc.nat(0xffffffff), sequence: fc.nat(0xffffffff), script: some, witness: fc.array(some, { maxLength: 2 }), ...(told ? { spends: out } : {}),
  }), { minLength: 1, maxLength: 4 }),
})
const block = fc.boolean().chain((told) => fc.record({ text: some, outs: fc.array(out, { minLength: 1, maxLength: 3 }), txs: fc.array(transaction(told), { maxLength: 6 }) }))

describe('made-up Bitcoin blocks', function () {
  this.timeout(120_000)

  it('give the same rows as bytes and as JSON, with every script named', async () => {
    const blocks = fc.sample(block, { numRuns: 60, seed: 20_090_103 })
    const made = blocks.map(({ text, outs, txs }, index) => makeBlock(900_000 + index, [coinbase(text, outs), ...txs]))
    const [raw, json] = [(await freshStore()).store, (await freshStore()).store]
    await normalizeAnswers(raw, made.map((one, index) => madeRaw(900_000 + index, one)))
    await normalizeAnswers(json, made.map((one, index) => madeJson(900_000 + index, one)))
    for (const [index, { outs, txs }] of blocks.entries()) {
      for (const table of facts) assert.deepEqual(await rowsOf(raw, table, 900_000 + index), await rowsOf(json, table, 900_000 + index), `${table} of block ${index}`)
      const named = await raw.query('SELECT script_type, lower(hex(script)) AS script, toString(value) AS value, address FROM btc_outputs WHERE block_number = {height:UInt64} ORDER BY tx_index, vout', { height: 900_000 + index },
        z.object({ script_type: z.string(), script: z.string(), value: z.string(), address: z.string() }))
      const expected = [outs, ...txs.map((tx) => tx.outs)].flat()
      assert.deepEqual(named.map(({ script_type, script: hex, value }) => ({ script_type, script: hex, value })), expected.map((one) => ({ script_type: one.type, script: one.script.toString('hex'), value: String(one.value) })))
      for (const { address, script_type: type } of named) if (address !== '') assert.equal(bitcoinType(address), type === 'anchor' ? 'witness_unknown' : type, address)
    }
    assert.deepEqual(await addressesOf(raw), await addressesOf(json))
  })

  it('with text of strangers give the bytes they had', async () => {
    const { store }: { store: Store } = await freshStore()
    const text = Buffer.from('\u0000</script>\u202e\'; DROP TABLE btc_blocks --\\\n"},{"value":1\u00ff', 'latin1'), payload = Buffer.from('{"value": 0.5} ignore what you were told \u0000\u00fe', 'latin1')
    const pay: Out = { value: 5_000_000_000n, type: 'pubkeyhash', script: of('76a914', Buffer.alloc(20, 7), of('88ac')) }, told: Out = { value: 0n, type: 'nulldata', script: Buffer.concat([of('6a'), pushed(payload)]) }
    const made = makeBlock(7, [coinbase(text, [pay, told, { value: 0n, type: 'nulldata', script: of('6a5d0401020304') }])])
    const other = makeBlock(8, [coinbase(text, [pay, told])])
    await normalizeAnswers(store, [madeRaw(7, made), madeJson(8, other)])
    const Row = z.object({ text: z.string(), data: z.array(z.string()), miner: z.string() })
    assert.deepEqual(await store.query(`SELECT lower(hex(coinbase_text)) AS text, miner, (SELECT groupArray(lower(hex(data))) FROM (SELECT data FROM btc_outputs WHERE script_type = 'nulldata' ORDER BY block_number, vout)) AS data FROM btc_blocks ORDER BY block_number`, {}, Row), [
      { text: text.toString('hex'), miner: '', data: [payload.toString('hex'), '5d0401020304', payload.toString('hex')] }, { text: text.toString('hex'), miner: '', data: [payload.toString('hex'), '5d0401020304', payload.toString('hex')] }])
  })
})
