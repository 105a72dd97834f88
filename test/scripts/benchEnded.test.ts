/** A bench that is stopped by a signal leaves no server and no folder. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { descendantsOf, identify, lives } from '../../scripts/up/processes.js'

const main = fileURLToPath(new URL('../../scripts/bench/main.ts', import.meta.url))

describe('a bench that is stopped by a signal', () => {
  it('knows of every folder: none is made but by beginFolder', () => {
    const within = fileURLToPath(new URL('../../scripts/bench/', import.meta.url))
    const programs = readdirSync(within, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    assert.deepEqual(programs.filter((name) => /mkdtemp/.test(readFileSync(join(within, name), 'utf8'))), [])
  })

  it('ends its servers and takes its folders away', async function () {
    this.timeout(120_000)
    const within = mkdtempSync(join(tmpdir(), 'hydrophone-test-bench-'))
    const bench = spawn(process.execPath, ['--import', 'tsx/esm', main, '--only', 'tip'], { env: { ...process.env, TMPDIR: within }, stdio: 'ignore' })
    try {
      // Its servers come one after the other, when it has its folder: some of them stand, the rest are to come.
      const folders = (): string[] => readdirSync(within).filter((name) => name.startsWith('hydrophone-bench-'))
      while ((folders().length === 0 || descendantsOf(bench.pid).length < 2) && bench.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 50))
      const begun = descendantsOf(bench.pid).map(identify)
      assert.ok(begun.length >= 2, 'the bench ended before it was stopped')
      bench.kill('SIGTERM')
      const [code] = await once(bench, 'exit') as [number | null]
      assert.equal(code, 143)
      assert.deepEqual(begun.filter(lives), [])
      assert.deepEqual(folders(), [])
    } finally { bench.kill('SIGKILL'); rmSync(within, { recursive: true, force: true }) }
  })
})
