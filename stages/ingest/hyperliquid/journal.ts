/**
 * The venue has no blocks, so what is heard becomes segments: one insert into raw_payloads each, numbered from 1 on, with a hash over its
 * bytes and the hash of the segment below. The insert token of a number is a compare-and-set: two listeners never both have it, and
 * whoever loses takes the next one. Both may say the same things: enrich leaves out what stands already.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { AppError } from '../../../schemas/errors.js'
import { loadSql } from '../../../schemas/sql.js'
import type { BlockHead } from '../../stage.js'
import { packed, text, uint64, varint } from '../rows.js'

const landSql = loadSql(import.meta.url, 'land.sql'), headerSql = loadSql(import.meta.url, 'header.sql'), newestSql = loadSql(import.meta.url, 'newest.sql'), listenedSql = loadSql(import.meta.url, 'listened.sql'), standsSql = loadSql(import.meta.url, 'stands.sql')

export const heardKinds = ['ws', 'info', 'node_fills', 'node_trades', 'gap'] as const
/** One payload as it came; `request`: what it answers, JSON; `at`: when it came, Unix milliseconds. */
export interface Heard { readonly kind: (typeof heardKinds)[number]; readonly request: string; readonly payload: Buffer; readonly endpoint: string; readonly at: number }

export interface Journal {
  /** The newest segment; null before there is one. */
  newest(): Promise<BlockHead | null>
  header(number: number): Promise<BlockHead | null>
  /** When the socket was heard last before a time, Unix milliseconds; where it never was, when anything was; null: never. */
  listened(before: number): Promise<number | null>
  /** Stores a segment; resolves when it stands. */
  append(heard: readonly Heard[]): Promise<BlockHead>
}

const Standing = z.object({ hash: z.string() }), Listened = z.object({ at: z.coerce.number() })
const Header = z.object({ number: z.coerce.number(), hash: z.string(), parent: z.string(), time: z.coerce.number() })
/** Headers kept in memory. */
const kept = 1_024
const zero = '0'.repeat(64)

/** A payload's row; `segment`: what all rows of its segment begin with. */
const encode = (segment: Buffer, { kind, request, payload, endpoint, at }: Heard): Buffer[] => [segment, ...text(kind), ...text(request), varint(payload.length), payload, ...text(endpoint), uint64(at)]

export const openJournal = (store: Store, chain: string): Journal => {
  const headers = new Map<number, BlockHead>()
  let tip: BlockHead | undefined
  const keep = (head: BlockHead): BlockHead => {
    headers.set(head.number, head)
    headers.delete(head.number - kept)
    if (tip === undefined || head.number > tip.number) tip = head
    return head
  }
  const read = async (sql: typeof headerSql, number: number): Promise<BlockHead | null> => {
    const [row] = await store.query(sql, { chain, number }, Header)
    return row === undefined || row.number === 0 ? null : keep({ number: row.number, hash: `0x${row.hash}`, parentHash: `0x${row.parent}`, time: row.time })
  }
  const header = async (number: number): Promise<BlockHead | null> => headers.get(number) ?? read(headerSql, number)
  const newest = async (): Promise<BlockHead | null> => tip ?? read(newestSql, 0)
  return {
    newest, header,
    listened: async (before) => {
      const [socket] = await store.query(listenedSql, { chain, before }, Listened)
      if (socket !== undefined) return socket.at
      const any = ((await newest())?.time ?? 0) * 1_000
      // A header has whole seconds: what was heard in the second of the start may be this start's own.
      return any === 0 || any >= Math.floor(before / 1_000) * 1_000 ? null : any
    },
    append: async (heard) => {
      for (;;) {
        const below = await newest()
        const number = (below?.number ?? 0) + 1
        const parent = below?.hash.slice(2) ?? zero
        const digest = createHash('sha256').update(parent)
        for (const one of heard) digest.update(createHash('sha256').update(one.kind).update('\n').update(one.request).update('\n').update(String(one.at)).update('\n').update(one.payload).digest())
        const hash = digest.digest('hex')
        const segment = Buffer.concat([...text(chain), uint64(number), Buffer.from(hash, 'hex'), Buffer.from(parent, 'hex'), Buffer.alloc(4)])
        const rows = heard.flatMap((one) => encode(segment, one))
        let standing: string | undefined
        // A server that was killed may know the token and not the rows: spares as for every insert that must last.
        for (const spare of ['', '|2', '|3', '|4']) {
          await store.insertStream(landSql.text, Readable.from(packed(rows), { objectMode: false }), {}, `heard|${chain}|${number}${spare}`)
          standing = (await store.query(standsSql, { chain, number }, Standing, { max_threads: 1 }))[0]?.hash
          if (standing !== undefined) break
        }
        if (standing === undefined) throw new AppError('STORE_FAILED', `segment ${number} of ${chain} does not stand`, { retry: 'attempt' })
        const time = Math.floor(Math.max(...heard.map(({ at }) => at)) / 1_000)
        if (standing === hash) return keep({ number, hash: `0x${hash}`, parentHash: `0x${parent}`, time })
        // Another listener has this number: its segment is what the next one stands on.
        headers.delete(number)
        await read(headerSql, number)
      }
    },
  }
}
