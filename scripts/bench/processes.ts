/** Processes under measurement: started from here, sampled through /proc, ended by their process id. */
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeArguments } from '../nodeArguments.js'
import { descendantsOf, statOf } from '../up/processes.js'

export interface Usage { /** CPU-seconds since the start. */ readonly cpu: number; /** Resident bytes now. */ readonly resident: number }

/** What a process has used; zeros when it is gone. Linux counts CPU in hundredths of a second. */
export const usageOf = (pid: number | undefined): Usage => {
  try {
    const fields = pid === undefined ? [] : statOf(pid)
    const status = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))
    return { cpu: (Number(fields[11]) + Number(fields[12])) / 100, resident: Number(status?.[1] ?? 0) * 1_024 }
  } catch { return { cpu: 0, resident: 0 } }
}

/** CPU-seconds of a process, of all that descend from it, and of those that have ended and were waited for. */
export const familyCpu = (pid: number | undefined): number =>
  (pid === undefined ? [] : [pid, ...descendantsOf(pid)]).reduce((sum, id) => { const fields = statOf(id); return sum + [11, 12, 13, 14].reduce((ticks, at) => ticks + Number(fields[at] ?? 0), 0) / 100 }, 0)

/** CPU-seconds of the machine since it started: busy, and all there were. */
const machine = (): { readonly busy: number; readonly all: number } => {
  const [, user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/).map(Number)
  const busy = user + nice + system + irq + soft + steal
  return { busy: busy / 100, all: (busy + idle + wait) / 100 }
}

/** Starts a stretch; its end gives the share (0 to 1) of the machine's CPU that went to processes which are none of ours. */
export const watchOthers = (): (() => number) => {
  const look = () => ({ ...machine(), own: familyCpu(process.pid) })
  const before = look()
  return () => {
    const after = look()
    return Math.max(0, (after.busy - before.busy - (after.own - before.own)) / (after.all - before.all))
  }
}

/** Waits until less than a tenth of the machine was busy for `seconds` in a row: what was done before is over then. Resolves to whether that came within two minutes. */
export const untilQuiet = async (seconds: number): Promise<boolean> => {
  let still = 0
  for (let rounds = 0, before = machine(); still < seconds && rounds < 120; rounds += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const now = machine()
    still = now.busy - before.busy < (now.all - before.all) / 10 ? still + 1 : 0
    before = now
  }
  return still >= seconds
}

export interface Measured { readonly process: ChildProcess; /** Largest resident size seen so far, in bytes. */ peak(): number; cpu(): number; /** First line it wrote to standard output. */ line(): Promise<string>; stop(): Promise<void> }

/** Starts a TypeScript script of the project with `environment` and nothing else of ours. */
export const startMeasured = (script: URL, args: readonly string[], environment: Record<string, string>): Measured => {
  const path = fileURLToPath(script)
  const child = spawn(process.execPath, [...nodeArguments(relative(fileURLToPath(new URL('../..', import.meta.url)), path)), path, ...args], { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment } })
  let peak = 0
  let text = ''
  const waiting: ((line: string) => void)[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    if (process.env['BENCH_LOG'] !== undefined) process.stderr.write(chunk)
    if (text.includes('\n')) return
    text += chunk.toString('utf8')
    if (text.includes('\n')) for (const resolve of waiting) resolve(text.split('\n')[0] ?? '')
  })
  const timer = setInterval(() => { peak = Math.max(peak, usageOf(child.pid).resident) }, 100)
  const exited = new Promise<void>((resolve) => child.once('exit', () => { clearInterval(timer); resolve() }))
  return {
    process: child, peak: () => peak, cpu: () => usageOf(child.pid).cpu,
    line: () => new Promise((resolve) => { if (text.includes('\n')) resolve(text.split('\n')[0] ?? ''); else waiting.push(resolve) }),
    stop: async () => { if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM'); await exited },
  }
}
