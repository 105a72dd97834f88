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
const newline = 0x0a

export interface Files {
  /** Reads what is new in one file after the other and hands it on; resolves to whether there was anything. */
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
  const readOne = async (path: string): Promise<boolean> => {
    const file = relative(folder, path).split(sep).join('/')
    const from = positions.get(file) ?? 0
    const packed = path.endsWith('.lz4')
    if (packed && from > 0) return false
    const { size } = await stat(path)
    if (size <= from) return false
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
      return false
    }
    const at = Date.now()
    let place = from
    const heard = pieces.map((payload): Heard => {
      const request = JSON.stringify({ file, from: place, to: place += payload.length })
      return { kind: kindOf(file), request, payload, endpoint: 'files', at }
    })
    await take(heard)
    positions.set(file, packed ? place : from + used)
    return true
  }
  return {
    read: async () => {
      await recall()
      let any = false
      for (const path of (await list(folder)).sort()) {
        try { while (await readOne(path)) any = true } catch (thrown) { warn(`${relative(folder, path)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`) }
      }
      return any
    },
  }
}
