/**
 * A node's own files: node_fills or node_trades, under hourly/DATE/HOUR or one a block, plain or LZ4, read from where they were left.
 * They grow while they are read: only whole lines are taken, and of packed ones only whole frames.
 */
import { open, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { messageOf } from '../../../schemas/errors.js'
import { loadSql } from '../../../schemas/sql.js'
import { gap } from './buffer.js'
import type { Heard } from './journal.js'
import { most, type Place } from './lines.js'
import { readPacked, type Memory } from './packedFile.js'
import { readPlain } from './plainFile.js'

const positionsSql = loadSql(import.meta.url, 'positions.sql')
/** Bytes of small files that go together: what a segment costs does not hang on how little is in it. */
const full = 4 * most

export interface Files {
  /** Reads what is new in one file after the other and hands it on, small ones together; resolves to whether there was anything. */
  read(): Promise<boolean>
}

/** node_trades where the path says so, else node_fills. */
const kindOf = (path: string): 'node_fills' | 'node_trades' => (/(^|[/\\])node_trades/.test(path) ? 'node_trades' : 'node_fills')

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

const Position = z.object({ file: z.string(), at: z.coerce.number(), skip: z.coerce.number(), torn: z.coerce.number() })
interface Waiting { readonly file: string; readonly heard: readonly Heard[]; readonly to: Place }
/** What is remembered of a file. size: of which nothing more was to be had. */
interface Seen extends Memory { size: number }

/** Opens `folder`; `take` resolves when a payload stands in the store. Where reading stopped is in the store, with the payloads. */
export const openFiles = (store: Store, chain: string, folder: string, take: (heard: readonly Heard[]) => Promise<void>, warn: (reason: string) => void): Files => {
  const positions = new Map<string, Place>(), seen = new Map<string, Seen>()
  let recalled = false
  const recall = async (): Promise<void> => {
    if (recalled) return
    for (const { file, at, skip, torn } of await store.query(positionsSql, { chain }, Position)) positions.set(file, { at, skip, torn: torn > 0 })
    recalled = true
  }
  /** What is new in a file, a few payloads at a time. */
  async function* readOne (path: string): AsyncGenerator<Waiting, void> {
    const file = relative(folder, path).split(sep).join('/'), kind = kindOf(file)
    const memory = seen.get(file) ?? { size: -1, start: -1, at: -1, astray: false, sought: 0 }
    seen.set(file, memory)
    const { size, mtimeMs } = await stat(path)
    if (size === memory.size) return
    const handle = await open(path)
    try {
      const from = positions.get(file) ?? { at: 0, skip: 0, torn: false }
      for await (const { payloads, lost, from: begin, to } of path.endsWith('.lz4') ? readPacked(handle, size, from, memory) : readPlain(handle, size, from)) {
        const request = JSON.stringify({ file, from: begin.at, to: to.at, skip: to.skip, torn: to.torn }), at = Date.now()
        const gaps = lost.map((why): Heard => { warn(`${file}: ${why}`); return { ...gap({ ...spanOf(path, Math.floor(mtimeMs)), reason: `${file}: ${why}` }, kind, ''), request } })
        yield { file, to, heard: [...payloads.map((payload): Heard => ({ kind, request, payload, endpoint: 'files', at })), ...gaps] }
      }
      memory.size = size
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
        if (heard.length > 0) await take(heard).catch((thrown: unknown) => { for (const { file } of taken) seen.delete(file); throw thrown })
        for (const { file, to } of taken) positions.set(file, to)
        any ||= heard.length > 0
      }
      const said = (where: string, thrown: unknown): void => { warn(`${where}: ${messageOf(thrown)}`) }
      for (const path of (await list(folder)).sort()) {
        try {
          for await (const piece of readOne(path)) {
            waiting.push(piece)
            bytes += piece.heard.reduce((sum, { payload }) => sum + payload.length, 0)
            // What is left of a large file is read on once its first part stands.
            if (bytes >= full) await hand()
          }
        } catch (thrown) { said(relative(folder, path), thrown) }
      }
      try { await hand() } catch (thrown) { said(folder, thrown) }
      return any
    },
  }
}
