/** Keeps a part alive: starts it, starts it again when it dies, gives up when it dies too often. */
import { messageOf } from '../../schemas/errors.js'

/** A running part. `stop` resolves when it is gone; `lastWords` is what it said at its end. */
export interface Part { readonly gone: Promise<void>; readonly lastWords?: () => string; stop(): Promise<void> }
/** Starts a part; `spawned` is told its process as soon as there is one. */
export type Starter = (spawned: (pid: number) => void) => Promise<Part>
export interface Kept { stop(): Promise<void> }

const quick = { deaths: 5, withinMs: 120_000 }

/**
 * Starts `name`; rejects when the first start fails. Its process is noted at once, for `up` may be killed before that answers. Later
 * deaths are told through `say` and repaired; after five within two minutes `giveUp` is called once.
 */
export const keep = async (name: string, start: Starter, hooks: { say: (line: string) => void; giveUp: (reason: string) => void; note: (name: string, pid: number) => void }): Promise<Kept> => {
  let stopping = false
  let part: Part | undefined
  let deaths: number[] = []
  /** The restart under way. */
  let reviving = Promise.resolve()
  // What cannot be noted, as on a full disk, runs and is stopped all the same.
  const begin = (): Promise<Part> => start((pid) => { try { hooks.note(name, pid) } catch (thrown) { hooks.say(`${name} cannot be noted: ${messageOf(thrown)}`) } })
  const watch = (started: Part): void => {
    part = started
    void started.gone.then(() => {
      const words = started.lastWords?.() ?? ''
      if (!stopping) reviving = revive(`ended unexpectedly${words === '' ? '' : ` (${words})`}`)
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
    await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** deaths.length))
    if (stopping) return
    try {
      const started = await begin()
      // A stop that came while it started finds it here.
      if (stopping) await started.stop()
      else watch(started)
    } catch (thrown) {
      if (!stopping) await revive(`did not start (${messageOf(thrown).split('\n')[0] ?? ''})`)
    }
  }
  watch(await begin())
  // What is being started anew is waited for: only what has started can be stopped, and nobody would know of it later.
  return { stop: async () => { stopping = true; await reviving; await part?.stop() } }
}
