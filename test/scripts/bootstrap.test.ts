import assert from 'node:assert/strict'
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identify, lives } from '../../scripts/up/processes.js'
import { until } from '../support/pipeline.js'
import { root, startProgram } from '../support/run.js'

/** A checkout without dependencies, and an `npm` that does what `script` says. */
const checkout = (script: string | null): { directory: string; path: string } => {
  const directory = mkdtempSync(join(tmpdir(), 'hydrophone-bootstrap-'))
  const path = join(directory, 'bin')
  for (const folder of ['scripts', 'bin']) mkdirSync(join(directory, folder))
  copyFileSync(join(root, 'scripts/bootstrap.mjs'), join(directory, 'scripts/bootstrap.mjs'))
  writeFileSync(join(directory, 'package-lock.json'), '{}')
  // The scripts are modules, as package.json says of them.
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
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

  it('ends with the code that shells have for the signal that ended the script', async () => {
    const one = fresh(null)
    mkdirSync(join(one.directory, 'node_modules'))
    symlinkSync(join(root, 'node_modules/tsx'), join(one.directory, 'node_modules/tsx'))
    writeFileSync(join(one.directory, 'node_modules/.package-lock.json'), '{}')
    for (const [signal, code] of [['SIGKILL', 137], ['SIGTERM', 143], ['SIGINT', 130]] as const) {
      writeFileSync(join(one.directory, 'scripts/hello.ts'), `process.kill(process.pid, '${signal}'); setInterval(() => undefined, 1_000)`)
      assert.equal((await start(one).ended).code, code)
    }
  })

  it('goes on when its terminal ends where SIGHUP was ignored at the start, and passes it on elsewhere', async () => {
    const one = fresh(null)
    mkdirSync(join(one.directory, 'node_modules'))
    symlinkSync(join(root, 'node_modules/tsx'), join(one.directory, 'node_modules/tsx'))
    writeFileSync(join(one.directory, 'node_modules/.package-lock.json'), '{}')
    writeFileSync(join(one.directory, 'scripts/hello.ts'), `setInterval(() => undefined, 1_000)
      for (const [signal, code] of Object.entries({ SIGHUP: 9, SIGTERM: 8 })) process.on(signal, () => process.exit(code))
      process.stdout.write('ready')`)
    const node = `'${process.execPath}' scripts/bootstrap.mjs scripts/hello.ts`
    // What stands between is what npm is: a process of Node that starts another.
    const npm = `'${process.execPath}' -e 'const { spawn } = require("node:child_process"); const c = spawn(process.execPath, ["scripts/bootstrap.mjs", "scripts/hello.ts"], { stdio: "inherit" }); process.on("SIGHUP", () => {}); process.on("SIGTERM", () => c.kill()); c.on("exit", (code) => process.exit(code))'`
    for (const [command, code] of [[`nohup ${node}`, 8], [`nohup ${npm}`, 8], [`trap '' HUP; ${npm}`, 8], [npm, 9]] as const) {
      const running = startProgram('setsid', ['bash', '-c', `${command}; exit $?`], { PATH: one.path }, one.directory)
      await running.says('ready')
      const group = running.child.pid ?? 0, members = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => { try { const [state, , inGroup] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []; return Number(inGroup) === group && state !== 'Z' ? [Number(name)] : [] } catch { return [] } })
      // The shell keeps to itself what it is told, so that it can say how the program ended.
      // One that SIGHUP ends gets no other: of two signals at once, either may be heard of first.
      for (const signal of code === 9 ? ['SIGHUP'] as const : ['SIGHUP', 'SIGTERM'] as const) for (const pid of members) if (pid !== group) { try { process.kill(pid, signal) } catch { /* it has ended by the first */ } }
      assert.equal((await running.ended).code, code, `${command}: ${running.text()}`)
    }
  })

  it('ends with the code of its script however often it is told to end, until it is gone', async () => {
    const one = fresh(null)
    mkdirSync(join(one.directory, 'node_modules'))
    symlinkSync(join(root, 'node_modules/tsx'), join(one.directory, 'node_modules/tsx'))
    writeFileSync(join(one.directory, 'node_modules/.package-lock.json'), '{}')
    writeFileSync(join(one.directory, 'scripts/hello.ts'), `import { spawn } from 'node:child_process'
      setInterval(() => undefined, 1_000)
      process.on('SIGTERM', () => process.exit(8))
      spawn('sh', ['-c', 'while kill -TERM ' + process.ppid + '; do sleep 0.001; done'], { detached: true, stdio: 'ignore' })`)
    for (let run = 0; run < 3; run += 1) assert.equal((await start(one).ended).code, 8)
  })

  it('ends without a word of Node when its terminal has ended', async () => {
    const one = fresh(null)
    mkdirSync(join(one.directory, 'node_modules'))
    symlinkSync(join(root, 'node_modules/tsx'), join(one.directory, 'node_modules/tsx'))
    writeFileSync(join(one.directory, 'node_modules/.package-lock.json'), '{}')
    writeFileSync(join(one.directory, 'scripts/hello.ts'), `import { writeFileSync } from 'node:fs'
      import { leave } from '${join(root, 'scripts/up/leave.ts')}'
      setInterval(() => undefined, 1_000)
      process.on('SIGHUP', () => { writeFileSync('hello.log', 'SIGHUP'); leave(0) })
      writeFileSync('bootstrap.pid', String(process.ppid))
      process.stderr.write('ready')`)
    // script(1) is the terminal: what it shows ends with it.
    const terminal = startProgram('script', ['-qec', `exec '${process.execPath}' scripts/bootstrap.mjs scripts/hello.ts 2> errors.log`, '/dev/null'], { PATH: one.path, SHELL: '/bin/sh' }, one.directory)
    const text = (file: string): string => { try { return readFileSync(join(one.directory, file), 'utf8') } catch { return '' } }
    await until(async () => Promise.resolve(text('errors.log') === 'ready'), 'it was not started')
    const bootstrap = identify(Number(text('bootstrap.pid')))
    assert.ok(lives(bootstrap))
    terminal.child.kill('SIGKILL')
    await until(async () => Promise.resolve(!lives(bootstrap)), 'it does not end')
    assert.deepEqual([text('hello.log'), text('errors.log')], ['SIGHUP', 'ready'])
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
