/** A run of the tests that is stopped by a signal leaves no server, whenever the signal comes. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { descendantsOf, end, identify, lives, type Identity } from '../../scripts/up/processes.js'
import { startScript, type Started } from '../support/run.js'

const isClickHouse = (pid: number): boolean => { try { return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('clickhouse-process') } catch { return false } }
/** Until the first server is there, long before it answers. */
const starting = async ({ child }: Started): Promise<void> => { while (!descendantsOf(child.pid).some(isClickHouse) && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20)) }
const running = (run: Started): Promise<void> => run.says('a test waits')

describe('a run of the tests that is stopped by a signal', function () {
  this.timeout(120_000)
  for (const [signal, code, when, until] of [['SIGINT', 130, 'while its servers start', starting], ['SIGHUP', 129, 'as of a terminal that ends, while tests run', running]] as const) {
    it(`ends its servers and takes their folder away: ${signal} ${when}`, async () => {
      const within = mkdtempSync(join(tmpdir(), 'hydrophone-test-ended-')), file = join(within, 'waits.test.mjs')
      writeFileSync(file, "it('waits', function (done) { this.timeout(60_000); console.log('a test waits'); setTimeout(done, 50_000) })")
      const run = startScript('scripts/test.ts', [file], { TMPDIR: within })
      let begun: Identity[] = []
      try {
        await until(run)
        begun = descendantsOf(run.child.pid).map(identify).filter(lives)
        assert.ok(begun.length > 0, `it ended before it was stopped: ${run.text()}`)
        run.child.kill(signal)
        // A terminal tells all of a group, and npm tells its child once more.
        run.child.kill(signal)
        const ended = await run.ended
        assert.deepEqual(begun.filter(lives), [])
        assert.deepEqual([ended.code, ended.signal], [code, null], ended.text)
        assert.match(ended.text, /\nStopping …\n$/)
        assert.deepEqual(readdirSync(within, { recursive: true, encoding: 'utf8' }).filter((name) => /(^|\/)(clickhouse|redis)$/.test(name)), [])
      } finally {
        run.child.kill('SIGKILL')
        for (const one of begun) await end(one, 0)
        rmSync(within, { recursive: true, force: true })
      }
    })
  }
})
