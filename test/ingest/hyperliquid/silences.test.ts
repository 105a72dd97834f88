/** Silences of prices, contexts and books: each a gap of its own, told as it goes on, whatever other channels say meanwhile. */
import assert from 'node:assert/strict'
import type { Heard } from '../../../stages/ingest/hyperliquid/journal.js'
import { openSilences } from '../../../stages/ingest/hyperliquid/silences.js'

const start = Date.UTC(2026, 8, 24)
const open = () => {
  const heard: Heard[] = []
  // The clock that nobody sets, and by how much the other was.
  const clock = { passed: 100_000, set: 0 }
  const silences = openSilences((one) => { heard.push(one) }, () => 'cut', () => start + clock.passed + clock.set, () => clock.passed)
  const say = (channel: string, passed: number): void => {
    const at = passed + clock.set
    clock.passed = passed
    silences.message({ kind: 'ws', request: '{}', payload: Buffer.from(JSON.stringify({ channel, data: {} })), endpoint: '', at: start + at })
  }
  const close = (): void => { clock.passed = 100_000; silences.close() }
  const gaps = () => heard.map(({ payload }) => JSON.parse(String(payload)) as { channel: string; coin: string; from: number; to: number; reason: string }).map(({ channel, coin, from, to, reason }) => [channel, coin, from - start, to - start, reason])
  return { silences, clock, say, close, gaps }
}

describe('silences of what shows how things stand', () => {
  it('are gaps when they are longer than its usual distance, each channel by itself; spot and perps contexts are one', () => {
    const { say, close, gaps } = open()
    for (const channel of ['allMids', 'l2Book', 'activeAssetCtx', 'trades']) say(channel, 0)
    for (const at of [9_000, 18_000, 27_000]) { say('allMids', at); say('activeSpotAssetCtx', at) }
    say('l2Book', 30_000)
    say('trades', 90_000)
    close()
    assert.deepEqual(gaps(), [['l2Book', '', 0, 30_000, 'cut'], ['allMids', '', 27_000, 100_000, 'cut'], ['l2Book', '', 30_000, 100_000, 'cut'], ['activeAssetCtx', '', 27_000, 100_000, 'cut']])
  })

  it('reach back to what was heard before the start, whether that is known before the first message or after; a channel that was never heard has none', () => {
    for (const late of [false, true]) {
      const { silences, say, close, gaps } = open()
      if (!late) silences.since(start - 50_000)
      say('allMids', 95_000)
      if (late) silences.since(start - 50_000)
      close()
      assert.deepEqual(gaps(), [['allMids', '', -50_000, 95_000, 'nobody listened']])
    }
    const { silences, say, close, gaps } = open()
    silences.since(null)
    say('allMids', 95_000)
    close()
    assert.deepEqual(gaps(), [])
  })

  it('are as long as they lasted, wherever the clock was set meanwhile', () => {
    for (const set of [3_600_000, -3_600_000]) {
      const { clock, say, close, gaps } = open()
      say('allMids', 80_000)
      clock.set = set
      say('allMids', 85_000)
      say('allMids', 97_000)
      close()
      assert.deepEqual(gaps(), [['allMids', '', 85_000 + set, 97_000 + set, 'cut']])
    }
  })
})
