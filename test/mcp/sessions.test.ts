import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import { openSessions, type Sessions } from '../../api/mcp/sessions.js'
import type { Bounds } from '../../api/mcp/sessionsHere.js'
import { until } from '../support/pipeline.js'
import { randomName, redisUrl } from '../support/servers.js'

describe('MCP sessions', () => {
  const opened: { close(): void }[] = []
  const connect = async (url?: string): Promise<Redis> => {
    const redis = new Redis(url ?? await redisUrl(), { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 500 })
    await new Promise<void>((resolve) => { redis.once('ready', resolve); redis.on('error', () => { resolve() }) })
    opened.push({ close: () => { redis.disconnect() } })
    return redis
  }
  const open = (redis: Redis, prefix: string, bounds: Bounds = {}): Sessions => {
    const sessions = openSessions(redis, prefix, bounds)
    opened.push(sessions)
    return sessions
  }
  afterEach(() => { for (const one of opened.splice(0).reverse()) one.close() })

  /** The rules hold with Redis and, in each process for itself, without. */
  for (const [where, url] of [['in Redis', undefined], ['in a process whose Redis is away', 'redis://127.0.0.1:1']] as const) {
    it(`end when idle, and the least recently used first, ${where}`, async () => {
      let clock = 0
      const sessions = open(await connect(url), randomName('s'), { each: 2, idle: 100, now: () => clock })
      const first = await sessions.open('a')
      clock = 1
      const second = await sessions.open('a')
      clock = 2
      assert.ok(await sessions.find(first.id, 'a'))
      clock = 3
      const third = await sessions.open('a')
      assert.equal(await sessions.find(second.id, 'a'), undefined)
      clock = 50
      assert.ok(await sessions.find(third.id, 'a'))
      clock = 140
      assert.ok(await sessions.find(third.id, 'a'))
      assert.equal(await sessions.find(first.id, 'a'), undefined)
      clock = 241
      assert.equal(await sessions.find(third.id, 'a'), undefined)
    })

    it(`belong to one owner; what runs in them ends with them, ${where}`, async () => {
      const sessions = open(await connect(url), randomName('s'))
      const session = await sessions.open('a'), running = new AbortController()
      session.running.set('1', running)
      assert.equal(await sessions.find(session.id, 'b'), undefined)
      assert.ok(!running.signal.aborted)
      await sessions.end(session)
      assert.ok(running.signal.aborted)
      assert.equal(await sessions.find(session.id, 'a'), undefined)
    })
  }

  it('are those of all processes: each finds them, and answers, cancellations and ends reach where the call runs', async () => {
    const prefix = randomName('s'), redis = await connect(), [one, two] = [open(redis, prefix), open(await connect(), prefix)]
    await until(async () => (await redis.pubsub('NUMSUB', `${prefix}_mcp`))[1] === 2, 'not both listen')
    const mine = await one.open('a'), theirs = await two.find(mine.id, 'a')
    assert.ok(theirs)
    assert.equal(await two.find(mine.id, 'b'), undefined)
    const cancelled = new AbortController(), ended = new AbortController()
    const when = (signal: AbortSignal): Promise<void> => new Promise((resolve) => { signal.addEventListener('abort', () => { resolve() }) })
    const both = Promise.all([when(cancelled.signal), when(ended.signal)])
    mine.running.set('1', cancelled).set('2', ended)
    const answered = new Promise<object>((resolve) => { mine.asked.set(7, resolve) })
    await two.answer(theirs, { id: 7, result: { action: 'decline' } } as { id: number })
    assert.deepEqual(await answered, { id: 7, result: { action: 'decline' } })
    await two.cancel(theirs, '1')
    await when(cancelled.signal)
    assert.ok(!ended.signal.aborted)
    await two.end(theirs)
    await both
    assert.equal(await one.find(mine.id, 'a'), undefined)
  })

  it('opened while Redis was away are kept when it is back, ended ones stay ended, and words of another version are passed over', async () => {
    const prefix = randomName('s'), redis = await connect(), other = await connect(), [one, two] = [open(redis, prefix), open(other, prefix)]
    await until(async () => (await redis.pubsub('NUMSUB', `${prefix}_mcp`))[1] === 2, 'not both listen')
    const known = await one.open('a')
    assert.ok(await two.find(known.id, 'a'))
    redis.disconnect()
    await until(async () => Promise.resolve(redis.status === 'end'), 'not cut off')
    const meanwhile = await one.open('a'), running = new AbortController()
    meanwhile.running.set('1', running)
    assert.ok(await one.find(meanwhile.id, 'a'))
    await one.end(known)
    assert.equal(await one.find(known.id, 'a'), undefined)
    assert.ok(await two.find(known.id, 'a'), 'the other one cannot know yet')
    await redis.connect()
    assert.ok(await one.find(meanwhile.id, 'a'))
    assert.ok(!running.signal.aborted)
    assert.ok(await two.find(meanwhile.id, 'a'))
    await until(async () => await two.find(known.id, 'a') === undefined, 'what was ended is found')
    for (const text of ['{"what":"newer","id":"x"}', 'no JSON']) assert.equal(await other.publish(`${prefix}_mcp`, text), 2)
    await two.end(meanwhile)
    await until(async () => Promise.resolve(running.signal.aborted), 'not heard')
  })
})
