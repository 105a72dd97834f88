/** Keeps a part alive: starts it, starts it again when it dies, gives up when it dies too often. */
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../schemas/errors.js'
import { end, identify, type Identity } from './processes.js'

/** A running part. `stop` resolves when it is gone; `lastWords` is what it said at its end. */
export interface Part { readonly gone: Promise<void>; readonly lastWords?: () => string; stop(): Promise<void> }
/** Starts a part; `spawned` is told its process as soon as there is one. */
export type Starter = (spawned: (pid: number) => void) => Promise<Part>
/** `started` resolves with the first start, and rejects where that fails. `stop` may be called at any time, and nothing is left when it resolves. */
export interface Kept { readonly started: Promise<void>; stop(): Promise<void> }

const quick = { deaths: 5, withinMs: 120_000 }
/** Milliseconds after which a process that was asked to end while it started is killed: it has taken no work yet, and stores outlive being killed. */
const startingMs = 2_000

/**
 * Starts `name`. Its process is noted at once, for `up` may be killed before that answers, and a stop ends it by that: a store of tens of
 * gigabytes takes minutes to start. Later deaths are told through `say` and repaired; after five within two minutes `giveUp` is called once.
 */
export const keep = (name: string, start: Starter, hooks: { say: (line: string) => void; giveUp: (reason: string) => void; note: (name: string, pid: number) => void }): Kept => {
  const stopping = new AbortController(), { signal } = stopping
  let part: Part | undefined
  let deaths: number[] = []
  /** The restart under way. */
  let reviving = Promise.resolve()
  /** The process of the start under way. */
  let starting: Identity | undefined
  const endStarting = async (): Promise<void> => { if (starting !== undefined) await end(starting, startingMs) }
  const spawned = (pid: number): void => {
    starting = identify(pid)
    // What cannot be noted, as on a full disk, runs and is stopped all the same.
    try { hooks.note(name, pid) } catch (thrown) { hooks.say(`${name} cannot be noted: ${messageOf(thrown)}`) }
    // A stop that came while there was no process yet waits for this start to fail.
    if (signal.aborted) void endStarting()
  }
  const begin = async (): Promise<void> => {
    let begun: Part
    try { begun = await start(spawned) } finally { starting = undefined }
    // A stop finds it here, also one that came in the moment it answered.
    part = begun
    void begun.gone.then(() => {
      const words = begun.lastWords?.() ?? ''
      if (!signal.aborted) reviving = revive(`ended unexpectedly${words === '' ? '' : ` (${words})`}`)
    })
  }
  const revive = async (reason: string): Promise<void> => {
    part = undefined
    deaths = [...deaths.filter((at) => Date.now() - at < quick.withinMs), Date.now()]
    if (deaths.length >= quick.deaths) {
      hooks.giveUp(`${name} ${reason} for the ${quick.deaths}th time in ${quick.withinMs / 60_000} minutes`)
      return
    }
    hooks.say(`${name} ${reason}; starting it again`)
    await sleep(250 * 2 ** deaths.length, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    try { await begin() } catch (thrown) {
      if (!signal.aborted) await revive(`did not start (${messageOf(thrown).split('\n')[0] ?? ''})`)
    }
  }
  const started = begin()
  const stop = async (): Promise<void> => {
    stopping.abort()
    await endStarting()
    // How a start ended that was cut off is told to who waits for `started`, if anybody does.
    await Promise.all([started.catch(() => undefined), reviving])
    await part?.stop()
  }
  return { started, stop }
}
