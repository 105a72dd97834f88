/** Answers kept ready for sending. Bounded by bytes, least recently used out first; callers who ask the same at once share one run. */
export interface Answer {
  readonly value: unknown
  /** The answer as it goes out. A string and no buffer: head and body then leave in one write. */
  readonly text: string
  /** Of an answer that is a bare list: what its object would have said, and the headers that say it. */
  readonly beside?: import('./beside.js').Beside
  readonly headers?: Readonly<Record<string, string>>
}

export interface AnswerCache {
  /** The answer under `key`, if it can be sent this moment. */
  ready(key: string): Answer | undefined
  /**
   * Joins the run for `key`, or starts `make` for all who ask within `seconds`; a failure is not kept, nor an answer that `keep` refuses.
   * `caller` ends when the one who asks has gone; the signal `make` gets ends when the last of them has.
   */
  share(key: string, seconds: number, caller: AbortSignal, make: (unwanted: AbortSignal) => Promise<Answer>, keep?: (value: unknown) => boolean): Promise<Answer>
}

interface Entry { readonly run: Promise<Answer>; readonly until: number; readonly unwanted: AbortController; waiting: number; answer: Answer | undefined; size: number }

/** `now`: milliseconds of a clock that nobody sets. */
export const openAnswerCache = (mostBytes: number, now: () => number = () => performance.now()): AnswerCache => {
  const entries = new Map<string, Entry>()
  let total = 0
  const drop = (key: string, entry: Entry): void => { if (entries.get(key) === entry) { entries.delete(key); total -= entry.size } }
  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.until <= now()) { drop(key, entry); return undefined }
    entries.delete(key)
    entries.set(key, entry)
    return entry
  }
  const start = (key: string, seconds: number, make: (unwanted: AbortSignal) => Promise<Answer>, keep: (value: unknown) => boolean): Entry => {
    const unwanted = new AbortController()
    const entry: Entry = { run: make(unwanted.signal), until: now() + seconds * 1_000, unwanted, waiting: 0, answer: undefined, size: 0 }
    entries.set(key, entry)
    entry.run.then((answer) => {
      if (entries.get(key) !== entry) return
      if (!keep(answer.value)) { drop(key, entry); return }
      entry.answer = answer
      entry.size = answer.text.length * 3 + key.length
      total += entry.size
      for (const [oldest, other] of entries) { if (total <= mostBytes) break; drop(oldest, other) }
    }, () => { drop(key, entry) })
    return entry
  }
  return {
    ready: (key) => find(key)?.answer,
    share: async (key, seconds, caller, make, keep = () => true) => {
      const entry = find(key) ?? start(key, seconds, make, keep)
      const leave = (): void => { if (--entry.waiting === 0) { drop(key, entry); entry.unwanted.abort() } }
      entry.waiting++
      if (caller.aborted) leave()
      else caller.addEventListener('abort', leave, { once: true })
      try {
        return await entry.run
      } finally {
        caller.removeEventListener('abort', leave)
      }
    },
  }
}
