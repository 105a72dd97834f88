/** Programs of this project as their users start them: a process of its own, with only the environment it is given. */
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export interface Ended { readonly code: number | null; readonly signal: NodeJS.Signals | null; /** Both outputs, in the order they came. */ readonly text: string }
export interface Started { readonly child: ChildProcess; /** Resolves when the outputs hold `what`; rejects when the process ends before that. */ says(what: string): Promise<void>; readonly ended: Promise<Ended>; text(): string }

/** Starts `program` with `args`; PATH and HOME are passed on unless `environment` has others. */
export const startProgram = (program: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}, cwd = root): Started => {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment } })
  let text = ''
  let waiting: (() => void)[] = []
  const wake = (): void => { const now = waiting; waiting = []; for (const one of now) one() }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => { text += chunk.toString('utf8'); wake() })
  let over = false
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => { over = true; resolve({ code, signal, text }); wake() })
  })
  return {
    child, ended, text: () => text,
    says: async (what) => {
      while (!text.includes(what)) {
        if (over) throw new Error(`it ended without saying '${what}': ${text}`)
        await new Promise<void>((resolve) => { waiting.push(resolve) })
      }
    },
  }
}

/** Starts a TypeScript file of this project. */
export const startScript = (script: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}): Started =>
  startProgram(process.execPath, ['--import', 'tsx/esm', script, ...args], environment)

/** Runs a TypeScript file of this project to its end. */
export const runScript = (script: string, args: readonly string[] = [], environment: Readonly<Record<string, string>> = {}): Promise<Ended> => startScript(script, args, environment).ended
