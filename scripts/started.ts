/** What a run has started, so that a signal in the middle of it leaves nothing: servers are processes of their own and outlive whoever started them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { leave } from './up/leave.js'
import { descendantsOf, end, identify, lives, type Identity } from './up/processes.js'

export interface Started {
  /** A new directory for a run; `part` names what lies in it. Throws once all is being ended. */
  directory(part?: string): string
  /** To be told of each process at once, before it answers. One that comes when all is being ended, or has been, is ended too. */
  spawned(pid: number): void
  /** To be told what ends more than one process, and goes before them; when all is being ended, it is done at once. */
  ending(stop: () => Promise<void>): void
  /** Takes a directory away. */
  remove(directory: string): void
  /** Ends everything and removes every directory. Nothing stays of what the run still starts. */
  end(): Promise<void>
}

/** `prefix`: what the names of its directories begin with. */
export const openStarted = (prefix: string): Started => {
  const processes = new Set<Identity>(), directories = new Set<string>(), stops: (() => Promise<void>)[] = []
  let closed = false
  const gone = async (one: Identity): Promise<void> => { await end(one, 0); processes.delete(one) }
  const remove = (directory: string): void => { directories.delete(directory); rmSync(directory, { recursive: true, force: true }) }
  return {
    directory: (part = '') => {
      if (closed) throw new Error('the run is being ended: it begins nothing more')
      const directory = mkdtempSync(join(tmpdir(), `${prefix}${part}`))
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

/** Ends all processes that descend from this one, those too that a program of another's has started. Whoever is ended ends its own first; one whose parent is gone already is among those read before. */
export const endDescendants = async (): Promise<void> => {
  const left = (): Identity[] => descendantsOf(process.pid).map(identify).filter(lives)
  for (let now = left(); now.length > 0; now = left()) await Promise.all(now.map((one) => end(one, 5_000)))
}

/** From here on SIGINT, SIGTERM and SIGHUP end the run with all it has started. Gives whether one has come: what fails then fails for that. Whoever reads the output may go, as a terminal that is closed does. */
export const endOnSignals = (started: Started, say: (text: string) => void): (() => boolean) => {
  let signalled = false
  for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signalled) return
      signalled = true
      // The run fails because its servers are ended: that is not what it is to say.
      process.on('uncaughtException', () => undefined)
      say('Stopping …')
      void started.end().finally(() => { leave(128 + constants.signals[signal]) })
    })
  }
  return () => signalled
}
