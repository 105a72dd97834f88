/** Files in a ZIP archive that is in memory: as much of the format as workbooks need. */
import { crc32 } from 'node:zlib'
import { fromBufferPromise, type Entry } from 'yauzl'
import { AppError } from '../../../../schemas/errors.js'
import { wholeOf } from './list.js'

/** Largest file unpacked, so that a small archive cannot fill the memory: a file that unpacks to more than its entry says is refused on the way. */
const mostBytes = 64_000_000
/** And of all that is unpacked of one archive, one file over and over included: what is read of it is kept. */
const mostTogether = 128_000_000
const orUnread = async <Value>(reading: Promise<Value>, what: string): Promise<Value> => {
  try { return await reading } catch (thrown) {
    throw new AppError('LIST_UNREADABLE', `${what} cannot be read: ${(thrown as Error).message}`, { retry: 'never' })
  }
}

/** Opens an archive; `read` gives a file by its path, null where there is none. Both throw LIST_UNREADABLE. */
export const openZip = async (bytes: Buffer): Promise<{ read(name: string): Promise<Buffer | null> }> => orUnread((async () => {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false })
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  let together = 0
  const unpacked = async (entry: Entry): Promise<Buffer> => {
    if (entry.uncompressedSize > mostBytes) throw new Error('it is too large')
    together += entry.uncompressedSize
    if (together > mostTogether) throw new Error('all that is packed in it is too large')
    const whole = await wholeOf(await zip.openReadStreamPromise(entry))
    if (crc32(whole) !== entry.crc32) throw new Error('its checksum is wrong')
    return whole
  }
  return {
    read: async (name: string) => {
      const entry = entries.get(name)
      return entry === undefined ? null : orUnread(unpacked(entry), `${name} of the workbook`)
    },
  }
})(), 'The workbook')
