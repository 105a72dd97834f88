/** A tag as its owner sees it: what a key wrote about an event and, where an address is named, about that address. */
import { z } from 'zod'
import { Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { keyRequired } from '../../faults.js'
import type { Ask } from '../../operation.js'
import { pageOf, type Page } from '../../pages.js'
import { untrusted } from '../../untrusted.js'

export const labelLength = 64
export const noteLength = 500
/** Tags of one key at once. */
export const mostTags = 1_000

export const eventIdField = z.string().regex(/^[\w:.-]{1,128}$/).describe('Id of the event: chunk_id, alert id, transaction hash or one of your own; letters, digits, _ : . -')

export const Tag = z.object({
  tag_id: z.number().int(), event_id: z.string(), label: z.string().describe('Untrusted text'), note: z.string().describe('Untrusted text'),
  chain: z.string().nullable(), address: z.string().nullable().describe('The address the label is about'), created_at: Instant,
})
/** What its owner wrote of it (Operation.foreign). */
export const ownWords = ['event_id', 'label', 'note'] as const
export type Tag = z.infer<typeof Tag>

const text = (most: number) => z.string().transform((raw) => untrusted(raw, most))
const orNull = z.string().transform((raw) => (raw === '' ? null : raw))
const Row = Tag.extend({ label: text(labelLength), note: text(noteLength), chain: orNull, address: orNull, deleted: z.boolean(), version: z.number().int() })
export type TagRow = z.infer<typeof Row>

const listTags = loadSql(import.meta.url, 'listTags.sql'), eventTags = loadSql(import.meta.url, 'eventTags.sql'), addressTags = loadSql(import.meta.url, 'addressTags.sql')
const Standing = Row.omit({ deleted: true, version: true })
/** Sort position: when it was made, as the store reads it, and tag_id. */
const Position = z.tuple([z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/), z.number().int().min(0)])

/** Owner of the tags the caller may see; throws AUTH_REQUIRED where there is no key. */
export const ownerOf = ({ principal }: Ask): string => {
  if (principal.keyId === null) throw keyRequired()
  return principal.owner
}

/** Tags of the caller: by id, also a deleted one; or (none given) all that stand, newest first. Read anew every time: another process may have written. */
export const readTags = (ask: Ask, only: { readonly id?: number } = {}): Promise<TagRow[]> =>
  ask.store.query(listTags, { key: ownerOf(ask), tag: only.id ?? 0 }, Row, {}, ask.signal)

export const tagView = ({ deleted: _, version: __, ...tag }: TagRow): Tag => tag

/** A page of the caller's tags that stand, newest first: on one event, or (`event` '') all about addresses. `operation` and the key are what a cursor is for. */
export const tagPage = async (ask: Ask, operation: string, event: string, { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }): Promise<{ readonly page: Tag[]; readonly more: Page }> => {
  const { cursors } = ask.services
  const inputs = { key: ownerOf(ask), event }
  const [before, below] = cursor === undefined ? ['2200-01-01 00:00:00.000', 0] as const : cursors.read(operation, inputs, cursor, Position)
  const rows = await ask.store.query(event === '' ? addressTags : eventTags, { ...inputs, before, below, limit: limit + 1 }, Standing, {}, ask.signal)
  const { page, more } = pageOf(rows, limit, (last) => cursors.write(operation, inputs, [new Date(last.created_at).toISOString().replace('T', ' ').replace('Z', ''), last.tag_id]))
  return { page, more }
}

/** Writes one version of one tag of the caller. */
export const writeTag = (ask: Ask, { chain, address, ...tag }: TagRow): Promise<void> =>
  ask.writer.insert('tags', [{ key_id: ownerOf(ask), ...tag, chain: chain ?? '', address: address ?? '' }])
