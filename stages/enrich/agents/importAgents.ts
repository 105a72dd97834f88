/** Reads the registration files that agents' URIs name. What comes is text of strangers; where it comes from, they chose. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { AppError, messageOf } from '../../../schemas/errors.js'
import type { Outbound } from '../../../schemas/outbound.js'
import { loadSql } from '../../../schemas/sql.js'
import { readRegistrationFile, type RegistrationFile } from './registrationFile.js'
import { beginning } from '../../../schemas/text.js'

const pendingFiles = loadSql(import.meta.url, 'pendingFiles.sql')
const Pending = z.object({ agent_id: z.string(), uri: z.string(), uri_size: z.number() })

export type FileStatus = 'ok' | 'refused' | 'unsupported' | 'failed' | 'too_large' | 'invalid'
const statusOf: Readonly<Record<string, FileStatus>> = { URL_REFUSED: 'refused', TOO_LARGE: 'too_large', FETCH_FAILED: 'failed', UNSUPPORTED: 'unsupported' }

/** The text a data: URI carries. */
const embedded = (uri: string): string => {
  const [, base64, body = ''] = /^data:[^,]*?(;base64)?,([\s\S]*)$/i.exec(uri) ?? []
  try {
    return base64 === undefined ? decodeURIComponent(body) : Buffer.from(body, 'base64').toString('utf8')
  } catch {
    throw new AppError('FETCH_FAILED', 'The data: URI is malformed')
  }
}

const bodyOf = async ({ uri, uri_size: size }: z.infer<typeof Pending>, outbound: Outbound): Promise<string> => {
  if (size > Buffer.byteLength(uri)) throw new AppError('TOO_LARGE', 'The URI is longer than what is kept of it')
  if (/^data:/i.test(uri)) return embedded(uri)
  if (!/^https?:/i.test(uri)) throw new AppError('UNSUPPORTED', 'Only https and data: are read')
  return (await outbound.get(uri)).text
}

const nothing: RegistrationFile = { name: '', description: '', services: [], x402_support: null, active: null, supported_trust: [] }

/** One agent's reading, whatever comes of it: a row of agent_files. */
const reading = async (pending: z.infer<typeof Pending>, outbound: Outbound) => {
  try {
    const body = await bodyOf(pending, outbound)
    const sha256 = createHash('sha256').update(body).digest('hex')
    try {
      return { ...readRegistrationFile(body), status: 'ok' as FileStatus, reason: '', sha256 }
    } catch {
      return { ...nothing, status: 'invalid' as FileStatus, reason: 'Not a registration file: JSON with a name was expected', sha256 }
    }
  } catch (thrown) {
    const status = thrown instanceof AppError ? statusOf[thrown.code] ?? 'failed' : 'failed'
    return { ...nothing, status, reason: beginning(messageOf(thrown), 200), sha256: '' }
  }
}

/** Reads up to `limit` files that wait, `together` at a time. Resolves to how many ended in which way. */
export const importAgents = async (store: Store, outbound: Outbound, { chain, limit, together = 4 }: { readonly chain: string; readonly limit: number; readonly together?: number }): Promise<Readonly<Partial<Record<FileStatus, number>>>> => {
  const waiting = await store.query(pendingFiles, { chain, limit }, Pending)
  const counts: Partial<Record<FileStatus, number>> = {}
  for (let start = 0; start < waiting.length; start += together) {
    const rows = await Promise.all(waiting.slice(start, start + together).map(async (pending) => ({ chain, agent_id: pending.agent_id, uri: pending.uri, ...await reading(pending, outbound), fetched_at: new Date().toISOString() })))
    await store.insert('agent_files', rows)
    for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}
