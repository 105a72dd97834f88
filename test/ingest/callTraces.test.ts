import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { plain } from '../../schemas/slots.js'
import { land } from '../../stages/ingest/ethereum/land.js'
import { recorded } from '../support/raw.js'
import { freshStore } from '../support/servers.js'

const height = 13_998_626
type Trace = Readonly<Record<string, unknown>>

describe('answers of debug_traceBlockByNumber', function () {
  this.timeout(60_000)
  let store: Store, generation = 0
  before(async () => { ({ store } = await freshStore()) })

  const wrapped = (text: string) => plain(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${text}}`))
  /** What was found wrong, and which traces were kept. */
  const landed = async (traces: readonly Trace[], end = ''): Promise<unknown> => {
    generation += 1
    const answers = { number: height, endpoint: 'made', block: wrapped(recorded(height, 'block') ?? ''), receipts: wrapped(recorded(height, 'receipts') ?? ''), traces: plain(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${JSON.stringify(traces)}}${end}`)), tracesKind: 'call_traces' as const }
    await land(store, { chain: 'ETH', from: height, to: height, hash: '', generation, floor: height }, (async function* () { yield answers })(), `made ${generation}`, () => Promise.resolve())
    const [row] = await store.query('SELECT problem, traces_kind, notEmpty(traces) AS kept FROM raw_payloads WHERE generation = {generation:UInt32}', { generation }, z.object({ problem: z.string(), traces_kind: z.string(), kept: z.coerce.boolean() }))
    return [row?.problem, row?.traces_kind, row?.kept]
  }
  const whole = JSON.parse(recorded(height, 'call_traces') ?? '[]') as Trace[]
  const count = whole.length

  it('are whole with a frame of each transaction, and refused with those of some', async () => {
    assert.ok(count > 2)
    assert.deepEqual(await landed(whole), ['', 'call_traces', true])
    assert.deepEqual(await landed(whole.slice(1)), [`traces: ${count - 1} for ${count} transactions`, 'call_traces', true])
  })

  it('are left out where they nest deeper than the server reads, however the node ends its answer', async () => {
    const deep = Array.from({ length: 600 }).reduce<Trace>((inner) => ({ type: 'CALL', calls: [inner] }), { type: 'CALL' })
    for (const end of ['', '\n', '\r\n', ' \t\n']) {
      assert.deepEqual(await landed(whole, end), ['', 'call_traces', true])
      assert.deepEqual(await landed(whole.map((trace, place) => (place === 0 ? { result: deep } : trace)), end), ['', '', false])
    }
    assert.deepEqual(await landed(whole, ',\n'), ['traces: truncated or not JSON', 'call_traces', true])
  })

  it('are left out where the tracer failed on a transaction: the block lands, and is not whole inside', async () => {
    const failed = [{ txHash: `0x${'ab'.repeat(32)}`, result: null, error: { code: -32000, message: 'execution timeout' } }, { error: 'execution timeout' }, { txHash: `0x${'ab'.repeat(32)}`, result: {} }]
    for (const one of failed) {
      for (const at of [0, count - 1]) assert.deepEqual(await landed(whole.map((trace, place) => (place === at ? one : trace))), ['', '', false])
      assert.deepEqual(await landed(whole.map(() => one)), ['', '', false])
    }
  })
})
