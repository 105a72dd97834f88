/** What a sanctions list is: where it is published, the copy that is bundled, and how each is read. */
import { readFileSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import type { Outbound } from '../../../../schemas/outbound.js'

/** Registers whose addresses are loaded here. */
export const listRegisters = ['OFAC_SDN', 'UK_HMT', 'IL_NBCTF', 'JP_MOF'] as const
export type ListRegister = (typeof listRegisters)[number]

/** One listing of one address, in the list's own words: text of strangers. Dates are YYYY-MM-DD. endsOn: until when the order is in force, where the list says so. */
export interface Listing {
  readonly listId: string; readonly ticker: string; readonly address: string; readonly entityName: string; readonly programme: string; readonly listedOn: string | null; readonly endsOn: string | null
}
/** publishedAt: the day the list says it is of. entries: parties, orders or rows that name an address. notes: what the list holds and cannot be read here. */
export interface ReadList { readonly publishedAt: string | null; readonly entries: number; readonly listings: readonly Listing[]; readonly notes?: readonly string[] }

/** The bytes of a list, as they come, and where they come from. */
export interface Download { readonly source: string; readonly bytes: AsyncIterable<Buffer>; /** Of a file whose name has its day. */ readonly publishedAt?: string }

export interface SanctionsList {
  readonly register: ListRegister
  readonly name: string
  readonly authority: string
  /** Addresses that this list has named for years and that belong to persons and groups, not to what may be freed: a list without one of them is no such list. */
  readonly canaries: readonly string[]
  readonly official: { readonly url: string; readonly aggregator: string; /** Bounds of the download. */ readonly bytes: number; readonly milliseconds: number; open(outbound: Outbound): Promise<Download>; /** annexes: what was transcribed of them, the oldest first. */ read(bytes: AsyncIterable<Buffer>, annexes?: readonly string[]): Promise<ReadList> }
  readonly bundled: { readonly file: string; readonly aggregator: string; readonly publishedAt: string; read(bytes: AsyncIterable<Buffer>): Promise<ReadList>; /** Whether it was read otherwise once: where it is in force it is read again. */ readonly anew?: boolean }
  /** Of a list with annexes that no program reads: orders whose wallets a transcription (CSV) holds. Throws LIST_UNREADABLE. */
  readonly ordersIn?: (transcription: string) => Promise<readonly string[]>
}

const folder = new URL('data/', import.meta.url)

/** The bundled copy of a list, unpacked as it is read. */
export const bundledBytes = (file: string): AsyncIterable<Buffer> => {
  const packed = Readable.from([readFileSync(new URL(file, folder))])
  return (file.endsWith('.gz') ? packed.pipe(createGunzip()) : packed) as AsyncIterable<Buffer>
}

/** All of `bytes` in memory; only for small files. */
export const wholeOf = async (bytes: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}

/** YYYY-MM-DD of a day; null where there is no such day. */
export const dayOf = (year: number | string, month: number | string, day: number | string): string | null => {
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return Number.isNaN(at.getTime()) || at.getUTCDate() !== Number(day) || at.getUTCFullYear() < 1900 || at.getUTCFullYear() > 2199 ? null : at.toISOString().slice(0, 10)
}
