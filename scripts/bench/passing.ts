/** Tells when a batch has passed the last stage, by what BullMQ says of its jobs: asking the ledger again and again would cost the machine that is measured. */
import { QueueEvents } from 'bullmq'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'

const Count = z.object({ count: z.coerce.number() })
/** Milliseconds after which the ledger is asked though nothing was told. */
const silentMs = 2_000

/** Blocks of a stretch that have passed all five stages. */
const passed = async (store: Store, chain: string, from: number, to: number): Promise<number> => {
  const [row] = await store.query(`SELECT sum(to_block - from_block + 1) AS count FROM batches WHERE chain = {chain:String} AND stage = 'alert' AND from_block BETWEEN {from:UInt64} AND {to:UInt64}`, { chain, from, to }, Count)
  return row?.count ?? 0
}

/** To be opened before the order: `until` resolves as soon as all of the stretch has passed, and says how far it is at every fifth. */
export const openPassing = async (store: Store, redisUrl: string, prefix: string, chain: string) => {
  const events = new QueueEvents('alert', { connection: { url: redisUrl }, prefix })
  let news = false, wake = (): void => undefined
  events.on('completed', () => { news = true; wake() })
  await events.waitUntilReady().catch(async (thrown: unknown) => { await events.close(); throw thrown })
  const next = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined
    if (!news) await new Promise<void>((resolve) => { wake = resolve; timer = setTimeout(resolve, silentMs) })
    clearTimeout(timer)
    news = false
  }
  return {
    until: async (from: number, to: number, say: (text: string) => void = () => undefined): Promise<void> => {
      const blocks = to - from + 1, started = performance.now()
      for (let told = 0; ; await next()) {
        const done = await passed(store, chain, from, to)
        if (done - told >= blocks / 5) { told = done; say(`  ${done} of ${blocks} blocks, ${(done / (performance.now() - started) * 1_000).toFixed(1)} blocks/s`) }
        if (done >= blocks) return
      }
    },
    close: () => events.close(),
  }
}
