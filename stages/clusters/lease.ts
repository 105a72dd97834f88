/** Who clusters a chain: one process at a time. It renews what it holds; what was not renewed for a while another may take. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { AppError } from '../../schemas/errors.js'

const Held = z.object({ seq: z.coerce.number(), writer: z.string(), released: z.boolean(), age: z.coerce.number() })

const lastSql = "SELECT seq, writer, released, dateDiff('second', at, now64(3)) AS age FROM btc_cluster_leases WHERE chain = {chain:String} ORDER BY seq DESC LIMIT 1"
const stepSql = 'SELECT seq, writer, released, 0 AS age FROM btc_cluster_leases WHERE chain = {chain:String} AND seq = {seq:UInt64}'

/** Another process holds the clusters now. */
export const lost = (cause?: unknown): AppError => new AppError('CLUSTERS_LOST', 'Another process has taken the clusters over', { status: 409, retry: 'attempt', cause })

export interface Lease {
  readonly writer: string
  /** Grows with every lease, so that who comes later has the larger. */
  readonly seq: number
  /** Renews it when it is time; throws CLUSTERS_LOST when another has taken it. */
  hold(): Promise<void>
  release(): Promise<void>
}

/** Takes the work on `chain` for `writer`; null while another holds it who was heard of within `deadAfter` seconds; who was heard of at a time that is yet to come, before the clock was set back, and lives loses it. */
export const takeLease = async (store: Store, chain: string, writer: string, deadAfter: number): Promise<Lease | null> => {
  /** Writes step `seq`; false when another was first. */
  const step = async (seq: number, released: boolean): Promise<boolean> => {
    let first = ''
    await store.insertSurely('btc_cluster_leases', [{ chain, seq, writer, released }], `clusters|lease|${chain}|${seq}`, async () => {
      const [row] = await store.query(stepSql, { chain, seq }, Held)
      first = row?.writer ?? ''
      return row !== undefined
    })
    return first === writer
  }
  const [last] = await store.query(lastSql, { chain }, Held)
  if (last !== undefined && !last.released && Math.abs(last.age) < deadAfter) return null
  const taken = (last?.seq ?? 0) + 1
  if (!await step(taken, false)) return null
  let seq = taken, renewed = performance.now()
  let turn: Promise<void> = Promise.resolve()
  const renew = async (): Promise<void> => {
    if (performance.now() - renewed < deadAfter * 250) return
    if (!await step(seq + 1, false)) throw lost()
    seq += 1
    renewed = performance.now()
  }
  return {
    writer, seq: taken,
    // One at a time: of two renewals at once each would take the other for a stranger.
    hold: () => { const mine = turn.then(renew); turn = mine.catch(() => undefined); return mine },
    release: async () => { await turn; await step(seq + 1, true) },
  }
}
