/** Where a report stands in the Merkle tree of its day. */
import { z } from 'zod'
import { Proof, proofOf } from '../../../schemas/attest/reportDay.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'
import type { Report } from './report.js'

const findDay = loadSql(import.meta.url, 'findDay.sql')
const Day = z.object({ day: z.string(), leaves: z.array(z.string()), statement: z.string(), key_id: z.string(), public_key: z.string(), signature: z.string() })

export const Inclusion = z.object({ state: z.enum(['included', 'pending', 'not_included']).describe('pending: the tree is made when the day is over (UTC); not_included: it was made without this report'), proof: Proof.nullable() })

/** The proof that `report` is in the tree of the day it was signed on, once that day is closed. */
export const inclusionOf = async ({ content_hash: hash, created_at: at }: Report, { store, signal }: Ask): Promise<z.infer<typeof Inclusion>> => {
  const [day] = await store.query(findDay, { day: at.slice(0, 10) }, Day, {}, signal)
  if (day === undefined) return { state: 'pending', proof: null }
  const proof = proofOf(hash, day)
  return { state: proof === null ? 'not_included' : 'included', proof }
}
