/** One `up` at a time on a data directory. The lock names what was started, so that what a killed `up` left behind can be ended. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../schemas/errors.js'
import { end, identify, lives, type Identity } from './processes.js'

const Identified = z.object({ pid: z.number().int().positive(), started: z.string() })
const Content = Identified.extend({ children: z.array(Identified.extend({ name: z.string() })) })
type Content = z.infer<typeof Content>

export interface Lock {
  /** Notes a process that was started here. */
  note(name: string, pid: number): void
  /** That one has ended by itself. */
  forget(name: string): void
  release(): void
}

const read = (path: string): Content | undefined => {
  try { return Content.parse(JSON.parse(readFileSync(path, 'utf8'))) } catch { return undefined }
}

/** Takes the lock, ending what an `up` that is gone left running; an error names the one that still runs. */
export const takeLock = async (directory: string, say: (line: string) => void): Promise<Lock> => {
  const path = join(directory, 'up.lock')
  const own = identify(process.pid)
  const children = new Map<string, Identity>()
  const write = (flag: 'w' | 'wx'): void => {
    const text = JSON.stringify({ ...own, children: [...children].map(([name, child]) => ({ name, ...child })) })
    if (flag === 'wx') { writeFileSync(path, text, { flag }); return }
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }
  for (;;) {
    try { write('wx'); break } catch (thrown) { if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown }
    const holder = read(path)
    if (holder !== undefined && lives(holder)) {
      throw new AppError('ALREADY_UP', `Hydrophone is already running on ${directory} (process ${holder.pid}). Stop it with Ctrl-C or \`kill ${holder.pid}\`, or choose another directory: DATA_DIR=./data2 PORT=8081 npm run up`)
    }
    const left = (holder?.children ?? []).filter(lives)
    say(`The last run on ${directory} ended without stopping${left.length === 0 ? '' : `; ending what it left: ${left.map((child) => `${child.name} (${child.pid})`).join(', ')}`}`)
    // The stores go last, as in an ordinary stop.
    for (const child of left.reverse()) await end(child, 20_000)
    // Another start may have waited for the same ones and taken the lock by now.
    if (JSON.stringify(read(path)) === JSON.stringify(holder)) rmSync(path, { force: true })
  }
  return {
    note: (name, pid) => { children.set(name, identify(pid)); write('w') },
    forget: (name) => { if (children.delete(name)) write('w') },
    release: () => { rmSync(path, { force: true }) },
  }
}
