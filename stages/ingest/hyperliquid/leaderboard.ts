/** The venue's leaderboard, from a host of its own: 25 MB of JSON, kept as the bytes it came in. SQL reads it: parsed here it would hold up everything that is heard. */
import { AppError, messageOf } from '../../../schemas/errors.js'
import { openHttp, ownBytes, type Limits } from '../endpoint.js'
import type { Heard } from './journal.js'

export const leaderboardRequest = JSON.stringify({ type: 'leaderboard' })

/** Milliseconds from answer to answer, from a failure to the next try (it doubles up to the former), and of one answer from asking to its last byte. */
export interface LeaderboardPace { readonly everyMs: number; readonly againMs: number; readonly wholeMs: number; readonly maxBytes: number }
const usual: LeaderboardPace = { everyMs: 3_600_000, againMs: 60_000, wholeMs: 180_000, maxBytes: 128 << 20 }
/** One question at a time, `LeaderboardPace` apart: a pace of the endpoint's own would only run against the time of the answer. */
const limits: Limits = { concurrency: 1, perSecond: 1_000, timeoutMs: 30_000 }

/** Whether a body begins and ends as an object does. What is cut off or is a page of text does not; the rest shows when it is read. */
const isObject = (body: Buffer): boolean => /^\s*\{/.test(body.toString('latin1', 0, 64)) && /\}\s*$/.test(body.subarray(-64).toString('latin1'))

/** Asks `url` now and then again; `hear` gets each answer, `warn` is told what fails. */
export const openLeaderboard = (url: string, hear: (one: Heard) => void, warn: (reason: string) => void, pace: Partial<LeaderboardPace> = {}): { close(): Promise<void> } => {
  const { everyMs, againMs, wholeMs, maxBytes } = { ...usual, ...pace }
  const wire = openHttp(url, 1, { ...limits, maxBytes })
  const closing = new AbortController()
  let failures = 0, timer: NodeJS.Timeout | undefined

  const ask = async (): Promise<void> => {
    // A signal made of others may be collected with its timer while a request waits on it: this one is held.
    const ending = new AbortController(), end = (): void => { ending.abort() }
    const whole = setTimeout(end, wholeMs)
    closing.signal.addEventListener('abort', end)
    const { body } = await wire.send({ label: 'leaderboard', signal: ending.signal }).finally(() => { clearTimeout(whole); closing.signal.removeEventListener('abort', end) })
    const payload = ownBytes(body)
    if (!isObject(payload)) throw new AppError('RPC_GARBLED', `${wire.name}: leaderboard: ${payload.length} bytes that are not JSON, or not all of it`, { retry: 'attempt', endpoint: wire.name })
    hear({ kind: 'info', request: leaderboardRequest, payload, endpoint: wire.name, at: Date.now() })
  }
  const step = async (): Promise<void> => {
    try { await ask(); failures = 0 } catch (thrown) { if (!closing.signal.aborted) { failures += 1; warn(messageOf(thrown)) } }
    if (!closing.signal.aborted) timer = setTimeout(next, failures === 0 ? everyMs : Math.min(everyMs, againMs * 2 ** (failures - 1)))
  }
  let asking: Promise<void> = Promise.resolve()
  const next = (): void => { asking = step() }
  next()
  return {
    close: async () => {
      closing.abort()
      clearTimeout(timer)
      await asking
      await wire.close()
    },
  }
}
