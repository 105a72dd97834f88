/** Coin moved inside transactions, against a walk over the recorded frames in TypeScript. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { insertAnswers, insertRaw, recorded, recordedAnswers } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import { normalize, rowsOf } from './normalized.js'

interface Frame { type: string; from: string; to?: string | undefined; value?: string | undefined; error?: string | undefined; calls?: Frame[] | undefined }
const Frame: z.ZodType<Frame> = z.lazy(() => z.object({
  type: z.string(), from: z.string(), to: z.string().optional(), value: z.string().optional(), error: z.string().optional(), calls: z.array(Frame).optional(),
}))
const Calls = z.array(z.object({ result: Frame }))
const Parity = z.array(z.object({
  type: z.string(), error: z.string().nullish(), traceAddress: z.array(z.number()), transactionHash: z.string().nullish(),
  action: z.object({ callType: z.string(), from: z.string(), to: z.string(), value: z.string(), address: z.string(), refundAddress: z.string(), balance: z.string() }).partial(),
  result: z.object({ address: z.string() }).partial().nullish(),
}))

const paying = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])
const bare = (hex: string): string => hex.slice(2).toLowerCase()

/** [position, from, to, amount] of every frame that moved coin. */
const walk = (traces: z.infer<typeof Calls>): string[] => {
  let position = -1
  const rows: string[] = []
  const visit = (frame: Frame, depth: number, dead: boolean): void => {
    position += 1
    const void_ = dead || frame.error !== undefined
    if (depth > 0 && !void_ && paying.has(frame.type) && BigInt(frame.value ?? '0x0') > 0n) rows.push([position, bare(frame.from), bare(frame.to ?? ''), BigInt(frame.value ?? 0)].join())
    for (const call of frame.calls ?? []) visit(call, depth + 1, void_)
  }
  for (const { result } of traces) visit(result, 0, false)
  return rows
}

const walkParity = (traces: z.infer<typeof Parity>): string[] => traces.flatMap((trace, position) => {
  const { action } = trace
  const dead = traces.some((other) => (other.error ?? '') !== '' && other.transactionHash === trace.transactionHash && other.traceAddress.every((step, index) => trace.traceAddress[index] === step))
  const pays = trace.type === 'create' || trace.type === 'suicide' || action.callType === 'call'
  const amount = BigInt((trace.type === 'suicide' ? action.balance : action.value) ?? '0x0')
  if (dead || !pays || amount === 0n || trace.traceAddress.length === 0) return []
  const [from, to] = trace.type === 'suicide' ? [action.address, action.refundAddress] : [action.from, trace.type === 'create' ? trace.result?.address : action.to]
  return [[position, bare(from ?? ''), bare(to ?? ''), amount].join()]
})

const internal = async (store: Awaited<ReturnType<typeof freshStore>>['store'], height: number): Promise<string[]> =>
  (await rowsOf(store, 'movements', height)).filter(({ kind }) => kind === 'internal').map((row) => [row['position'], row['from_address'], row['to_address'], row['amount']].join())

describe('coin moved inside transactions', function () {
  this.timeout(60_000)

  for (const height of [7280016, 13998626, 14000000, 16899757, 17000000, 17053184, 17300000]) {
    it(`follows the call frames of ${height}`, async () => {
      const { store } = await freshStore()
      await insertRaw(store, [height])
      await normalize(store, height, height)
      const expected = walk(Calls.parse(JSON.parse(recorded(height, 'call_traces') ?? '')))
      assert.deepEqual(await internal(store, height), expected)
      assert.equal((await rowsOf(store, 'blocks', height))[0]?.['internal_complete'], 'true')
    })
  }

  it('follows the trace_block frames of 12914944', async () => {
    const { store } = await freshStore()
    await insertRaw(store, [12914944])
    await normalize(store, 12914944, 12914944)
    const expected = walkParity(Parity.parse(JSON.parse(recorded(12914944, 'parity_traces') ?? '')))
    assert.ok(expected.length > 0)
    assert.deepEqual(await internal(store, 12914944), expected)
  })

  it('takes one kind of frames where a block landed with both, by attempts that ran into each other', async () => {
    const { store } = await freshStore()
    const height = 13998626, block = recordedAnswers(height), a = `0x${'aa'.repeat(20)}`
    const flat = JSON.stringify([{ type: 'call', transactionPosition: 0, traceAddress: [0], action: { callType: 'call', from: a, to: a, value: '0x7' } }])
    await insertAnswers(store, block.map((answer) => (answer.kind === 'call_traces' ? { ...answer, kind: 'parity_traces', result: flat } : answer)))
    await insertRaw(store, [height])
    await normalize(store, height, height)
    assert.deepEqual(await internal(store, height), walk(Calls.parse(JSON.parse(recorded(height, 'call_traces') ?? ''))))
  })

  it('is complete where a block landed with traces and without, whichever came first', async () => {
    const { store } = await freshStore()
    const height = 13998626
    for (const [generation, order] of [[1, ['bare', 'whole']], [2, ['whole', 'bare']]] as const) {
      for (const one of order) await insertAnswers(store, recordedAnswers(height).filter(({ kind }) => one === 'whole' || !kind.endsWith('traces')), generation)
      await normalize(store, height, height, generation)
    }
    assert.deepEqual((await rowsOf(store, 'blocks', height)).map((row) => row['internal_complete']), ['true', 'true'])
    assert.ok((await internal(store, height)).length > 0)
  })

  it('goes to any depth, and an error voids what is below it', async () => {
    const { store } = await freshStore()
    const a = `0x${'aa'.repeat(20)}`
    const nest = (depth: number, error?: string): Frame => ({ type: 'CALL', from: a, to: a, value: '0x1', ...(error === undefined ? {} : { error }), calls: depth === 0 ? [] : [nest(depth - 1)] })
    const block = recordedAnswers(13998626)
    const frames = block.filter(({ kind }) => kind === 'receipts').flatMap(({ result }) => JSON.parse(result) as unknown[])
    const traces = frames.map((_, index) => ({ result: index === 0 ? nest(480) : index === 1 ? { ...nest(0), calls: [nest(3, 'execution reverted'), nest(0)] } : { ...nest(0), type: 'CREATE' } }))
    await insertAnswers(store, block.map((answer) => (answer.kind === 'call_traces' ? { ...answer, result: JSON.stringify(traces) } : answer)))
    await normalize(store, 13998626, 13998626)
    const rows = await internal(store, 13998626)
    assert.deepEqual(rows, walk(traces))
    assert.equal(rows.length, 481)
  })
})
