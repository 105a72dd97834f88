/** A recorded block made ready to be served: its answers as bytes, where each list element lies, and where copies of it differ. */
import { readRecorded, type FileName, type Recorded } from './fixtures.js'

/** `header` is the block with transaction hashes only, `logs` what its receipts hold, as eth_getLogs lists it. */
export type Kind = FileName | 'header' | 'logs'

export interface Spot { readonly at: number; readonly what: 'hash' | 'parent' | 'number' | 'decimal' | 'time' | 'transaction' }
export interface Body {
  readonly bytes: Buffer
  /** Start and end of each transaction (block), receipt (receipts) or log (logs) in `bytes`. */
  readonly elements: readonly (readonly [number, number])[]
  /** Places whose bytes a renumbered copy overwrites; widths never change. */
  readonly spots: readonly Spot[]
}
export interface Template { readonly recorded: Recorded; readonly transactions: readonly string[]; body(kind: Kind): Body | undefined }

/** A height every width of which a renumbered copy keeps. */
export interface Widths { readonly hex: number; readonly decimal: number }

const elementsOf = (bytes: Buffer, list: readonly unknown[], start: number): [number, number][] => {
  let at = start
  return list.map((element) => {
    const range: [number, number] = [at, at + Buffer.byteLength(JSON.stringify(element))]
    at = range[1] + 1
    const after = bytes[range[1]]
    if (after !== 0x2c && after !== 0x5d) throw new Error('a recorded answer is not compact JSON')
    return range
  })
}

const spotsOf = (text: string, recorded: Recorded, transactions: ReadonlySet<string>): Spot[] => {
  const spots: Spot[] = []
  for (const match of text.matchAll(/"(0x[0-9a-f]{64})"/g)) {
    const what = match[1] === recorded.hash ? 'hash' : match[1] === recorded.parentHash ? 'parent' : transactions.has(match[1] ?? '') ? 'transaction' : undefined
    if (what !== undefined) spots.push({ at: match.index + 1, what })
  }
  for (const match of text.matchAll(/"(?:number|blockNumber)":"(?=0x)/g)) spots.push({ at: match.index + match[0].length, what: 'number' })
  for (const match of text.matchAll(/"blockNumber":(?=\d)/g)) spots.push({ at: match.index + match[0].length, what: 'decimal' })
  for (const match of text.matchAll(/"(?:timestamp|blockTimestamp)":"(?=0x)/g)) spots.push({ at: match.index + match[0].length, what: 'time' })
  return spots
}

/** Numbers of another width than the copies' are widened once, here. */
const widen = (text: string, widths: Widths): string => text
  .replace(/("(?:number|blockNumber)":")0x[0-9a-f]+/g, (_, key: string) => `${key}0x${'1'.padEnd(widths.hex - 2, '0')}`)
  .replace(/("blockNumber":)\d+/g, (_, key: string) => `${key}${'1'.padEnd(widths.decimal, '0')}`)

const listStart = (text: string, kind: Kind): number => (kind === 'receipts' || kind === 'logs' ? 1 : text.indexOf('"transactions":[') + 16)

/** Reads a block's answers when they are first asked for. With `widths`, as a mould for renumbered copies. */
export const openTemplate = (recorded: Recorded, widths?: Widths): Template => {
  const first = JSON.parse(readRecorded(recorded, 'block')?.toString('utf8') ?? '{}') as { transactions: { hash: string }[] }
  const transactions = first.transactions.map((transaction) => transaction.hash)
  const bodies = new Map<Kind, Body | undefined>()
  const read = (kind: Kind): Buffer | undefined => {
    if (kind === 'header') return Buffer.from(JSON.stringify({ ...first, transactions }))
    if (kind !== 'logs') return readRecorded(recorded, kind)
    const receipts = readRecorded(recorded, 'receipts')
    return receipts === undefined ? undefined : Buffer.from(JSON.stringify((JSON.parse(receipts.toString('utf8')) as { logs: unknown[] }[]).flatMap(({ logs }) => logs)))
  }
  const make = (kind: Kind): Body | undefined => {
    const raw = read(kind)
    if (raw === undefined) return undefined
    // Read as latin1, a character is a byte, and offsets in the text are offsets in the bytes.
    const text = widths === undefined ? raw.toString('latin1') : widen(raw.toString('latin1'), widths)
    const bytes = Buffer.from(text, 'latin1')
    const parsed: unknown = kind === 'block' || kind === 'receipts' || kind === 'logs' ? JSON.parse(bytes.toString('utf8')) : undefined
    const list = kind === 'block' ? (parsed as typeof first).transactions : Array.isArray(parsed) ? parsed as unknown[] : []
    return { bytes, elements: elementsOf(bytes, list, listStart(text, kind)), spots: widths === undefined ? [] : spotsOf(text, recorded, new Set(transactions)) }
  }
  return {
    recorded, transactions,
    body: (kind) => {
      if (!bodies.has(kind)) bodies.set(kind, make(kind))
      return bodies.get(kind)
    },
  }
}
