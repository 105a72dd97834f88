/** A venue that cuts again and again gets no more connections and messages a minute than it takes; waiting ends when the socket is closed. */
import assert from 'node:assert/strict'
import { startVenue, type Venue } from '../../../scripts/replay-node/hyperliquid/server.js'
import type { Clock } from '../../../stages/ingest/hyperliquid/budget.js'
import { openSocket, type Socket } from '../../../stages/ingest/hyperliquid/socket.js'
import { until } from '../../support/pipeline.js'

/** A clock that stands until it is put on. */
const standing = (): Clock & { waiting(): number; pass(milliseconds: number): void } => {
  let now = 0, due: { at: number; resolve(): void }[] = []
  return {
    now: () => now, waiting: () => due.length,
    wait: (milliseconds) => new Promise((resolve) => { due.push({ at: now + milliseconds, resolve }) }),
    pass: (milliseconds) => {
      now += milliseconds
      const over = due.filter(({ at }) => at <= now)
      due = due.filter(({ at }) => at > now)
      for (const { resolve } of over) resolve()
    },
  }
}

describe('connections and messages to the venue', function () {
  this.timeout(60_000)
  let venue: Venue, socket: Socket, clock: ReturnType<typeof standing>, failed: string[], taken: number
  beforeEach(async () => {
    venue = await startVenue({ everyMs: 86_400_000 })
    clock = standing()
    failed = []
    taken = 0
  })
  afterEach(async () => { await socket.close(); await venue.close() })
  const open = (connections: number, messages: number): void => {
    socket = openSocket(`${venue.url.replace('http', 'ws')}/ws`, { heard: ({ payload }) => { if (payload.includes('"method":"subscribe"')) taken += 1 }, back: () => undefined, failed: (reason) => { failed.push(reason) } }, undefined, { connections, messages, clock })
  }
  /** Middle prices, and two subscriptions a coin. */
  const want = (...coins: string[]): Promise<void> => socket.want({ coins: new Set(coins), books: new Set(), accounts: [] })
  const counted = (): number[] => [venue.counters.connections, venue.counters.subscriptions]
  const reach = (connections: number, subscriptions: number): Promise<void> =>
    until(async () => socket.connected() && venue.counters.connections >= connections && taken >= subscriptions, `${connections} connections, ${subscriptions} subscriptions`).then(() => { assert.deepEqual(counted(), [connections, subscriptions]) })
  const waits = (): Promise<void> => until(async () => clock.waiting() === 1, 'it does not wait')

  it('are as many connections as a minute has room for, and the next when the first is a minute old', async () => {
    open(3, 1_000)
    await want('BTC')
    clock.pass(10_000)
    for (const nth of [2, 3]) { venue.cut(); await reach(nth, nth * 3) }
    venue.cut()
    await waits()
    clock.pass(49_999)
    assert.deepEqual([clock.waiting(), ...counted()], [1, 3, 9])
    clock.pass(1)
    await reach(4, 12)
    venue.cut()
    await waits()
    clock.pass(10_000)
    await reach(5, 15)
    assert.deepEqual(failed, [])
  })

  it('are no connection that would send more than a minute has room for; what is wanted meanwhile waits and is not told as refused', async () => {
    open(100, 7)
    await want('BTC')
    venue.cut()
    await reach(2, 6)
    venue.cut()
    await waits()
    const wanting = want('BTC', 'ETH')
    clock.pass(59_999)
    assert.deepEqual([clock.waiting(), ...counted()], [1, 2, 6])
    clock.pass(1)
    await wanting
    await reach(3, 11)
    assert.deepEqual(failed, [])
  })

  it('are messages within the minute when more is wanted at once than it has room for', async () => {
    open(100, 4)
    const wanting = want('BTC', 'ETH')
    await waits()
    await reach(1, 4)
    clock.pass(60_000)
    await wanting
    await reach(1, 5)
  })

  it('are none any more once it is closed, whatever was waited for', async () => {
    const later = (milliseconds: number): Promise<void> => new Promise((resolve) => { setTimeout(resolve, milliseconds) })
    // Room for a connection; what is wanted meanwhile is not asked for.
    open(1, 1_000)
    await want('BTC')
    venue.cut()
    await waits()
    let wanting = want('BTC', 'ETH')
    await later(50)
    await socket.close()
    await wanting
    clock.pass(60_000)
    // Room for messages.
    open(1, 4)
    await want('BTC')
    wanting = want('BTC', 'ETH')
    await waits()
    await socket.close()
    await wanting
    clock.pass(60_000)
    // The moment between two connections, and longer than it lasts.
    open(100, 1_000)
    await want('BTC')
    venue.cut()
    await until(async () => !socket.connected(), 'it was not cut')
    await socket.close()
    await later(300)
    assert.deepEqual([...counted(), ...failed], [3, 9])
  })
})
