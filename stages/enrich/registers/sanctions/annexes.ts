/** Annexes of a list that no program reads: an operator hands in what stands in them, and every later reading of the list holds it. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../../../../schemas/clickhouse.js'
import { AppError } from '../../../../schemas/errors.js'
import { loadSql } from '../../../../schemas/sql.js'
import type { SanctionsList } from './list.js'

const annexes = loadSql(import.meta.url, 'annexes.sql')

/** Transcriptions for a register, the oldest first: CSV. */
export const annexesOf = async (store: Store, register: string): Promise<readonly string[]> => (await store.query(annexes, { register }, z.object({ text: z.string() }))).map(({ text }) => text)

/** Keeps a transcription; resolves to the orders it holds. Throws BAD_ARGUMENT where the list has no annexes or it names no order, LIST_UNREADABLE where it is no transcription. */
export const addAnnex = async (store: Store, list: SanctionsList, text: string): Promise<readonly string[]> => {
  const orders = list.ordersIn === undefined ? null : await list.ordersIn(text)
  if (orders === null) throw new AppError('BAD_ARGUMENT', `${list.register} has no annexes: it is read whole from its address`)
  if (orders.length === 0) throw new AppError('BAD_ARGUMENT', 'The transcription has no row')
  const sha256 = createHash('sha256').update(text).digest('hex')
  await store.insert('sanctions_annexes', [{ register: list.register, added_at: new Date().toISOString(), sha256, text }])
  return orders
}
