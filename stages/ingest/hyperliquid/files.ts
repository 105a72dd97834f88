/**
 * A node's own files: node_fills or node_trades, under hourly/DATE/HOUR or one a block, plain or LZ4, read from where they were left.
 * They grow while they are read: only whole lines are taken, and of packed ones only whole frames. What is left at the end of a file that is over is a gap.
 */
import { open, readdir, stat } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { messageOf } from '../../../schemas/errors.js'
import { loadSql } from '../../../schemas/sql.js'
import { gap } from './buffer.js'
import type { Heard } from './journal.js'
import { kindOf, type Kind } from './kinds.js'
import { most, type Place } from './lines.js'
import { readPacked, type Memory } from './packedFile.js'
import { goesOn, readPlain } from './plainFile.js'
import { openSeries } from './series.js'

const positionsSql = loadSql(import.meta.url, 'positions.sql'), keepPlacesSql = loadSql(import.meta.url, 'keepPlaces.sql')
/** Bytes of small files that go together: what a segment costs does not hang on how little is in it. */
const full = 4 * most
/** Milliseconds without a change after which a file that a later one follows is over: what its writer held back would be written. */
const still = 300_000

export interface Files {
  /** Reads what is new in one file after the other and hands it on, small ones together; resolves to whether there was anything. */
  read(): Promise<boolean>
}

const list = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map((entry) => join(entry.parentPath, entry.name))
}

/** When what a file holds was said, Unix milliseconds: the hour that it is named after, else when it was written. */
const spanOf = (path: string, written: number): { from: number; to: number } => {
  const [, year, month, day, hour] = /[/\\](\d{4})(\d\d)(\d\d)[/\\](\d{1,2})(?:\.lz4)?$/.exec(path) ?? []
  const from = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour))
  return Number.isNaN(from) ? { from: written, to: written } : { from, to: from + 3_600_000 }
}

const Position = z.object({ kind: z.string(), file: z.string(), life: z.coerce.number(), at: z.coerce.number(), skip: z.coerce.number(), torn: z.coerce.number(), told: z.coerce.number() })
/** life: how often another file had come in its place; the place is one in the newest. */
interface Standing { readonly life: number; readonly place: Place }
interface Waiting { readonly key: string; readonly heard: readonly Heard[]; readonly to: Standing }
/** What is remembered of a file. size: of which nothing more was to be had; over: not even of its end. */
interface Seen extends Memory { size: number; over: boolean }
const start: Place = { at: 0, skip: 0, torn: false, told: false }
const unseen = (): Seen => ({ size: -1, over: false, start: -1, at: -1, astray: false, sought: 0 })

/** Payloads, with which it stands where reading stopped, live 30 days: this often it is put where it stays, and a longer rest than theirs forgets as much. */
const keepMs = 3_600_000

/** Opens `folder`; `take` resolves when a payload stands in the store. Where reading stopped is in the store, with the payloads and longer. */
export const openFiles = (store: Store, chain: string, folder: string, take: (heard: readonly Heard[]) => Promise<void>, warn: (reason: string) => void, everyMs = keepMs): Files => {
  const root = resolve(folder), positions = new Map<string, Standing>(), seen = new Map<string, Seen>(), apart = new Set<string>()
  const keyOf = (kind: string, file: string): string => `${kind} ${file}`
  let recalled = false, kept = -Infinity
  const recall = async (): Promise<void> => {
    if (performance.now() - kept >= everyMs) {
      await store.execute(keepPlacesSql, { chain })
      kept = performance.now()
    }
    if (recalled) return
    for (const { kind, file, life, at, skip, torn, told } of await store.query(positionsSql, { chain }, Position)) positions.set(keyOf(kind, file), { life, place: { at, skip, torn: torn > 0, told: told > 0 } })
    recalled = true
  }
  /** What a file is of; undefined: of something else that a node writes, which is told once a folder. */
  const kindHere = (path: string): Kind | undefined => {
    const found = kindOf(root, path)
    if ('kind' in found) return found.kind
    if (!apart.has(found.apart)) warn(`${found.apart}: neither fills nor trades of a node, it is not read`)
    apart.add(found.apart)
    return undefined
  }
  /** What is new in a file, a few payloads at a time; `followed`: whether a later one stands beside it. */
  async function* readOne (path: string, kind: Kind, followed: (path: string) => boolean): AsyncGenerator<Waiting, void> {
    const file = relative(root, path).split(sep).join('/'), key = keyOf(kind, file)
    let memory = seen.get(key) ?? unseen(), { life, place: from } = positions.get(key) ?? { life: 0, place: start }
    /** Another file is read from its start. That is kept at once: what shows that it is another may be gone at the next look. */
    const renew = (): void => {
      warn(`${file}: it is another file than was read, or was cut; it is read from its start`)
      ;[memory, life, from] = [unseen(), life + 1, start]
      positions.set(key, { life, place: from })
    }
    const { size, mtimeMs } = await stat(path)
    if (size < Math.max(from.at, memory.size)) renew()
    seen.set(key, memory)
    if (size === memory.size && memory.over) return
    const over = Date.now() - mtimeMs > still && followed(path)
    if (size === memory.size && !over) return
    const handle = await open(path), packed = path.endsWith('.lz4')
    try {
      if (!packed && !(await goesOn(handle, from))) { renew(); seen.set(key, memory) }
      for await (const { payloads, lost, from: begin, to } of packed ? readPacked(handle, size, from, memory, over) : readPlain(handle, size, from, over)) {
        const request = JSON.stringify({ file, life, from: begin.at, to: to.at, skip: to.skip, torn: to.torn, told: to.told }), at = Date.now()
        const gaps = lost.map((why): Heard => { warn(`${file}: ${why}`); return { ...gap({ ...spanOf(path, Math.floor(mtimeMs)), reason: `${file}: ${why}` }, kind, ''), request } })
        yield { key, to: { life, place: to }, heard: [...payloads.map((payload): Heard => ({ kind, request, payload, endpoint: 'files', at })), ...gaps] }
      }
      memory.size = size
      memory.over = over
    } finally { await handle.close() }
  }
  return {
    read: async () => {
      await recall()
      let any = false, waiting: Waiting[] = [], bytes = 0
      const hand = async (): Promise<void> => {
        const taken = waiting, heard = taken.flatMap((one) => one.heard)
        waiting = []
        bytes = 0
        // What is lost of a read is read again: the store keeps each once by its key.
        if (heard.length > 0) await take(heard).catch((thrown: unknown) => { for (const { key } of taken) seen.delete(key); throw thrown })
        for (const { key, to } of taken) positions.set(key, to)
        any ||= heard.length > 0
      }
      const said = (where: string, thrown: unknown): void => { warn(`${where}: ${messageOf(thrown)}`) }
      const paths = (await list(root)).sort(), followed = openSeries(paths)
      for (const path of paths) {
        const kind = kindHere(path)
        if (kind === undefined) continue
        try {
          for await (const piece of readOne(path, kind, followed)) {
            waiting.push(piece)
            bytes += piece.heard.reduce((sum, { payload }) => sum + payload.length, 0)
            // What is left of a large file is read on once its first part stands.
            if (bytes >= full) await hand()
          }
        } catch (thrown) { said(relative(root, path), thrown) }
      }
      try { await hand() } catch (thrown) { said(folder, thrown) }
      return any
    },
  }
}
