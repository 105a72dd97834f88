/** A folder as a Hyperliquid node fills it, and a worker that reads it, for tests. */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Store } from '../../schemas/clickhouse.js'
import { openFiles, type Files } from '../../stages/ingest/hyperliquid/files.js'
import { openJournal, type Heard } from '../../stages/ingest/hyperliquid/journal.js'

export const lines = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, at) => `${JSON.stringify({ nth: from + at })}\n`).join('')
/** What was read, as `kind: numbers of its lines`. */
const saidOf = ({ kind, payload }: Heard): string => `${kind}: ${[...String(payload).matchAll(/"nth":(\d+)/g)].map(([, nth]) => nth).join()}`

export const openFolder = (store: Store) => {
  const folder = mkdtempSync(join(tmpdir(), 'hl-node-'))
  const warned: string[] = []
  let heard: Heard[] = [], files: Files | undefined, failing = false
  const path = (name: string): string => join(folder, name)
  return {
    warned,
    write: (name: string, content: string | Buffer): void => { mkdirSync(dirname(path(name)), { recursive: true }); writeFileSync(path(name), content) },
    append: (name: string, content: string | Buffer): void => { appendFileSync(path(name), content) },
    /** As if nobody had written to it for so long. */
    age: (name: string, minutes: number): void => { const at = new Date(Date.now() - minutes * 60_000); utimesSync(path(name), at, at) },
    /** Starts a worker anew, on a folder below; one that keeps so often for long where it read to. */
    start: (below = '', everyMs?: number): void => {
      const journal = openJournal(store, 'HL')
      files = openFiles(store, 'HL', path(below), async (taken) => { if (failing) throw new Error('the store takes nothing'); await journal.append(taken); heard.push(...taken) }, (reason) => { warned.push(reason) }, everyMs)
    },
    fail: (yes: boolean): void => { failing = yes },
    /** Looks; what was read since the last time. */
    look: async (): Promise<string[]> => {
      heard = heard.filter(({ kind }) => kind === 'gap')
      await files?.read()
      return heard.filter(({ kind }) => kind !== 'gap').map(saidOf)
    },
    /** Gaps told so far, as `channel hour: reason`. */
    gaps: (): string[] => heard.filter(({ kind }) => kind === 'gap').map(({ payload }) => { const { channel, from, to, reason } = JSON.parse(String(payload)) as { channel: string; from: number; to: number; reason: string }; return `${channel} ${new Date(from).toISOString().slice(0, 13)}+${(to - from) / 3_600_000}: ${reason}` }),
    close: (): void => { rmSync(folder, { recursive: true }) },
  }
}
