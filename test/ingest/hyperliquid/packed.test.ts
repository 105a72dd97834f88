/** A node's files packed with LZ4 while frames are appended to them: no line is lost, none is read twice, none is half. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../../schemas/clickhouse.js'
import { openFiles, type Files } from '../../../stages/ingest/hyperliquid/files.js'
import { openJournal, type Heard } from '../../../stages/ingest/hyperliquid/journal.js'
import { block, frame, packed } from '../../support/lz4.js'
import { freshStore } from '../../support/servers.js'

const line = (nth: number, size = 0): string => JSON.stringify({ nth, pad: 'x'.repeat(size) })
const lines = (from: number, to: number, size = 0): string => Array.from({ length: to - from + 1 }, (_, at) => `${line(from + at, size)}\n`).join('')

describe('packed files of a node', function () {
  this.timeout(60_000)
  let store: Store, folder: string, file: string, files: Files, heard: Heard[], warned: string[], failing: boolean
  const restart = (): void => {
    const journal = openJournal(store, 'HL')
    files = openFiles(store, 'HL', folder, async (taken) => { if (failing) throw new Error('the store takes nothing'); heard.push(...taken); await journal.append(taken) }, (reason) => { warned.push(reason) })
  }
  before(async () => { store = (await freshStore()).store })
  beforeEach(async () => {
    for (const table of ['raw_payloads', 'hl_file_places']) await store.execute(`TRUNCATE TABLE ${table}`)
    folder = mkdtempSync(join(tmpdir(), 'hl-packed-'))
    mkdirSync(join(folder, 'node_fills/hourly/20260924'), { recursive: true })
    file = join(folder, 'node_fills/hourly/20260924/7.lz4')
    ;[heard, warned, failing] = [[], [], false]
    restart()
  })
  afterEach(() => { rmSync(folder, { recursive: true }) })
  /** Numbers of the lines read since it was asked last. */
  const read = async (): Promise<number[]> => {
    await files.read()
    const said = heard.filter(({ kind }) => kind === 'node_fills').map(({ payload }) => String(payload)).join('\n').split('\n').filter((text) => text !== '')
    heard = heard.filter(({ kind }) => kind === 'gap')
    return said.map((text) => (JSON.parse(text) as { nth: number }).nth)
  }
  const gaps = () => heard.map(({ payload }) => JSON.parse(String(payload)) as { channel: string; from: number; to: number; reason: string })

  it('frames appended later are read when they are there, whole ones alone, and not again by the next worker', async () => {
    writeFileSync(file, packed(lines(1, 2)))
    assert.deepEqual([await read(), await read()], [[1, 2], []])
    const more = packed(lines(3, 4))
    appendFileSync(file, more.subarray(0, 20))
    assert.deepEqual(await read(), [])
    restart()
    assert.deepEqual(await read(), [])
    appendFileSync(file, more.subarray(20))
    assert.deepEqual(await read(), [3, 4])
    appendFileSync(file, packed(lines(5, 5)))
    restart()
    assert.deepEqual([await read(), warned], [[5], []])
  })

  it('a line that lies across frames is read once, when its end is there, whoever reads it', async () => {
    const text = lines(1, 4), parts = [text.slice(0, 20), text.slice(20, 28), text.slice(28, 50), text.slice(50)]
    const seen: number[][] = []
    for (const part of parts) { appendFileSync(file, packed(part)); seen.push(await read()); restart() }
    assert.deepEqual([seen.flat(), await read()], [[1, 2, 3, 4], []])
    assert.ok(seen.filter((some) => some.length > 0).length >= 3)
  })

  it('the last line of a file that is whole may have no end; a part of one waits', async () => {
    writeFileSync(file, packed(`${lines(1, 1)}${line(2)}`))
    writeFileSync(file.replace('7.lz4', '8.lz4'), packed(`${lines(3, 3)}${line(4).slice(0, -1)}`))
    assert.deepEqual(await read(), [1, 2, 3])
    appendFileSync(file, packed(`\n${lines(5, 5)}`))
    appendFileSync(file.replace('7.lz4', '8.lz4'), packed('}\n'))
    restart()
    assert.deepEqual(await read(), [5, 4])
  })

  it('a frame of many times what is handed on at once goes in pieces, and what the store refuses is read again', async () => {
    writeFileSync(file, packed(lines(1, 300, 100_000)))
    failing = true
    assert.deepEqual([await read(), warned.length > 0], [[], true])
    failing = false
    const all: number[] = [], sizes: number[] = []
    let under = 0
    files = openFiles(store, 'HL', folder, async (taken) => {
      sizes.push(taken.reduce((sum, { payload }) => sum + payload.length, 0))
      // The second part is refused once.
      if (sizes.length === 2) throw new Error('the store takes nothing')
      await openJournal(store, 'HL').append(taken)
      for (const { payload } of taken) { under = Math.max(under, payload.length); all.push(...String(payload).split('\n').filter((one) => one !== '').map((one) => (JSON.parse(one) as { nth: number }).nth)) }
    }, () => undefined)
    await files.read()
    restart()
    all.push(...await read())
    assert.deepEqual(all, Array.from({ length: 300 }, (_, nth) => nth + 1))
    assert.ok(Math.max(...sizes) < 12 << 20 && under <= 1 << 20, `${Math.max(...sizes)} ${under}`)
  })

  it('a garbled frame is left out, told once with its hour, and no half line comes of it', async () => {
    const text = lines(1, 9), bad = packed(text.slice(30, 90))
    bad[20] = (bad[20] ?? 0) ^ 1
    writeFileSync(file, Buffer.concat([packed(text.slice(0, 30)), bad, packed(text.slice(90, 130)), packed(text.slice(130))]))
    assert.deepEqual(await read(), [1, 6, 7, 8, 9])
    assert.deepEqual([await read(), warned.length], [[], 1])
    const [told, ...others] = gaps()
    assert.deepEqual([told?.channel, told?.from, told?.to, others], ['node_fills', Date.UTC(2026, 8, 24, 7), Date.UTC(2026, 8, 24, 8), []])
    assert.match(told?.reason ?? '', /7\.lz4: bytes \d+ to \d+: .*checksum/)
    restart()
    appendFileSync(file, packed(lines(10, 10)))
    assert.deepEqual([await read(), gaps().length], [[10], 1])
  })

  it('bytes that are no frame are passed over once; where reading stopped behind them no line is taken for whole that is not', async () => {
    const torn = lines(1, 3), cutOff = packed(torn.slice(0, 25)).subarray(0, 30)
    writeFileSync(file, Buffer.concat([cutOff, packed(torn.slice(25, 30))]))
    assert.deepEqual([await read(), gaps().length], [[], 1])
    restart()
    appendFileSync(file, packed(torn.slice(30)))
    assert.deepEqual([await read(), gaps().length], [[3], 1])
    const other = file.replace('7.lz4', '9.lz4')
    writeFileSync(other, lines(1, 50))
    for (const _ of [1, 2, 3]) { assert.deepEqual(await read(), []); appendFileSync(other, lines(51, 90)) }
    assert.equal(gaps().length, 2)
    appendFileSync(other, packed(lines(91, 92)))
    assert.deepEqual(await read(), [91, 92])
  })

  it('what was read whole when that was how it went is not read again, what came later is', async () => {
    const text = lines(1, 5), first = packed(text)
    writeFileSync(file, first)
    await openJournal(store, 'HL').append([{ kind: 'node_fills', request: JSON.stringify({ file: 'node_fills/hourly/20260924/7.lz4', from: 0, to: text.length }), payload: Buffer.from(text), endpoint: 'files', at: Date.now() }])
    assert.deepEqual(await read(), [])
    appendFileSync(file, frame([block(Buffer.from(lines(6, 7)), true)]))
    assert.deepEqual(await read(), [6, 7])
    restart()
    assert.deepEqual(await read(), [])
  })
})
