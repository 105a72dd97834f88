/** JSON about a block is believed where its transactions are those that its header commits to: amounts and scripts with them. */
import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { recordedBitcoin, recordedBitcoinHeights } from '../../../scripts/replay-node/bitcoin/chain.js'
import { checkJson } from '../../../stages/ingest/bitcoin/checkJson.js'
import { coinbase, makeBlock, type Out } from '../../normalize/bitcoin/madeUp.js'
import { bare, old } from '../../normalize/bitcoin/olderJson.js'
import { freshStore } from '../../support/servers.js'
import { batchOf, landed, open, startNode, stopAll } from './support.js'

const chain = recordedBitcoin(), demand = { work: true, easiest: 0x1d00ffff, mweb: false }
const check = (height: number, text: string): string => checkJson(Buffer.from(`{"result":${text},"error":null,"id":1}`), { ...demand, hash: chain.hashOf(height) ?? '' }).problem
const textOf = (height: number): string => chain.json(height, 3)?.toString('utf8') ?? ''

describe('JSON about a block of Bitcoin', function () {
  this.timeout(60_000)
  afterEach(stopAll)

  it('is right as nodes of every age write it', () => {
    for (const height of recordedBitcoinHeights) assert.equal(check(height, textOf(height)), '', String(height))
    for (const write of [old, bare, (text: string) => text.replace(/"value":([0-9.eE+-]+)/g, '"value": "$1"'), (text: string) => text.replace(/"value":([0-9.]+)(?=[,}])/g, '"value" : $1e0')]) for (const height of [170, 277_647, 482_683]) assert.equal(check(height, write(textOf(height))), '', String(height))
    // Who leaves out what a spender shows cannot be checked so far.
    assert.equal(check(482_683, textOf(482_683).replace(/"scriptSig":\{[^}]*\},/g, '')), '')
  })

  it('with amounts of all sizes, versions below zero and many outputs is right', () => {
    const pay = (value: bigint): Out => ({ value, type: 'nonstandard', script: Buffer.alloc(300, 0x51) })
    const outs = [0n, 1n, 9_007_199_254_740_99n, 2_099_999_999_999_999n, 10_000_000n, ...Array.from({ length: 300 }, (_, index) => BigInt(index) * 7_777_777n)].map(pay)
    const made = makeBlock(5, [coinbase(Buffer.from([1, 5]), outs), ...[-1, -2_147_483_648, 2].map((version) => ({ version, locktime: 0xffffffff, outs, ins: [{ txid: 'ab'.repeat(32), vout: 0xffffffff, sequence: 0xfffffffe, script: Buffer.alloc(253, 1), witness: [Buffer.alloc(3)] }] }))])
    const { hash } = JSON.parse(made.json) as { hash: string }
    for (const text of [made.json, made.json.replace(/"version":-(\d+)/g, (_, digits: string) => `"version":${2 ** 32 - Number(digits)}`)]) assert.equal(checkJson(Buffer.from(`{"result":${text}}`), { hash, work: false, easiest: null, mweb: false }).problem, '')
  })

  const changes: readonly (readonly [what: string, change: (text: string) => string])[] = [
    ['an amount', (text) => text.replace('"value":12.54491058', '"value":12.54491059')], ['an amount by what a float leaves out', (text) => text.replace('"value":12.54491058', '"value":12.544910580000000001')],
    ['whom it pays', (text) => text.replace('001497cfc764', '001497cfc765')], ['what a spender shows', (text) => text.replace(/("scriptSig":\{"hex":"47304402)20/, '$121')],
    ['what is spent', (text) => text.replace('"vout":2,', '"vout":3,')], ['a sequence', (text) => text.replace('"sequence":4294967295', '"sequence":4294967294')], ['a time', (text) => text.replace('"locktime":0', '"locktime":1')],
    ['a version', (text) => text.replace('"version":2,', '"version":3,')], ['what the miner wrote', (text) => text.replace('"coinbase":"03cb', '"coinbase":"03cc')],
    ['an output less', (text) => text.replace(/,\{"value":0\.0,"n":2,"scriptPubKey":\{[^}]*\}\}/, '')],
  ]
  for (const [what, change] of changes) {
    it(`in which is changed: ${what}, is refused`, () => {
      const text = textOf(540_107), changed = change(text)
      assert.notEqual(changed, text)
      assert.match(check(540_107, changed), /^block: transaction \d+ (is not the one of its hash|has an amount that is not a whole number of satoshis)/)
    })
  }

  it('that says another amount lands nothing; another endpoint is asked at once', async () => {
    const { store }: { store: Store } = await freshStore(), serves = { rest: false, lowest: 1 as const }
    const liar = await startNode({ serves: { ...serves, writes: (text) => text.replace(/"value":(\d+)\.(\d)/, '"value":$19.$2') } }), good = await startNode({ serves })
    const alone = open(store, [liar.url]), both = open(store, [liar.url, good.url])
    const batch = await batchOf(alone.source, 482_683), again = await batchOf(both.source, 482_683)
    await assert.rejects(alone.source.ingest(batch, alone.context), /block 482683: block: transaction 0 is not the one of its hash/)
    assert.deepEqual(await landed(store, batch), [])
    await both.source.ingest(again, both.context)
    assert.deepEqual((await landed(store, again)).map(({ endpoint }) => endpoint.at(-1)), ['1'])
  })
})
