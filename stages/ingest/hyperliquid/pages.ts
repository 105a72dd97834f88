/** Questions about a stretch of time, page by page: an answer holds the oldest so many from its start on. */

export interface Pages { readonly items: number; /** Unix milliseconds; Infinity and -Infinity: nothing came. */ readonly oldest: number; readonly newest: number; /** One millisecond fills a page: what came after it cannot be asked for. */ readonly stuck: boolean }

/** Asks from `from` (Unix milliseconds, inclusive as the next page's start is) until a page holds less than `full`, or nothing newer. Rejects as `ask` does. */
export const askPages = async (ask: (startTime: number) => Promise<readonly { readonly time: number }[]>, from: number, full: number): Promise<Pages> => {
  let items = 0, oldest = Infinity, newest = -Infinity
  for (let start = Math.max(0, from); ; start = newest) {
    const page = await ask(start)
    items += page.length
    for (const { time } of page) { oldest = Math.min(oldest, time); newest = Math.max(newest, time) }
    if (page.length < full || newest <= start) return { items, oldest, newest, stuck: page.length >= full && newest === start }
  }
}
