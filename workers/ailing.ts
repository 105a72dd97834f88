/** What ails this process, and no batch: whatever waits for it tells the log, each ailment once a minute. */
import type { Logger } from 'pino'
import { isProcessAilment } from '../schemas/machine.js'

const againMs = 60_000
const told = new Map<string, number>()

/** Warns where `thrown` is an ailment of this process (PROCESS_*) of which the log was not told within a minute. */
export const tellAilment = (log: Pick<Logger, 'warn'>, thrown: unknown): void => {
  if (!isProcessAilment(thrown) || performance.now() - (told.get(thrown.code) ?? -Infinity) < againMs) return
  told.set(thrown.code, performance.now())
  log.warn({ code: thrown.code }, `${thrown.message}: batches wait until it can go on`)
}
