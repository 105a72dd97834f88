/** Archives that are damaged or made to do harm. */
import assert from 'node:assert/strict'
import { crc32, deflateRawSync } from 'node:zlib'
import { readCsv } from '../../../../stages/enrich/registers/sanctions/csv.js'
import { ilPage } from '../../../../stages/enrich/registers/sanctions/ilPage.js'
import { readXml } from '../../../../stages/enrich/registers/sanctions/xml.js'
import { openZip } from '../../../../stages/enrich/registers/sanctions/zip.js'

interface Said { readonly sum?: number; readonly size?: number; readonly flags?: number; readonly method?: number }

/** An archive of one file, a.xml, about which it may say what is not so. */
const archive = (body: Buffer, { sum = crc32(body), size = body.length, flags = 0, method = 8 }: Said = {}): Buffer => {
  const [packed, name] = [deflateRawSync(body), Buffer.from('a.xml')]
  const file = Buffer.alloc(26)
  for (const [at, value] of [[0, 20], [2, flags], [4, method], [22, name.length]] as const) file.writeUInt16LE(value, at)
  for (const [at, value] of [[10, sum], [14, packed.length], [18, size]] as const) file.writeUInt32LE(value, at)
  const entry = Buffer.concat([Buffer.from('504b01021400', 'hex'), file, Buffer.alloc(14), name])
  const end = Buffer.from('504b05060000000001000100', 'hex')
  const bounds = Buffer.alloc(10)
  bounds.writeUInt32LE(entry.length, 0)
  bounds.writeUInt32LE(30 + name.length + packed.length, 4)
  return Buffer.concat([Buffer.from('504b0304', 'hex'), file, name, packed, entry, end, bounds])
}
const read = async (bytes: Buffer, name = 'a.xml'): Promise<Buffer | null> => (await openZip(bytes)).read(name)
const refused = { code: 'LIST_UNREADABLE' }

describe('archives and tables of lists', () => {
  it('reads a file; one that is not there is null', async () => {
    assert.equal((await read(archive(Buffer.from('hello'))))?.toString(), 'hello')
    assert.equal(await read(archive(Buffer.from('hello')), 'b.xml'), null)
  })

  it('refuses wrong checksums and sizes, encryption, methods that are unknown, and what is no archive', async () => {
    const body = Buffer.from('hello')
    for (const said of [{ sum: 5 }, { size: 4 }, { size: 50 }, { flags: 1 }, { method: 99 }]) await assert.rejects(read(archive(body, said)), refused, JSON.stringify(said))
    for (const bytes of [Buffer.alloc(0), Buffer.from('<html></html>'), archive(body).subarray(0, -1), archive(body).subarray(9)]) await assert.rejects(read(bytes), refused)
  })

  it('a small archive cannot fill the memory, whatever it says', async () => {
    const zeros = Buffer.alloc(70_000_000)
    const sum = crc32(zeros)
    for (const size of [zeros.length, 1000, 64_000_000]) await assert.rejects(read(archive(zeros, { sum, size })), refused, String(size))
  })

  it('nor can many files of it together', async () => {
    const half = Buffer.alloc(60_000_000)
    const zip = await openZip(archive(half))
    for (const _ of [1, 2]) assert.equal((await zip.read('a.xml'))?.length, half.length)
    await assert.rejects(zip.read('a.xml'), refused)
  })

  it('what never ends in XML is not read on: names, values, texts, comments', async () => {
    for (const begin of ['<a', '<a b="', '<a>', '<a><!--', '<a><![CDATA[', '<a><?x ']) {
      let given = 0
      const endless = async function* (): AsyncGenerator<Buffer> { yield Buffer.from(begin); for (; given < 500; given += 1) yield await Promise.resolve(Buffer.alloc(65_536, 'x')) }
      await assert.rejects(readXml(endless(), { open: () => undefined, close: () => undefined }), refused, begin)
      assert.ok(given < 100, `${begin}: ${given}`)
    }
  })

  it('a page of open brackets costs no more than its length', () => {
    assert.deepEqual(ilPage(`<table><tr><td>${'<'.repeat(2_000_000)}`).wallets, [])
  }).timeout(10_000)

  it('a table with quotes, and tables that are not whole', () => {
    assert.deepEqual(readCsv('\ufeffa,b\r\n"x ""y"", z","q\nr"\r\n1,\r\n'), [['a', 'b'], ['x "y", z', 'q\nr'], ['1', '']])
    for (const text of ['a,b\n1\n', 'a,b\n"1,2\n', 'a,b\n1,2,3']) assert.throws(() => readCsv(text), refused, text)
  })
})
