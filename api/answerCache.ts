/** Answers kept ready for sending. Bounded by bytes, least recently used out first; callers who ask the same at once share one run. */
export interface Answer {
  readonly value: unknown
  /** The answer as it goes out. A string and no buffer: head and body then leave in one write. */
  readonly text: string
}

export interface AnswerCache {
  get(key: string): Promise<Answer> | undefined
  /** Runs `make` once for all who ask for `key` within `seconds`; a failure is not kept, nor an answer that `keep` refuses. */
  make(key: string, seconds: number, make: () => Promise<Answer>, keep?: (value: unknown) => boolean): Promise<Answer>
}

interface Entry { readonly answer: Promise<Answer>; readonly until: number; size: number }

export const openAnswerCache = (mostBytes: number, now: () => number = Date.now): AnswerCache => {
  const entries = new Map<string, Entry>()
  let total = 0
  const drop = (key: string, entry: Entry): void => { if (entries.get(key) === entry) { entries.delete(key); total -= entry.size } }
  const get = (key: string): Promise<Answer> | undefined => {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.until <= now()) { drop(key, entry); return undefined }
    entries.delete(key)
    entries.set(key, entry)
    return entry.answer
  }
  return {
    get,
    make: (key, seconds, make, keep = () => true) => {
      const answer = make()
      const entry: Entry = { answer, until: now() + seconds * 1_000, size: 0 }
      const old = entries.get(key)
      if (old !== undefined) drop(key, old)
      entries.set(key, entry)
      answer.then(({ value, text }) => {
        if (entries.get(key) !== entry) return
        if (!keep(value)) { drop(key, entry); return }
        entry.size = text.length * 3 + key.length
        total += entry.size
        for (const [oldest, other] of entries) { if (total <= mostBytes) break; drop(oldest, other) }
      }, () => { drop(key, entry) })
      return answer
    },
  }
}
