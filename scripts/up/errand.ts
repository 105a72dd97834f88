/** A program of this project that is run to its end, and that a stop ends before: whatever it does is done again at the next start. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../schemas/errors.js'
import { nodeArguments } from '../nodeArguments.js'
import { end, identify } from './processes.js'

export interface Errand {
  /** What it said when it has ended well; rejects with its last words where it has not. */
  readonly done: Promise<string>
  /** Resolves when it is gone. */
  stop(): Promise<void>
}

/** Milliseconds until one that does not end by itself is killed. */
const graceMs = 2_000

/** Starts `script` of this project; `what` names it in an error. `spawned` is told its process, `over` that it has ended. */
export const startErrand = (what: string, script: string, environment: Record<string, string>, hooks: { spawned?: (pid: number) => void; over?: () => void } = {}): Errand => {
  // Detached: Ctrl-C reaches `up` alone, which ends it.
  const child = spawn(process.execPath, [...nodeArguments(script), fileURLToPath(new URL(`../../${script}`, import.meta.url))], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)), stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: environment,
  })
  const identity = child.pid === undefined ? undefined : identify(child.pid)
  let said = '', wrong = ''
  child.stdout.on('data', (chunk: Buffer) => { said += chunk.toString('utf8') })
  child.stderr.on('data', (chunk: Buffer) => { wrong = (wrong + chunk.toString('utf8')).slice(-2_000) })
  const gone = new Promise<string>((resolve) => {
    child.once('error', (fault) => { resolve(fault.message) })
    child.once('close', (code, signal) => { resolve(code === 0 ? '' : wrong.trim() === '' ? `it ended with ${signal ?? `exit code ${code ?? '?'}`}` : wrong.trim()) })
  })
  if (child.pid !== undefined) hooks.spawned?.(child.pid)
  const done = gone.then((why) => {
    hooks.over?.()
    if (why !== '') throw new AppError('CHILD_FAILED', `${what} failed: ${why}`)
    return said.trim()
  })
  return { done, stop: async () => { if (identity !== undefined) await end(identity, graceMs); await gone } }
}
