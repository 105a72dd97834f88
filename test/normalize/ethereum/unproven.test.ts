/** Transactions from before Byzantium, whose receipts do not tell whether they failed. */
import assert from 'node:assert/strict'
import { insertAnswers, type RawAnswer } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import { address, emitted, hashOf, madeUpBlock, type MadeLog } from './madeUp.js'
import { normalize, rowsOf } from './normalized.js'

const value = '0x2a'
const log: MadeLog = emitted(address('44'), 'event Approval(address indexed owner, address indexed spender, uint256 value)', { owner: address('11'), spender: address('22'), value: 1n })
/** A block of one transaction that carried 42 wei, its receipt without a status. */
const block = (number: number, used: string, logs: readonly MadeLog[] = []): RawAnswer[] =>
  madeUpBlock(number, logs, { value, gas: '0x5208' }, { gasUsed: used, status: undefined, root: hashOf(7) })
/** The same, its receipt with what a node wrote beside its gas; in a block with a base fee or without one. */
const told = (number: number, used: string, receipt: object, baseFee?: string): RawAnswer[] =>
  madeUpBlock(number, [], { value, gas: '0x5208' }, { gasUsed: used, ...receipt }).map((answer) => (answer.kind === 'block' && baseFee !== undefined ? { ...answer, result: JSON.stringify({ ...JSON.parse(answer.result) as object, baseFeePerGas: baseFee }) } : answer))
const traced = (number: number, kind: 'call_traces' | 'parity_traces', frame: object): RawAnswer[] => {
  const answers = block(number, '0x5208')
  const [head] = answers
  if (head === undefined) assert.fail()
  return [...answers, { ...head, kind, result: JSON.stringify([frame]) }]
}
const call = (error?: string) => ({ result: { type: 'CALL', from: address('11'), to: address('22'), value, ...(error === undefined ? {} : { error }) } })
const parity = (error?: string) => ({
  type: 'call', traceAddress: [], transactionPosition: 0, action: { callType: 'call', from: address('11'), to: address('22'), value }, ...(error === undefined ? {} : { error }),
})

describe('a transaction without a status', function () {
  this.timeout(60_000)
  const cases: readonly (readonly [string, number, RawAnswer[], string, number])[] = [
    ['has succeeded when it has gas left', 100, block(100, '0x5207'), '1', 1],
    ['has succeeded when it left logs', 101, block(101, '0x5208', [log]), '1', 1],
    ['is not claimed when it used all its gas', 102, block(102, '0x5208'), '-', 0],
    ['is claimed when its call frame has no error', 103, traced(103, 'call_traces', call()), '-', 1],
    ['is not claimed when its call frame has one', 104, traced(104, 'call_traces', call('out of gas')), '-', 0],
    ['is claimed when its trace has no error', 105, traced(105, 'parity_traces', parity()), '-', 1],
    ['is not claimed when its trace has one', 106, traced(106, 'parity_traces', parity('Out of gas')), '-', 0],
    // Some nodes fill it in for all that have a root instead.
    ['is none with one that only fills the place: it has gas left', 108, told(108, '0x5207', { status: '0x0', root: hashOf(7) }), '1', 1],
    ['is none with one that only fills the place: it used all its gas', 109, told(109, '0x5208', { status: '0x0', root: hashOf(7) }), '-', 0],
    ['is not one whose receipt has an empty root', 110, told(110, '0x5207', { status: '0x0', root: '0x' }), '0', 0],
    ['is not one of a block that is younger, whatever root is there', 111, told(111, '0x5207', { status: '0x0', root: hashOf(7) }, '0x7'), '0', 0],
  ]
  for (const [name, number, answers, status, moved] of cases) {
    it(name, async () => {
      const { store } = await freshStore()
      await insertAnswers(store, answers)
      await normalize(store, number, number)
      assert.equal((await rowsOf(store, 'transactions', number))[0]?.['status'], status)
      const native = (await rowsOf(store, 'movements', number)).map((row) => [row['kind'], row['position'], row['from_address'], row['to_address'], row['amount']].join())
      assert.deepEqual(native, moved === 0 ? [] : [`native,0,${'11'.repeat(20)},${'22'.repeat(20)},42`])
    })
  }

  it('is one movement only when its status is known and traces are there too', async () => {
    const { store } = await freshStore()
    const [head, ...rest] = madeUpBlock(107, [], { value })
    if (head === undefined) assert.fail()
    await insertAnswers(store, [head, ...rest, { ...head, kind: 'call_traces', result: JSON.stringify([call()]) }])
    await normalize(store, 107, 107)
    assert.equal((await rowsOf(store, 'movements', 107)).length, 1)
  })
})
