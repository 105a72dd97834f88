import assert from 'node:assert/strict'
import { openBudget, weightOf, weightOfItems, type Clock } from '../../../stages/ingest/hyperliquid/budget.js'

/** A clock that goes on when somebody waits. */
const clockOf = (): Clock & { passed(): number } => {
  let now = 0
  return { now: () => now, passed: () => now, wait: async (milliseconds) => { now += milliseconds } }
}

/** Time that goes on to the next moment anybody waits for. */
const inTurns = (): Clock => {
  const due: { at: number; resolve(): void }[] = []
  let now = 0
  const go = (): void => {
    const next = due.sort((one, other) => one.at - other.at).shift()
    now = Math.max(now, next?.at ?? now)
    next?.resolve()
    if (due.length > 0) setImmediate(go)
  }
  return { now: () => now, wait: (milliseconds) => new Promise((resolve) => { if (due.push({ at: now + milliseconds, resolve }) === 1) setImmediate(go) }) }
}

describe('weights of the venue', () => {
  it('are those of the documentation', () => {
    assert.deepEqual(['l2Book', 'allMids', 'clearinghouseState', 'userRole', 'meta', 'userFills'].map(weightOf), [2, 2, 2, 60, 20, 20])
    assert.deepEqual([weightOfItems('userFills', 2_000), weightOfItems('candleSnapshot', 5_000), weightOfItems('meta', 500)], [100, 83, 0])
  })

  it('never exceed the limit in any minute, however questions are spread', async () => {
    const clock = clockOf(), budget = openBudget(100, clock)
    const asked: { at: number; weight: number }[] = []
    for (let index = 0; index < 60; index += 1) {
      const weight = [2, 20, 60][index % 3] ?? 2
      await budget.take(weight)
      asked.push({ at: clock.now(), weight })
      if (index % 5 === 0) await clock.wait(1_700)
    }
    for (const { at } of asked) assert.ok(asked.filter((one) => one.at > at - 60_000 && one.at <= at).reduce((sum, one) => sum + one.weight, 0) <= 100)
    assert.ok(clock.passed() > 60_000)
  })

  it('what is patient leaves a quarter of the window free, and comes after all that is not', async () => {
    const clock = inTurns(), budget = openBudget(100, clock), order: string[] = []
    const ask = (name: string, weight: number, patient: boolean): Promise<void> => budget.take(weight, patient).then(() => { order.push(`${name} ${clock.now()}`) })
    for (const nth of [1, 2, 3]) await ask(`patient${nth}`, 20, true)
    const late = ask('patient4', 20, true)
    await Promise.all([ask('a', 20, false), ask('b', 20, false), ask('c', 20, false), late])
    assert.deepEqual(order.map((one) => one.split(' ')[0]), ['patient1', 'patient2', 'patient3', 'a', 'b', 'c', 'patient4'])
    assert.deepEqual([order[4], order[5]], ['b 0', 'c 60000'])
  })

  it('what is patient has its turn too, however much else is asked', async () => {
    const clock = inTurns(), budget = openBudget(100, clock)
    let others = 0, ended = false
    const insist = async (): Promise<void> => { for (; !ended && others < 200; others += 1) await budget.take(20) }
    const insistent = Promise.all([insist(), insist()])
    await budget.take(20, true)
    ended = true
    await insistent
    assert.ok(clock.now() <= 180_000 && others < 20, `after ${clock.now()} ms and ${others} others`)
  })

  it('who only looks for room spends none, and has it in the order of asking', async () => {
    const clock = inTurns(), budget = openBudget(100, clock), order: string[] = []
    const note = (name: string) => (): void => { order.push(`${name} ${clock.now()}`) }
    await Promise.all([budget.take(60).then(note('taken')), budget.room(40).then(note('room')), budget.room(50).then(note('more')), budget.take(100).then(note('all'))])
    assert.deepEqual(order, ['taken 0', 'room 0', 'more 60000', 'all 60000'])
  })

  it('what an answer weighed beside counts for the next, and a refusal holds everybody', async () => {
    const clock = clockOf(), budget = openBudget(100, clock)
    await budget.take(20)
    budget.charge(80)
    await budget.take(20)
    assert.equal(clock.passed(), 60_000)
    budget.hold(10_000)
    await budget.take(2)
    assert.equal(clock.passed(), 70_000)
  })
})
