/** What ails a machine and no question that is asked of it: it is waited out and costs no attempt, as an outage. By the numbers Linux gives them. */
import { AppError } from './errors.js'

type Ailment = 'FULL' | 'QUOTA' | 'READ_ONLY' | 'FILES'
const byNumber: Readonly<Record<number, Ailment>> = { 23: 'FILES', 24: 'FILES', 28: 'FULL', 30: 'READ_ONLY', 122: 'QUOTA' }
const byText: Readonly<Record<string, Ailment>> = { 'Too many open files in system': 'FILES', 'Too many open files': 'FILES', 'No space left on device': 'FULL', 'Read-only file system': 'READ_ONLY', 'Disk quota exceeded': 'QUOTA' }
const byName: Readonly<Record<string, Ailment>> = { ENFILE: 'FILES', EMFILE: 'FILES', ENOSPC: 'FULL', EROFS: 'READ_ONLY', EDQUOT: 'QUOTA' }

const ofStore: Readonly<Record<Ailment, string>> = {
  FULL: 'The disk of ClickHouse is full', QUOTA: 'ClickHouse has used up its quota of the disk', READ_ONLY: 'The file system of ClickHouse is read-only', FILES: 'ClickHouse has as many files open as it may',
}
const ofProcess: Readonly<Record<Ailment, string>> = {
  FULL: 'The disk of this process is full', QUOTA: 'This process has used up its quota of the disk', READ_ONLY: 'The file system of this process is read-only', FILES: 'This process has as many files open as it may',
}

/** Codes by which ClickHouse tells that something asked of its system failed: opening, writing, making, removing a file, a pipe, a poll. No such message quotes a row. */
const ofSystem: ReadonlySet<number> = new Set([75, 76, 77, 88, 172, 204, 275, 294, 298, 424, 458, 566, 573, 586, 641])

/** What ails the store whose error has this code (0: none) and message; undefined: nothing of the kind. STORE_FULL, STORE_QUOTA, STORE_READ_ONLY, STORE_FILES. */
export const storeAilment = (code: number, message: string, cause: unknown): AppError | undefined => {
  const number = ofSystem.has(code) ? Number(/\berrno: (\d+), strerror: /.exec(message)?.[1] ?? 0) : 0
  const text = code === 0 ? /^std::exception\. Code: 1001, type: \S*filesystem_error, e\.what\(\) = filesystem error: in [^"[]+: ([\w -]+) \[/.exec(message)?.[1] ?? '' : ''
  // 243: no room was found beforehand.
  const found = code === 243 ? 'FULL' : byNumber[number] ?? byText[text]
  return found === undefined ? undefined : new AppError(`STORE_${found}`, ofStore[found], { status: 503, retry: 'wait', cause })
}
/** Whether an error is one of those. */
export const isStoreAilment = (thrown: unknown): thrown is AppError => thrown instanceof AppError && thrown.code.startsWith('STORE_') && thrown.code.slice(6) in ofStore

/** What ails this process, by the name that Node gives it; undefined: nothing of the kind. */
export const processAilment = (thrown: unknown): AppError | undefined => {
  if (thrown instanceof AppError || !(thrown instanceof Error)) return undefined
  const found = [thrown, thrown.cause].map((one) => byName[String((one as { code?: unknown } | undefined)?.code)]).find((one) => one !== undefined)
  return found === undefined ? undefined : new AppError(`PROCESS_${found}`, ofProcess[found], { status: 503, retry: 'wait', cause: thrown })
}
/** Whether an error is one of those. */
export const isProcessAilment = (thrown: unknown): thrown is AppError => thrown instanceof AppError && thrown.code.startsWith('PROCESS_') && thrown.code.slice(8) in ofProcess
