/**
 * Runs a TypeScript script of this project on a bare machine: checks Node, installs dependencies when they are missing or older than
 * the lockfile, then starts the script through tsx. It is not TypeScript because nothing that reads TypeScript is installed yet.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const fail = (message) => { process.stderr.write(`${message}\n`); process.exit(1) }
const time = (path) => (existsSync(`${root}${path}`) ? statSync(`${root}${path}`).mtimeMs : 0)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) fail(`Hydrophone needs Node 20.19 or newer; this is ${process.versions.node}. Install it and run the same command again.`)

const installed = 'node_modules/.package-lock.json'
if (time(installed) < time('package-lock.json')) {
  process.stderr.write('Installing dependencies (npm ci); the first time takes a minute or two …\n')
  const { status, error } = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', '--progress=true'], { cwd: root, stdio: ['ignore', 2, 2] })
  if (error || status !== 0) fail(`The dependencies could not be installed${error ? ` (${error.message})` : ''}. See npm's words above: most often there is no network, no room on the disk, or no right to write to ${root}node_modules.`)
}

const [script, ...rest] = process.argv.slice(2)
if (script === undefined) fail('usage: node scripts/bootstrap.mjs SCRIPT [ARGUMENTS]')
const child = spawn(process.execPath, ['--import', 'tsx', `${root}${script}`, ...rest], { cwd: root, stdio: 'inherit' })
// Ctrl-C reaches the child through the terminal as well; a script counts repeated signals as one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => { child.kill(signal) })
child.on('error', (error) => { fail(error.message) })
child.on('exit', (code, signal) => { process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)) })
