/** Processes by id, told apart from later ones that were given the same id. */
import { readFileSync } from 'node:fs'

/** A process and when it started, in the kernel's own ticks ('' where that cannot be read). */
export interface Identity { readonly pid: number; readonly started: string }

const startedAt = (pid: number): string | undefined => {
  // The name in field 2 may hold spaces and brackets: fields are counted from the last bracket. 'Z' is dead but not yet reaped.
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.trim().split(' ') ?? []
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch { return undefined }
}

export const identify = (pid: number): Identity => ({ pid, started: startedAt(pid) ?? '' })

/** Whether this very process still runs. */
export const lives = ({ pid, started }: Identity): boolean => startedAt(pid) === started && started !== ''

/** Ends a process: SIGTERM, and SIGKILL past `deadlineMs`. Resolves when it is gone. */
export const end = async (identity: Identity, deadlineMs: number): Promise<void> => {
  const send = (signal: NodeJS.Signals): void => { try { process.kill(identity.pid, signal) } catch { /* it went by itself */ } }
  if (lives(identity)) send('SIGTERM')
  for (const since = Date.now(); lives(identity);) {
    if (Date.now() - since > deadlineMs) send('SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
