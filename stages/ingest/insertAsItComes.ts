/** Inserts what nodes give, however slowly they do: ClickHouse ends a connection that sends nothing for 30 s (its http_receive_timeout, which no statement can set), and that would be told as an outage of the store. */
import type { Store } from '../../schemas/clickhouse.js'
import type { Piece } from '../../schemas/outgoing.js'
import { rowsOf } from './rows.js'

/** Milliseconds without an item after which an insert ends with what has come; the next item begins another. */
const usualQuiet = 10_000

export interface Insert<Item> {
  /** An INSERT in RowBinary. */
  readonly sql: string
  readonly params: Record<string, unknown>
  /** Of the first insert; those after it continue it behind a |. */
  readonly token: string
  readonly encode: (item: Item) => readonly Piece[]
  /** Asked before each insert but the first, which may be long after it: throws where the batch is another's by then. */
  readonly checkpoint: () => Promise<void>
}

/** Resolves to how many inserts it took, none where `source` gives nothing; rejects with the fault of the store or of `source`, which is then let go. */
export const insertAsItComes = async <Item>(store: Store, source: AsyncIterable<Item>, { sql, params, token, encode, checkpoint }: Insert<Item>, quietMs = usualQuiet): Promise<number> => {
  const items = source[Symbol.asyncIterator]()
  const ask = (): Promise<IteratorResult<Item>> => {
    const asked = items.next()
    // Its fault is met by whoever waits for it next, which after a fault of the store is nobody.
    asked.catch(() => undefined)
    return asked
  }
  let next = ask()
  /** Items until there is none for a while, the first of which is here. */
  async function* untilQuiet(): AsyncGenerator<Item> {
    for (;;) {
      let timer: NodeJS.Timeout | undefined
      const quiet = new Promise<undefined>((resolve) => { timer = setTimeout(() => { resolve(undefined) }, quietMs) })
      const come = await Promise.race([next, quiet]).finally(() => { clearTimeout(timer) })
      if (come === undefined || come.done === true) return
      yield come.value
      next = ask()
    }
  }
  try {
    for (let inserts = 0; ; inserts += 1) {
      if ((await next).done === true) return inserts
      if (inserts > 0) await checkpoint()
      await store.insertStream(sql, rowsOf(untilQuiet(), encode), params, inserts === 0 ? token : `${token}|${inserts}`)
    }
  } catch (thrown) {
    items.return?.().catch(() => undefined)
    throw thrown
  }
}
