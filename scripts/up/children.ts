/** The worker and the API as processes of their own. They get the variables of Hydrophone and little else of the environment. */
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { variables } from '../../schemas/config.js'
import { AppError } from '../../schemas/errors.js'
import type { Part } from './keep.js'
import { end, identify } from './processes.js'
import { makeOwnDirectory } from '../embedded/secretFile.js'
import { nodeArguments } from '../nodeArguments.js'

const passed = ['PATH', 'HOME', 'LANG', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', ...Object.keys(variables)]

/** What a child is given: known variables of `environment`, then `settings`. */
export const childEnvironment = (environment: NodeJS.ProcessEnv, settings: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(passed.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]]))), ...settings,
})

/** The line of a log that names the last error, else its last one unless that is an ordinary log line. */
const lastWords = (path: string): string => {
  const lines = readFileSync(path, 'utf8').split('\n').slice(-100).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('Node.js') && !line.startsWith('{'))
  return (lines.findLast((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? '').slice(0, 300)
}

/** Starts `script` of this project; its output goes to DATA_DIR/logs/NAME.log. `ready` is asked until it says true. */
export const startChild = async (name: string, script: string, dataDir: string, environment: Record<string, string>, ready: () => Promise<boolean>, graceMs: number, spawned: (pid: number) => void = () => undefined): Promise<Part> => {
  makeOwnDirectory(join(dataDir, 'logs'))
  const path = join(dataDir, 'logs', `${name}.log`)
  const log = openSync(path, 'a')
  // Detached: Ctrl-C reaches `up` alone, which stops its parts in order.
  const child = spawn(process.execPath, [...nodeArguments(script), fileURLToPath(new URL(`../../${script}`, import.meta.url))], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: ['ignore', log, log], detached: true, env: environment,
  })
  closeSync(log)
  const gone = new Promise<void>((resolve) => { child.once('exit', () => { resolve() }); child.once('error', () => { resolve() }) })
  const pid = child.pid
  if (pid === undefined) throw new AppError('CHILD_FAILED', `${name} could not be started`)
  const identity = identify(pid)
  spawned(pid)
  const dead = (): boolean => child.exitCode !== null || child.signalCode !== null
  for (const deadline = Date.now() + 60_000; !(await ready());) {
    if (dead() || Date.now() > deadline) {
      await end(identity, 0)
      throw new AppError('CHILD_FAILED', `${name} did not start: ${lastWords(path)} (more in ${path})`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { gone, lastWords: () => lastWords(path), stop: async () => { await end(identity, graceMs); await gone } }
}
