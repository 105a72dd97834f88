/**
 * A node's own files: node_fills or node_trades, under hourly/DATE/HOUR or one a block, plain or LZ4, read from where they were left.
 * A plain file grows while it is read: only whole lines are taken. A packed one is read when it is whole, and once.
 */
import { open, readFile, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Heard } from './journal.js'
import { unpackLz4 } from './lz4.js'

const positionsSql = loadSql(import.meta.url, 'positions.sql')
/** Bytes of lines in one payload, at most unless a line is longer. */
const most = 1 << 20
/** Bytes of small files that go together: what a segment costs does not hang on how little is in it. */
const full = 4 * most
const newline = 0x0a

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

/** Pieces of whole lines; `rest`: bytes after the last line's end. */
const cut = (bytes: Buffer, whole: boolean): { pieces: Buffer[]; used: number } => {
  const pieces: Buffer[] = []
  let at = 0
  while (at < bytes.length) {
    const near = bytes.lastIndexOf(newline, Math.min(at + most, bytes.length) - 1)
    const end = near >= at ? near : bytes.indexOf(newline, at)
    if (end < 0) { if (!whole) break; pieces.push(bytes.subarray(at)); at = bytes.length; break }
    pieces.push(bytes.subarray(at, end + 1))
    at = end + 1
  }
  return { pieces, used: at }
}

/** Opens `folder`; `take` resolves when a payload stands in the store. Where reading stopped is in the store, with the payloads. */
export const openFiles = (store: Store, chain: string, folder: string, take: (heard: readonly Heard[]) => Promise<void>, warn: (reason: string) => void): Files => {
  const positions = new Map<string, number>()
  let recalled = false
  const recall = async (): Promise<void> => {
    if (recalled) return
    const rows = await store.query(positionsSql, { chain }, z.object({ file: z.string(), position: z.coerce.number() }))
    for (const { file, position } of rows) positions.set(file, position)
    recalled = true
  }
  /** What is new in a file, and where reading it stops then; null: nothing. */
  const readOne = async (path: string): Promise<{ file: string; heard: Heard[]; to: number } | null> => {
    const file = relative(folder, path).split(sep).join('/')
    const from = positions.get(file) ?? 0
    const packed = path.endsWith('.lz4')
    if (packed && from > 0) return null
    const { size } = await stat(path)
    if (size <= from) return null
    let bytes: Buffer
    if (packed) bytes = unpackLz4(await readFile(path))
    else {
      const handle = await open(path)
      try {
        // A few payloads at a time: an hour's file may be larger than memory.
        const buffer = Buffer.allocUnsafe(Math.min(size - from, 8 * most))
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, from)
        bytes = buffer.subarray(0, bytesRead)
      } finally { await handle.close() }
    }
    const { pieces, used } = cut(bytes, packed)
    if (pieces.length === 0) {
      if (!packed && bytes.length >= 8 * most) { warn(`${file}: a line longer than ${8 * most} bytes at ${from}`); positions.set(file, from + bytes.length) }
      return null
    }
    const at = Date.now()
    let place = from
    const heard = pieces.map((payload): Heard => {
      const request = JSON.stringify({ file, from: place, to: place += payload.length })
      return { kind: kindOf(file), request, payload, endpoint: 'files', at }
    })
    return { file, heard, to: packed ? place : from + used }
  }
  return {
    read: async () => {
      await recall()
      let any = false
      let waiting: { file: string; heard: Heard[]; to: number }[] = []
      const hand = async (): Promise<void> => {
        const taken = waiting
        waiting = []
        if (taken.length === 0) return
        await take(taken.flatMap(({ heard }) => heard))
        for (const { file, to } of taken) positions.set(file, to)
        any = true
      }
      const said = (where: string, thrown: unknown): void => { warn(`${where}: ${thrown instanceof Error ? thrown.message : String(thrown)}`) }
      for (const path of (await list(folder)).sort()) {
        try {
          // What is left of a large file is read on once its first part stands.
          for (let piece = await readOne(path); piece !== null; piece = await readOne(path)) {
            waiting.push(piece)
            if (waiting.reduce((sum, { heard }) => heard.reduce((bytes, { payload }) => bytes + payload.length, sum), 0) < full) break
            await hand()
          }
        } catch (thrown) { said(relative(folder, path), thrown) }
      }
      try { await hand() } catch (thrown) { said(folder, thrown) }
      return any
    },
  }
}
