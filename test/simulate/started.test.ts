/** What a simulated run has started goes with it, also where it is ended in the middle. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { openStarted } from '../../scripts/simulate/started.js'

describe('what a simulated run has started', () => {
  it('is ended, those that are started meanwhile too, and its directories are gone', async () => {
    const started = openStarted(), directory = started.directory(), gone: number[] = []
    const sleeper = (): void => {
      const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true }), pid = child.pid ?? assert.fail()
      started.spawned(pid)
      child.once('exit', () => { gone.push(pid); if (gone.length === 1) sleeper() })
    }
    sleeper()
    let stopped = false
    started.ending(async () => { stopped = true })
    await started.end()
    await started.end()
    assert.deepEqual([gone.length, stopped, existsSync(directory)], [2, true, false])
  })
})
