/** What was missed: what is asked for and when, how far an answer has to reach back, stretches that come while one is asked for, accounts with more fills than an answer holds. */
import assert from 'node:assert/strict'
import type { Heard } from '../../../stages/ingest/hyperliquid/journal.js'
import type { Volume } from '../../../stages/ingest/hyperliquid/listing.js'
import { openMarks, type Marks } from '../../../stages/ingest/hyperliquid/marks.js'
import { openMissed } from '../../../stages/ingest/hyperliquid/missed.js'
import type { Rest } from '../../../stages/ingest/hyperliquid/rest.js'
import { until } from '../../support/pipeline.js'

const cut = Date.UTC(2026, 8, 24), user = `0x${'11'.repeat(20)}`
const trade = (time: number, tid = time, coin = 'BTC') => ({ coin, time, tid })
type Trades = (coin: string) => Promise<readonly object[]>
type Fills = (startTime: number) => readonly { time: number }[]

/** Asks for a stretch from `cut` on our clock; gaps and questions as they came. */
const open = (trades: Trades, { coins = ['BTC'], fills = () => [], volumes = [] }: { coins?: string[]; fills?: Fills; volumes?: [string, Volume][] } = {}) => {
  const heard: Heard[] = [], asked: string[] = []
  const info = {
    recentTrades: ({ coin }: { coin: string }) => { asked.push(coin); return trades(coin) },
    userFillsByTime: ({ startTime }: { startTime: number }) => { asked.push(String(startTime)); return Promise.resolve(fills(startTime)) },
  }
  const missed = openMissed({ coins: () => new Set(coins), volumes: () => new Map(volumes), accounts: [user], learn: () => undefined }, { info } as unknown as Rest, (one) => { heard.push(one) })
  const told = () => heard.map(({ payload }) => JSON.parse(String(payload)) as { channel: string; coin: string; from: number; to: number; reason: string; state?: string })
  return { gaps: () => told().filter(({ state }) => state === undefined), states: () => told().flatMap(({ state, from }) => (state === undefined ? [] : [`${state} ${from - cut}`])), asked, missed, add: (marks: Marks, from = cut, to = cut + 1_000) => { missed.add({ silence: { from, to, reason: 'cut' }, marks }) } }
}
const marksOf = (said: number | null, ...trades: ReturnType<typeof trade>[]): Marks => ({ said, trades: new Map(trades.map(({ coin, time, tid }) => [coin, { time, tid }])) })
/** Gaps of one stretch, once it was asked for. */
const gapsOf = async (marks: Marks, answer: readonly object[], options: Parameters<typeof open>[1] = {}): Promise<string[]> => {
  const { add, asked, gaps } = open(() => Promise.resolve(answer), options)
  add(marks)
  await until(() => Promise.resolve(asked.length >= 2), 'nothing was asked')
  await new Promise((resolve) => { setTimeout(resolve, 20) })
  return gaps().map(({ channel, from, to }) => `${channel} ${from - cut} ${to - cut}`)
}

describe('what of Hyperliquid was missed', () => {
  const last = trade(cut - 10_000, 7)
  it('with our clock ahead, an answer that starts between what was heard last and the cut leaves a gap', async () => {
    assert.deepEqual(await gapsOf(marksOf(last.time, last), [trade(cut - 4_000)]), ['trades -10000 -4000'])
  })
  it('with our clock behind, the gap has the venue\'s times', async () => {
    assert.deepEqual(await gapsOf(marksOf(cut + 60_000, trade(cut + 60_000, 7)), [trade(cut + 65_000)]), ['trades 60000 65000'])
  })
  it('an answer that names the last trade heard, or an older one, leaves none', async () => {
    for (const answer of [[last, trade(cut - 4_000)], [trade(last.time, 8), trade(last.time - 1, 6)]]) assert.deepEqual(await gapsOf(marksOf(last.time, last), answer), [])
    assert.deepEqual(await gapsOf(marksOf(last.time, last), [trade(last.time, 8)]), ['trades -10000 -10000'])
  })
  it('of a coin never heard, only what the venue said of others counts; where it said nothing, there is a gap', async () => {
    assert.deepEqual(await gapsOf(marksOf(cut - 10_000), [trade(cut - 16_000)]), [])
    assert.deepEqual(await gapsOf(marksOf(cut - 10_000), [trade(cut - 12_000)]), ['trades -15000 -12000'])
    assert.deepEqual(await gapsOf(marksOf(null), [trade(cut - 3_600_000)]), ['trades 0 1000'])
    assert.deepEqual(await gapsOf(marksOf(null), []), [])
  })

  it('marks are the newest trades of each coin and the newest time of all, whatever order they come in; none is ahead of our clock', () => {
    const marks = openMarks()
    const say = (text: string): void => { marks.message({ kind: 'ws', request: '{}', payload: Buffer.from(text), endpoint: '', at: cut }) }
    assert.deepEqual(marks.now(), marksOf(null))
    for (const data of [[trade(cut - 5), trade(cut - 3)], [trade(cut - 4)], [trade(cut - 9, 1, 'ETH')], [trade(cut + 9_000, 2, 'SOL')]]) say(JSON.stringify({ channel: 'trades', data }))
    for (const text of ['{"channel":"trades","data":[{"coin"', '{"channel":"trades"}', '{"channel":"trades","data":[null]}', 'null']) say(text)
    assert.deepEqual(marks.now(), marksOf(cut, trade(cut - 3), trade(cut - 9, 1, 'ETH'), trade(cut, 2, 'SOL')))
    marks.keep(new Set(['ETH']))
    assert.deepEqual([...marks.now().trades.keys()], ['ETH'])
  })

  it('is asked for by coins, the most traded first; of which nothing was traded since a day that began before, is not asked for', async () => {
    const at = cut + 160_000, of = (coin: string, usd: number, when = at): [string, Volume] => [coin, { usd, at: when }]
    const volumes = [of('IDLE', 0), of('SOL', 7), of('BTC', 90), of('STALE', 0, cut), of('ETH', 20)]
    const asked = async (from: number) => {
      const one = open(() => Promise.resolve([]), { coins: ['NEW', ...volumes.map(([coin]) => coin)], volumes })
      one.add(marksOf(null), from, cut + 90_000)
      await until(() => Promise.resolve(one.states().length === 2), 'not all was asked for')
      return one.asked.slice(1).join(' ')
    }
    // Midnight is the cut: a silence before it may be of the day that is told no more.
    assert.equal(await asked(cut + 61_000), 'BTC ETH SOL NEW STALE')
    assert.equal(await asked(cut + 59_000), 'BTC ETH SOL NEW IDLE STALE')
  })

  it('is a gap until all of it was asked for', async () => {
    let answer: ((trades: readonly object[]) => void) | undefined
    const { add, asked, states } = open(() => new Promise((resolve) => { answer = resolve }))
    add(marksOf(null))
    for (const late of [10_000, 20_000]) add(marksOf(null), cut + late, cut + late + 1_000)
    assert.deepEqual(states(), ['waits 0', 'waits 10000', 'waits 20000'])
    for (const many of [1, 2]) { await until(() => Promise.resolve(asked.filter((one) => one === 'BTC').length === many), 'nothing was asked'); answer?.([]) }
    await until(() => Promise.resolve(states().length === 6), 'it waits for ever')
    assert.deepEqual(states().slice(3), ['over 0', 'over 10000', 'over 20000'])
  })

  it('stretches that come meanwhile are asked for as one, afterwards, back to the first of them', async () => {
    const answers: ((trades: readonly object[]) => void)[] = []
    const { add, asked, gaps } = open(() => new Promise((resolve) => { answers.push(resolve) }), { coins: ['BTC'] })
    add(marksOf(cut, trade(cut)))
    for (const late of [10_000, 20_000, 30_000]) add(marksOf(cut + late, trade(cut + late)), cut + late, cut + late + 1_000)
    await until(() => Promise.resolve(answers.length === 1), 'nothing was asked')
    answers[0]?.([trade(cut)])
    await until(() => Promise.resolve(answers.length === 2), 'what waited was not asked for')
    answers[1]?.([trade(cut + 25_000)])
    await until(() => Promise.resolve(asked.length === 4), 'accounts were not asked about')
    assert.deepEqual([asked.filter((one) => one === 'BTC').length, gaps().map(({ from, to }) => [from - cut, to - cut])], [2, [[10_000, 25_000]]])
  })

  it('what is left when it stops stays a gap, and nothing is told after that', async () => {
    let answer: ((trades: readonly object[]) => void) | undefined
    const { add, missed, gaps, states } = open(() => new Promise((resolve) => { answer = resolve }))
    add(marksOf(null))
    add(marksOf(null), cut + 5_000, cut + 6_000)
    await until(() => Promise.resolve(answer !== undefined), 'nothing was asked')
    missed.stop()
    answer?.([trade(cut)])
    await new Promise((resolve) => { setTimeout(resolve, 20) })
    assert.deepEqual([gaps().map(({ channel, from }) => [channel, from - cut]), states()], [[['all', 0], ['all', 5_000]], ['waits 0', 'waits 5000']])
  })

  describe('fills of an account', () => {
    /** An account with a fill each millisecond of these, of which the venue keeps the newest 10,000. */
    const venue = (count: number, at = (nth: number): number => cut + nth): { fills: Fills; starts: number[] } => {
      const all = Array.from({ length: count }, (_, nth) => ({ time: at(nth) })).slice(-10_000), starts: number[] = []
      return { starts, fills: (startTime) => { starts.push(startTime); return all.filter(({ time }) => time >= startTime).slice(0, 2_000) } }
    }
    it('are asked for page by page, each from where the last one ended, and all that the venue reaches leaves no gap', async () => {
      const { fills, starts } = venue(5_000)
      assert.deepEqual(await gapsOf(marksOf(cut + 5_000), [], { fills }), [])
      assert.deepEqual(starts.map((start) => start - cut), [0, 1_999, 3_998])
    })
    it('that it reaches no more are a gap, up to the oldest that it gave', async () => {
      assert.deepEqual(await gapsOf(marksOf(cut + 5_000), [], { fills: venue(12_000).fills }), ['userFills 0 2000'])
    })
    it('of one millisecond that fill an answer are a gap from there on', async () => {
      assert.deepEqual(await gapsOf(marksOf(cut + 5_000), [], { fills: venue(3_000, () => cut + 500).fills }), ['userFills 500 1000'])
    })
  })
})
