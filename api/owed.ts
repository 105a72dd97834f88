/** Lines the store is owed: of what was done and answered, and could not be written down then. They are tried again; one that is given up stands whole in the log. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { messageOf } from '../schemas/errors.js'

export interface Owed {
  /** Resolves when `write` has written `line` or failed once, and within 2 s: what comes after that, nobody waits for. */
  pay(line: object, write: () => Promise<void>): Promise<void>
  /** Tries once more what is still owed; what is not written within `milliseconds` is given up. */
  close(milliseconds: number): Promise<void>
}

/** Milliseconds for which a line is waited for. */
const patienceMs = 2_000
/** Milliseconds from one try to the next: a store that is started anew is there within these. */
const waits = [500, 2_000, 8_000, 30_000, 60_000] as const

interface Debt { paid: Promise<void>; givenUp: boolean }

export const openOwed = (log: Pick<Logger, 'error'>, waitsMs: readonly number[] = waits): Owed => {
  const debts = new Map<Debt, object>()
  const closing = new AbortController()
  const giveUp = (debt: Debt, reason: string): void => {
    debt.givenUp = true
    log.error({ line: debts.get(debt), reason }, 'a line of the audit log could not be written: this is all there is of it')
  }
  const tryOn = async (debt: Debt, write: () => Promise<void>, tried: () => void): Promise<void> => {
    for (const ms of [...waitsMs, undefined]) {
      // Told before it is tried: who closes in the meantime means the tries after this one.
      const last = ms === undefined || closing.signal.aborted
      try { await write(); return } catch (thrown) {
        if (debt.givenUp) return
        if (last) { giveUp(debt, messageOf(thrown)); return }
      } finally { tried() }
      await sleep(ms ?? 0, undefined, { signal: closing.signal }).catch(() => undefined)
    }
  }
  return {
    pay: (line, write) => new Promise((resolve) => {
      const timer = setTimeout(resolve, patienceMs)
      const debt: Debt = { paid: Promise.resolve(), givenUp: false }
      debts.set(debt, line)
      debt.paid = tryOn(debt, write, () => { clearTimeout(timer); resolve() }).finally(() => { debts.delete(debt) })
    }),
    close: async (milliseconds) => {
      closing.abort()
      const late = new AbortController()
      await Promise.race([Promise.all([...debts.keys()].map(({ paid }) => paid)), sleep(milliseconds, undefined, { signal: late.signal }).catch(() => undefined)])
      late.abort()
      for (const debt of debts.keys()) if (!debt.givenUp) giveUp(debt, `no answer within ${milliseconds} ms`)
    },
  }
}
