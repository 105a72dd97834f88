/** What a simulated run has started, so that a signal in the middle of it leaves nothing: servers are processes of their own and outlive whoever started them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { end, identify, type Identity } from '../up/processes.js'

export interface Started {
  /** A new directory for a run. Throws once all is being ended. */
  directory(): string
  /** To be told of each process at once, before it answers. One that comes when all is being ended, or has been, is ended too. */
  spawned(pid: number): void
  /** To be told what ends more than one process, and goes before them; when all is being ended, it is done at once. */
  ending(stop: () => Promise<void>): void
  /** Takes a directory away. */
  remove(directory: string): void
  /** Ends everything and removes every directory. Nothing stays of what the run still starts. */
  end(): Promise<void>
}

export const openStarted = (): Started => {
  const processes = new Set<Identity>(), directories = new Set<string>(), stops: (() => Promise<void>)[] = []
  let closed = false
  const gone = async (one: Identity): Promise<void> => { await end(one, 0); processes.delete(one) }
  const remove = (directory: string): void => { directories.delete(directory); rmSync(directory, { recursive: true, force: true }) }
  return {
    directory: () => {
      if (closed) throw new Error('the run is being ended: it begins nothing more')
      const directory = mkdtempSync(join(tmpdir(), 'hydrophone-simulate-'))
      directories.add(directory)
      return directory
    },
    // The last processes may be gone before the next is told of: nobody would come for it.
    spawned: (pid) => { const one = identify(pid); processes.add(one); if (closed) void gone(one) },
    ending: (stop) => { if (closed) void stop(); else stops.push(stop) },
    remove,
    end: async () => {
      closed = true
      await Promise.all(stops.map((stop) => stop()))
      while (processes.size > 0) await Promise.all([...processes].map(gone))
      for (const directory of [...directories]) remove(directory)
    },
  }
}
