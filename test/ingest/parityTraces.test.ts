import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { plain } from '../../schemas/slots.js'
import { land } from '../../stages/ingest/ethereum/land.js'
import { recorded } from '../support/raw.js'
import { freshStore } from '../support/servers.js'

const height = 12_914_944
interface Trace { readonly transactionPosition?: number | null; readonly traceAddress: readonly number[]; readonly type: string }

describe('answers of trace_block', function () {
  this.timeout(60_000)
  let store: Store, generation = 0
  before(async () => { ({ store } = await freshStore()) })

  const wrapped = (text: string) => plain(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${text}}`))
  const problemOf = async (traces: readonly Trace[]): Promise<string | undefined> => {
    generation += 1
    const answers = { number: height, endpoint: 'made', block: wrapped(recorded(height, 'block') ?? ''), receipts: wrapped(recorded(height, 'receipts') ?? ''), traces: wrapped(JSON.stringify(traces)), tracesKind: 'parity_traces' as const }
    await land(store, { chain: 'ETH', from: height, to: height, hash: '', generation, floor: height }, (async function* () { yield answers })(), `made ${generation}`, () => Promise.resolve())
    return (await store.query('SELECT problem FROM raw_payloads WHERE generation = {generation:UInt32}', { generation }, z.object({ problem: z.string() })))[0]?.problem
  }
  const whole = JSON.parse(recorded(height, 'parity_traces') ?? '[]') as Trace[]
  const isRoot = ({ traceAddress, transactionPosition }: Trace): boolean => traceAddress.length === 0 && typeof transactionPosition === 'number'
  const reward = (transactionPosition?: null): Trace => ({ type: 'reward', traceAddress: [], ...(transactionPosition === undefined ? {} : { transactionPosition }) })

  it('are whole when each transaction has its top-level frame, in whatever order; rewards are of none', async () => {
    assert.equal(await problemOf(whole), '')
    assert.equal(await problemOf([...whole.filter(({ type }) => type !== 'reward'), reward(), reward(null)].reverse()), '')
  })

  it('are refused when they are those of some transactions, or of one twice', async () => {
    assert.equal(await problemOf([]), 'traces: 0 top-level frames for 222 transactions')
    assert.equal(await problemOf(whole.filter(({ transactionPosition }) => (transactionPosition ?? 0) < 40)), 'traces: 40 top-level frames for 222 transactions')
    assert.equal(await problemOf(whole.filter((trace) => !(isRoot(trace) && trace.transactionPosition === 221))), 'traces: 221 top-level frames for 222 transactions')
    assert.equal(await problemOf(whole.map((trace) => (isRoot(trace) && trace.transactionPosition === 7 ? { ...trace, transactionPosition: 8 } : trace))), 'traces: 222 top-level frames for 222 transactions')
  })
})
