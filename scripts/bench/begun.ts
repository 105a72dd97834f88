/** What a run has begun, so that a signal in the middle of it leaves nothing: its folders, and the processes that descend from it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { end, identify } from '../up/processes.js'
import { descendantsOf } from './processes.js'

const folders = new Set<string>()

/** A new folder of the run; `part` names what lies in it. */
export const beginFolder = (part = ''): string => {
  const folder = mkdtempSync(join(tmpdir(), `hydrophone-bench-${part}`))
  folders.add(folder)
  return folder
}

/** Takes a folder away with all in it. */
export const endFolder = (folder: string): void => {
  rmSync(folder, { recursive: true, force: true })
  folders.delete(folder)
}

/** From here on SIGINT, SIGTERM and SIGHUP end the run with all it has begun. */
export const endOnSignals = (say: (text: string) => void): void => {
  let signalled = false
  const endAll = async (): Promise<void> => {
    // A server that is ended ends its own first; one whose parent is gone already is among those read before.
    for (let left = descendantsOf(process.pid); left.length > 0; left = descendantsOf(process.pid)) await Promise.all(left.map((pid) => end(identify(pid), 5_000)))
    for (const folder of folders) endFolder(folder)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signalled) return
      signalled = true
      // The run fails because its servers are ended: that is not what it is to say.
      process.on('uncaughtException', () => undefined)
      say('Stopping …')
      void endAll().finally(() => { process.exit(128 + constants.signals[signal]) })
    })
  }
}
