/** What a run has started goes with it, also where it is ended in the middle. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { openStarted } from '../../scripts/started.js'
import { identify, lives } from '../../scripts/up/processes.js'

describe('what a run has started', () => {
  it('is ended, what is started meanwhile or after it too, and its directories are gone', async () => {
    const started = openStarted('hydrophone-started-'), directory = started.directory(), ended: Promise<void>[] = [], pids: number[] = []
    const sleeper = (): void => {
      const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true }), pid = child.pid ?? assert.fail()
      ended.push(new Promise((resolve) => { child.once('exit', () => { resolve() }) }))
      pids.push(pid)
      started.spawned(pid)
    }
    sleeper()
    started.ending(async () => { sleeper() })
    await started.end()
    assert.deepEqual(pids.map((pid) => lives(identify(pid))), [false, false])
    assert.equal(existsSync(directory), false)
    assert.throws(() => started.directory(), /being ended/)
    sleeper()
    assert.equal(ended.length, 3)
    await Promise.all(ended)
  })
})
