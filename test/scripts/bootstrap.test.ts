import assert from 'node:assert/strict'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, startProgram } from '../support/run.js'

/** A checkout without dependencies, and an `npm` that does what `script` says. */
const checkout = (script: string | null): { directory: string; path: string } => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrophone-bootstrap-'))
  const path = join(directory, 'bin')
  for (const folder of ['scripts', 'bin']) mkdirSync(join(directory, folder))
  copyFileSync(join(root, 'scripts/bootstrap.mjs'), join(directory, 'scripts/bootstrap.mjs'))
  writeFileSync(join(directory, 'package-lock.json'), '{}')
  writeFileSync(join(directory, 'scripts/hello.ts'), 'process.stdout.write(`hello ${process.argv.slice(2).join(" ")}\\n`); process.exit(7)')
  if (script !== null) {
    writeFileSync(join(path, 'npm'), `#!/bin/sh\n${script}\n`)
    chmodSync(join(path, 'npm'), 0o755)
  }
  return { directory, path: `${path}:/usr/bin:/bin` }
}
const start = ({ directory, path }: { directory: string; path: string }) => startProgram(process.execPath, [join(directory, 'scripts/bootstrap.mjs'), 'scripts/hello.ts', '--once'], { PATH: path }, directory)

describe('the bootstrap', () => {
  const made: string[] = []
  const fresh = (script: string | null) => { const one = checkout(script); made.push(one.directory); return one }
  after(() => { for (const directory of made) rmSync(directory, { recursive: true, force: true }) })

  it('installs what is missing, once, and passes arguments and exit code on', async () => {
    const one = fresh('echo "$@" >> npm.log; mkdir -p node_modules; touch node_modules/.package-lock.json')
    symlinkSync(join(root, 'node_modules/tsx'), (mkdirSync(join(one.directory, 'node_modules')), join(one.directory, 'node_modules/tsx')))
    const [first, second] = [await start(one).ended, await start(one).ended]
    assert.match(first.text, /^Installing dependencies \(npm ci\).*\nhello --once\n$/)
    assert.equal(second.text, 'hello --once\n')
    assert.deepEqual([first.code, second.code], [7, 7])
    assert.equal(readFileSync(join(one.directory, 'npm.log'), 'utf8').trim().split('\n').length, 1)
  })

  it('says why the dependencies could not be installed', async () => {
    const failed = await start(fresh('echo "npm error code ENOSPC" >&2; exit 1')).ended
    assert.match(failed.text, /npm error code ENOSPC\nThe dependencies could not be installed\. See npm's words above: most often there is no network, no room on the disk/)
    assert.equal(failed.code, 1)
    const one = fresh(null)
    const missing = await start({ ...one, path: join(one.directory, 'bin') }).ended
    assert.match(missing.text, /could not be installed \(spawn npm ENOENT\)/)
    assert.equal(missing.code, 1)
  })

  it('stopped while it installs, ends npm and what npm started at once', async () => {
    const one = fresh('sleep 300 & echo $! > sleeper; echo installing; wait')
    const running = start(one)
    await running.says('installing\n')
    running.child.kill('SIGINT')
    const { code, text } = await running.ended
    assert.match(text, /Stopped while the dependencies were being installed; the next run installs them anew\.\n$/)
    assert.equal(code, 130)
    const sleeper = readFileSync(join(one.directory, 'sleeper'), 'utf8').trim()
    const state = (): string => { try { return readFileSync(`/proc/${sleeper}/stat`, 'utf8').split(') ')[1]?.slice(0, 1) ?? 'Z' } catch { return 'Z' } }
    for (let turn = 0; turn < 100 && state() !== 'Z'; turn += 1) await new Promise((resolve) => setTimeout(resolve, 20))
    assert.ok(!existsSync('/proc/self') || state() === 'Z', 'what npm had started still runs')
  })
})
