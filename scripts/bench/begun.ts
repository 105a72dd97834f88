/** What a bench has begun, so that a signal in the middle of it leaves nothing: its folders, and the processes that descend from it. */
import { endDescendants, endOnSignals as endStartedOnSignals, openStarted } from '../started.js'

const started = openStarted('hydrophone-bench-')
started.ending(endDescendants)

/** A new folder of the run; `part` names what lies in it. */
export const beginFolder = (part = ''): string => started.directory(part)

/** Takes a folder away with all in it. */
export const endFolder = (folder: string): void => { started.remove(folder) }

/** Ends the run's processes and takes its folders away. */
export const endAll = (): Promise<void> => started.end()

/** From here on SIGINT, SIGTERM and SIGHUP end the run with all it has begun. */
export const endOnSignals = (say: (text: string) => void): void => { endStartedOnSignals(started, say) }
