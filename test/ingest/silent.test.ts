import assert from 'node:assert/strict'
import { openSource, type Answers, type Asked } from '../../stages/ingest/source.js'
import { openStanding } from '../../stages/ingest/standing.js'
import type { BlockHead } from '../../stages/stage.js'

const head = (number: number, branch = 'a'): BlockHead => ({ number, hash: `0x${branch}${number}`, parentHash: `0x${branch}${number - 1}`, time: number })

/** A made endpoint: while `silent` it takes what it is asked and answers when that ends. */
const openMade = (name: string, branch = 'a') => {
  const wake: (() => void)[] = []
  const made = {
    silent: false, asked: 0,
    speak: (): void => { made.silent = false; for (const one of wake.splice(0)) one() },
    one: {
      name, busy: () => 0, close: async () => undefined,
      latest: () => answered(head(9, branch)), at: (number: number) => answered(head(number, branch)), check: () => answered(undefined), fetch: () => answered({} as Answers),
    } satisfies Asked<Answers>,
  }
  const answered = async <Value>(value: Value): Promise<Value> => {
    made.asked += 1
    if (made.silent) await new Promise<void>((resolve) => { wake.push(resolve) })
    return value
  }
  return made
}
const patienceMs = 100
const open = (made: readonly ReturnType<typeof openMade>[], told: string[] = [], patience = patienceMs) =>
  openSource({ asked: made.map(({ one }) => one), finality: 4, lanes: 1, land: async () => null, tell: (reason) => { told.push(reason) }, patienceMs: patience })
const waited = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve, patienceMs * 1.5) })

describe('an endpoint that takes questions and never answers', () => {
  it('from the start is waited for once, and told; the others go on, and it comes back', async () => {
    const told: string[] = [], one = openMade('one'), silent = openMade('silent')
    silent.silent = true
    const source = open([silent, one], told)
    assert.equal((await source.head()).endpoint, 'one')
    assert.deepEqual(told, ['silent does not answer while others do: it is not waited for'])
    for (let look = 0; look < 3; look += 1) { await source.head(); await source.header(5) }
    assert.deepEqual([silent.asked, told.length], [1, 1])
    silent.speak()
    await new Promise(setImmediate)
    assert.equal((await source.head()).endpoint, 'silent')
    assert.deepEqual(told.slice(1), ['silent answers again'])
  })

  it('later is not waited for where the others are enough, and then not asked', async () => {
    const told: string[] = [], made = ['one', 'two', 'silent'].map((name) => openMade(name)), [, , silent] = made
    assert.ok(silent !== undefined)
    // Nobody could wait this long.
    const source = open(made, told, 600_000)
    await source.head()
    silent.silent = true
    for (let look = 0; look < 3; look += 1) await source.head()
    // Its check, its head, and the one it does not answer.
    assert.deepEqual([silent.asked, told], [3, []])
  })

  it('later, where its vote is needed, is waited for once', async () => {
    const told: string[] = [], one = openMade('one'), silent = openMade('silent')
    const source = open([silent, one], told)
    assert.equal((await source.head()).endpoint, 'silent')
    silent.silent = true
    assert.equal((await source.head()).endpoint, 'one')
    const asked = silent.asked
    for (let look = 0; look < 3; look += 1) assert.equal((await source.head()).endpoint, 'one')
    assert.deepEqual([silent.asked, told.length], [asked, 1])
  })

  it('does not make the others follow one that dissents', async () => {
    const made = [openMade('liar', 'b'), openMade('one'), openMade('silent')], [, , silent] = made
    assert.ok(silent !== undefined)
    silent.silent = true
    const source = open(made)
    for (let look = 0; look < 2; look += 1) await assert.rejects(source.head(), { code: 'HEAD_DISAGREEMENT' })
    silent.speak()
    await new Promise(setImmediate)
    assert.equal((await source.head()).hash, head(9).hash)
  })

  it('is waited for where it is the only one', async () => {
    const told: string[] = [], only = openMade('only')
    only.silent = true
    const source = open([only], told)
    for (const ask of [() => source.head(), () => source.head()]) {
      only.silent = true
      const asked = ask()
      const early = await Promise.race([asked.then(() => 'answered'), waited().then(() => 'waits')])
      assert.equal(early, 'waits')
      only.speak()
      assert.equal((await asked).number, 9)
    }
    assert.deepEqual(told, [])
  })
})

describe('endpoints that are all doubted', () => {
  it('while one of them is looked at are told to be away, and asked again by the next look', async () => {
    const made = ['one', 'two'].map((name) => openMade(name)), [one] = made
    assert.ok(one !== undefined)
    const standing = openStanding(made.map((each) => ({ ...each.one, check: async () => { await each.one.check(); if (down) throw new Error('it is away') } })), 600_000, () => undefined)
    let down = false
    assert.equal((await standing.usable()).length, 2)
    const [first, second] = standing.known
    assert.ok(first !== undefined && second !== undefined)
    down = one.silent = true
    standing.doubt(first)
    const usable = standing.usable()
    await new Promise(setImmediate)
    standing.doubt(second)
    one.speak()
    await assert.rejects(usable, { code: 'RPC_DOWN', retry: 'wait' })
    down = false
    assert.equal((await standing.usable()).length, 2)
  })
})
