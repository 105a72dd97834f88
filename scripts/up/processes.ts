/** Processes by id, told apart from later ones that were given the same id. */
import { readFileSync, readdirSync } from 'node:fs'

/** A process and when it started, in the kernel's own ticks ('' where that cannot be read). */
export interface Identity { readonly pid: number; readonly started: string }

/** What the kernel says of a process from its state (field 3) on; empty when it is gone. The name in field 2 may hold spaces and brackets: fields are counted from the last bracket. */
export const statOf = (pid: number): readonly string[] => { try { return readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)?.trim().split(' ') ?? [] } catch { return [] } }

/** 'Z' is dead but not yet reaped. */
const startedAt = (pid: number): string | undefined => {
  const fields = statOf(pid)
  return fields[0] === 'Z' ? undefined : fields[19]
}

/** Ids of all processes that descend from one, itself left out; none where /proc is missing. */
export const descendantsOf = (pid: number | undefined): number[] => {
  const listed = ((): string[] => { try { return readdirSync('/proc') } catch { return [] } })()
  const all = listed.filter((name) => /^\d+$/.test(name)).map((name) => ({ id: Number(name), parent: Number(statOf(Number(name))[1]) }))
  const below = (id: number | undefined): number[] => all.filter(({ parent }) => parent === id).flatMap((child) => [child.id, ...below(child.id)])
  return below(pid)
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
