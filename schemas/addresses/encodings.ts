/** Encodings that addresses are written in, with their checksums. Nothing that reads throws: what is not in the encoding is null. */
import { hash } from 'node:crypto'
import { base32nopad, base58 as bitcoin, base58xmr, base58xrp, bech32 as plain, bech32m, createBase58check, utils, type BytesCoder } from '@scure/base'

export const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

const bitcoinChecked = createBase58check(sha256)
const rippleChecked = utils.chain(utils.checksum(4, (body) => sha256(sha256(body))), base58xrp)

/** Base58 takes the square of its length: no address is longer. */
const mostLetters = 128
const bytesIn = (coder: BytesCoder, text: string): Buffer | null => {
  if (text.length === 0 || text.length > mostLetters) return null
  try { return Buffer.from(coder.decode(text)) } catch { return null }
}

/** Bytes of a base58 text of at most 128 letters. */
export const base58 = (text: string): Buffer | null => bytesIn(bitcoin, text)
/** The bytes before the four of the checksum, with Bitcoin's letters. */
export const base58check = (text: string): Buffer | null => bytesIn(bitcoinChecked, text)
/** The same with Ripple's letters. */
export const rippleCheck = (text: string): Buffer | null => bytesIn(rippleChecked, text)
/** Bytes of a text in Monero's blocks of 11 letters for 8 bytes. */
export const moneroBytes = (text: string): Buffer | null => bytesIn(base58xmr, text)
/** Bytes of a base32 text without padding. */
export const base32 = (text: string): Buffer | null => bytesIn(base32nopad, text)

export const toBase58check = (body: Uint8Array): string => bitcoinChecked.encode(body)
export const toMonero = (bytes: Uint8Array): string => base58xmr.encode(bytes)

/** A bech32 or bech32m text in lower case under `prefix`: its groups of five bits without the checksum and which of the two it is. */
export const bech32 = (text: string, prefix: string): { readonly groups: readonly number[]; readonly modified: boolean } | null => {
  if (!text.startsWith(`${prefix}1`)) return null
  const first = plain.decodeUnsafe(text, 120)
  const words = (first ?? bech32m.decodeUnsafe(text, 120))?.words ?? []
  return words.length > 0 ? { groups: words, modified: first === undefined } : null
}

/** Version and program of a segwit address under `prefix`: version 0 in bech32 with 20 or 32 bytes, later ones in bech32m with 2 to 40. */
export const segwit = (text: string, prefix: string): { readonly version: number; readonly program: Buffer } | null => {
  const read = text.length > 90 ? null : bech32(text, prefix)
  const version = read?.groups[0]
  if (read === null || version === undefined || version > 16 || read.modified !== version > 0) return null
  const program = plain.fromWordsUnsafe(read.groups.slice(1))
  if (program === undefined || (version === 0 ? program.length !== 20 && program.length !== 32 : program.length < 2 || program.length > 40)) return null
  return { version, program: Buffer.from(program) }
}

/** The segwit address of version 0 of a program under `prefix`. */
export const toSegwit = (program: Uint8Array, prefix: string): string => plain.encode(prefix, [0, ...plain.toWords(program)])

const cashLetters = utils.alphabet('qpzry9x8gf2tvdw0s3jn54khce6mua7l')
/** Type (0: key, 1: script) and hash of an address of Bitcoin Cash without its prefix; null where it is none. The checksum is one of 40 bits, which no library above has. */
export const cashaddr = (text: string): { readonly type: number; readonly hash: Buffer } | null => {
  if (!/^[02-9ac-hj-np-z]{42,112}$/.test(text)) return null
  const data = cashLetters.decode([...text])
  let sum = 1n
  for (const value of [...[...'bitcoincash'].map((letter) => letter.charCodeAt(0) & 31), 0, ...data]) {
    const top = sum >> 35n
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(value)
    for (const [place, generator] of [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n].entries()) if (((top >> BigInt(place)) & 1n) === 1n) sum ^= generator
  }
  const payload = plain.fromWordsUnsafe(data.slice(0, -8))
  const type = (payload?.[0] ?? 255) >> 3
  return sum === 1n && type <= 1 && payload !== undefined && payload.length >= 21 ? { type, hash: Buffer.from(payload.subarray(1)) } : null
}

/** CRC-16 (XMODEM), as Stellar's addresses end with. */
export const crc16 = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => {
  let next = sum ^ (byte << 8)
  for (let bit = 0; bit < 8; bit += 1) next = ((next & 0x8000) === 0 ? next << 1 : (next << 1) ^ 0x1021) & 0xffff
  return next
}, 0)
