/**
 * Runs a TypeScript script of this project on a bare machine: checks Node, installs dependencies when they are missing or older than
 * the lockfile, then starts the script through tsx. It is not TypeScript because nothing that reads TypeScript is installed yet.
 */
import { spawn } from 'node:child_process'
import { existsSync, lstatSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const fail = (message, code = 1) => { process.stderr.write(`${message}\n`); process.exit(code) }
const time = (path) => (existsSync(`${root}${path}`) ? statSync(`${root}${path}`).mtimeMs : 0)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) fail(`Hydrophone needs Node 20.19 or newer; this is ${process.versions.node}. Install it and run the same command again.`)

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Runs a program to its end; `onSignal` is called with each signal that comes meanwhile. Resolves to how it ended. */
const run = (name, args, options, onSignal) => new Promise((resolve) => {
  // Heard from before the start on: a signal in between would end this process alone.
  const listeners = signals.map((signal) => [signal, () => { onSignal(child, signal) }])
  for (const [signal, listener] of listeners) process.on(signal, listener)
  const child = spawn(name, args, { cwd: root, ...options })
  const ended = (end) => { for (const [signal, listener] of listeners) process.off(signal, listener); resolve(end) }
  child.once('error', (error) => { ended({ code: 1, signal: null, error }) })
  child.once('exit', (code, signal) => { ended({ code, signal }) })
})
const codeOf = ({ code, signal }) => code ?? (signal === 'SIGINT' ? 130 : 143)

const [script, ...rest] = process.argv.slice(2)
if (script === undefined) fail('usage: node scripts/bootstrap.mjs SCRIPT [ARGUMENTS]')

const installed = 'node_modules/.package-lock.json'
if (time(installed) < time('package-lock.json')) {
  // npm ci would empty the folder behind a link, which is another project's.
  if (lstatSync(`${root}node_modules`, { throwIfNoEntry: false })?.isSymbolicLink()) fail(`${root}node_modules is a link, and what is behind it is older than package-lock.json: install the dependencies there, or remove the link and run the same command again.`)
  process.stderr.write('Installing dependencies (npm ci); the first time takes a minute or two …\n')
  let stopped = false
  // A group of its own, ended at once: npm would go on for a minute after Ctrl-C and meet the next run. What it leaves, `npm ci` clears away.
  const options = { stdio: ['ignore', 2, 2], detached: true }
  const end = await run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error', '--progress=true'], options, (child) => {
    stopped = true
    try { process.kill(-child.pid, 'SIGKILL') } catch { /* it ended by itself */ }
  })
  if (stopped) fail('Stopped while the dependencies were being installed; the next run installs them anew.', 130)
  if (codeOf(end) !== 0) fail(`The dependencies could not be installed${end.error ? ` (${end.error.message})` : ''}. See npm's words above: most often there is no network, no room on the disk, or no right to write to ${root}node_modules.`)
}

// Ctrl-C reaches the script through the terminal as well; it counts repeated signals as one.
const end = await run(process.execPath, ['--import', 'tsx', `${root}${script}`, ...rest], { stdio: 'inherit' }, (child, signal) => { child.kill(signal) })
if (end.error) fail(end.error.message)
process.exit(codeOf(end))
