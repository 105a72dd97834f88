import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { startErrand } from '../../scripts/up/errand.js'
import { identify, lives, type Identity } from '../../scripts/up/processes.js'
import { root } from '../support/run.js'

describe('a program that up runs to its end', function () {
  this.timeout(60_000)
  let directory = ''
  before(() => { directory = mkdtempSync(join(tmpdir(), 'hydrophone-errand-')) })
  after(() => { rmSync(directory, { recursive: true, force: true }) })
  const environment = { PATH: process.env['PATH'] ?? '' }
  const script = (name: string, text: string): string => { writeFileSync(join(directory, name), text); return relative(root, join(directory, name)) }

  it('says what it said, or why it failed, and that it is over', async () => {
    const told: string[] = []
    const hooks = { spawned: () => { told.push('spawned') }, over: () => { told.push('over') } }
    assert.equal(await startErrand('Counting', script('well.ts', "console.log('one, two')"), environment, hooks).done, 'one, two')
    await assert.rejects(startErrand('Counting', script('ill.ts', "process.stderr.write('three is missing\\n'); process.exit(1)"), environment, hooks).done, { code: 'CHILD_FAILED', message: 'Counting failed: three is missing' })
    await assert.rejects(startErrand('Counting', script('mute.ts', 'process.exit(3)'), environment, hooks).done, { code: 'CHILD_FAILED', message: 'Counting failed: it ended with exit code 3' })
    assert.deepEqual(told, ['spawned', 'over', 'spawned', 'over', 'spawned', 'over'])
  })

  it('is ended in the middle of work that hears nothing', async () => {
    let child: Identity = { pid: 0, started: '' }
    const errand = startErrand('Counting', script('busy.ts', 'for (;;) { /* as a parser does */ }'), environment, { spawned: (pid) => { child = identify(pid) } })
    assert.ok(lives(child))
    const failed = assert.rejects(errand.done, { message: 'Counting failed: it ended with SIGTERM' })
    await errand.stop()
    assert.ok(!lives(child))
    await failed
  })
})
