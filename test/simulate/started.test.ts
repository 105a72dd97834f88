/** What a simulated run has started goes with it, also where it is ended in the middle. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { openStarted } from '../../scripts/simulate/started.js'

describe('what a simulated run has started', () => {
  it('is ended, those that are started meanwhile too, and its directories are gone', async () => {
    const started = openStarted(), directory = started.directory(), ended: Promise<void>[] = []
    const sleeper = (): void => {
      const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true }), pid = child.pid ?? assert.fail()
      started.spawned(pid)
      ended.push(new Promise((resolve) => { child.once('exit', () => { resolve() }) }))
    }
    sleeper()
    let stopped = false
    // The second comes while the first is being ended.
    started.ending(async () => { setImmediate(sleeper); stopped = true })
    await started.end()
    await started.end()
    assert.deepEqual([ended.length, stopped, existsSync(directory)], [2, true, false])
    await Promise.all(ended)
  })
})
