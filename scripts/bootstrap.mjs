/**
 * Runs a TypeScript script of this project on a bare machine: checks Node, installs dependencies when they are missing or older than
 * the lockfile, then starts the script through tsx. It is not TypeScript because nothing that reads TypeScript is installed yet.
 */
import { spawn } from 'node:child_process'
import { existsSync, fstatSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { basename } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const terminals = [0, 1, 2].filter((fd) => isatty(fd))
/** As `leave` of scripts/up/leave.ts: Node aborts when it exits after its terminal has ended. */
const leave = (code) => {
  if (terminals.every((fd) => isatty(fd))) process.exit(code)
  process.removeAllListeners('SIGHUP')
  process.kill(process.pid, 'SIGHUP')
}
const fail = (message, code = 1) => { process.stderr.write(`${message}\n`); leave(code) }
const time = (path) => (existsSync(`${root}${path}`) ? statSync(`${root}${path}`).mtimeMs : 0)

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) fail(`Hydrophone needs Node 20.19 or newer; this is ${process.versions.node}. Install it and run the same command again.`)

/**
 * Whether SIGHUP was ignored when this was started, as nohup and `trap '' HUP` have it: then it goes on when its terminal ends. Node sets every
 * signal to its default before a script runs, npm's too, and again in what it starts: /proc/self/status (SigIgn) never shows it. What is left of it is
 * looked for at this process and at those of Node above it, as npm is. nohup has become npm: its name stands in `_`, where bash and zsh write what
 * they start, and instead of a terminal it leaves /dev/null as input, open for writing alone. A shell that ignores SIGHUP is still there, and says so.
 */
const hangupIgnored = () => {
  const read = (pid, name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
  try {
    const access = parseInt(/^flags:\s*(\d+)/m.exec(read('self', 'fdinfo/0'))?.[1] ?? '0', 8) & 3
    if (access === 1 && fstatSync(0).rdev === statSync('/dev/null').rdev) return true
    for (let pid = process.pid; pid > 1;) {
      if (!basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('node')) return (parseInt(/^SigIgn:.*(.)$/m.exec(read(pid, 'status'))?.[1] ?? '0', 16) & 1) === 1
      if (/(^|\0)_=([^\0]*\/)?nohup(\0|$)/.test(read(pid, 'environ'))) return true
      pid = Number(/^PPid:\s*(\d+)/m.exec(read(pid, 'status'))?.[1] ?? 0)
    }
  } catch { /* no /proc, or a process of another user: then SIGHUP ends it, as everywhere else */ }
  return false
}
const outlivesTerminal = hangupIgnored()
if (outlivesTerminal) process.on('SIGHUP', () => undefined)
/**
 * What a signal is told to: whom is running now. Heard from the start to the end: one before the first start, or after the last end, would end this
 * process with another code than its script's. A terminal tells all of a group, and npm tells its child once more.
 */
let onSignal = (_signal) => undefined
for (const signal of outlivesTerminal ? ['SIGINT', 'SIGTERM'] : ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => { onSignal(signal) })
/** Runs a program to its end; `whileItRuns` is called with each signal that comes meanwhile. Resolves to how it ended. */
const run = (name, args, options, whileItRuns) => new Promise((resolve) => {
  const child = spawn(name, args, { cwd: root, ...options })
  onSignal = (signal) => { whileItRuns(child, signal) }
  child.once('error', (error) => { resolve({ code: 1, signal: null, error }) })
  child.once('exit', (code, signal) => { resolve({ code, signal }) })
})
/** As shells tell it of what a signal ended: killed where memory ran out is not stopped. */
const codeOf = ({ code, signal }) => code ?? 128 + (constants.signals[signal] ?? 0)

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

// Ctrl-C reaches the script through the terminal as well; it counts repeated signals as one. Where it is to outlive the terminal it has a session of its own, which no terminal ends.
const end = await run(process.execPath, ['--import', 'tsx/esm', `${root}${script}`, ...rest], { stdio: 'inherit', detached: outlivesTerminal }, (child, signal) => { child.kill(signal) })
if (end.error) fail(end.error.message)
leave(codeOf(end))
