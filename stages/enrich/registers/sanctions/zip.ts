/** Files in a ZIP archive that is in memory: as much of the format as workbooks need. */
import { inflateRawSync } from 'node:zlib'
import { AppError } from '../../../../schemas/errors.js'

/** Largest file unpacked, so that a small archive cannot fill the memory. */
const mostBytes = 64_000_000
const unread = (why: string): AppError => new AppError('LIST_UNREADABLE', `The workbook cannot be read: ${why}`, { retry: 'never' })

/** Opens an archive; `read` gives a file by its path, null where there is none. Throws LIST_UNREADABLE. */
export const openZip = (bytes: Buffer): { readonly names: readonly string[]; read(name: string): Buffer | null } => {
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'))
  if (end < 0 || end + 22 > bytes.length) throw unread('it is no ZIP archive, or it is cut off')
  const files = new Map<string, { method: number; packed: number; at: number; sum: number }>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== 0x02014b50) throw unread('its directory is damaged')
    const [name, extra, comment] = [bytes.readUInt16LE(at + 28), bytes.readUInt16LE(at + 30), bytes.readUInt16LE(at + 32)]
    files.set(bytes.toString('utf8', at + 46, at + 46 + name), { method: bytes.readUInt16LE(at + 10), sum: bytes.readUInt32LE(at + 16), packed: bytes.readUInt32LE(at + 20), at: bytes.readUInt32LE(at + 42) })
    at += 46 + name + extra + comment
  }
  return {
    names: [...files.keys()],
    read: (name) => {
      const file = files.get(name)
      if (file === undefined) return null
      if (file.at + 30 > bytes.length || bytes.readUInt32LE(file.at) !== 0x04034b50) throw unread(`${name} is damaged`)
      const start = file.at + 30 + bytes.readUInt16LE(file.at + 26) + bytes.readUInt16LE(file.at + 28)
      const packed = bytes.subarray(start, start + file.packed)
      let whole: Buffer
      try { whole = file.method === 0 ? packed : inflateRawSync(packed, { maxOutputLength: mostBytes }) } catch { throw unread(`${name} is damaged or too large`) }
      if (packed.length !== file.packed || crc32(whole) !== file.sum) throw unread(`${name} is damaged`)
      return whole
    },
  }
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ 0xedb88320
  return value >>> 0
})
const crc32 = (bytes: Buffer): number => {
  let sum = 0xffffffff
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 255] ?? 0)
  return (sum ^ 0xffffffff) >>> 0
}
