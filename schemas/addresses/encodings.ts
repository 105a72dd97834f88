/** Encodings that addresses are written in, with their checksums. Nothing here throws: what is not in the encoding is null. */
import { hash } from 'node:crypto'

export const bitcoinLetters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
export const rippleLetters = 'rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz'
const bech32Letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** Value of each ASCII letter in an alphabet, -1 where it has none. */
const valuesOf = (letters: string): Int8Array => Int8Array.from({ length: 128 }, (_, code) => letters.indexOf(String.fromCharCode(code)))
const [bitcoinValues, rippleValues] = [valuesOf(bitcoinLetters), valuesOf(rippleLetters)]

/** Bytes of a base58 text of at most 128 letters of `letters`; null where a letter is none of them. */
export const base58 = (text: string, letters: typeof bitcoinLetters | typeof rippleLetters = bitcoinLetters): Buffer | null => {
  if (text.length === 0 || text.length > 128) return null
  const values = letters === bitcoinLetters ? bitcoinValues : rippleValues
  const bytes = new Uint8Array(text.length)
  let start = bytes.length
  for (let at = 0; at < text.length; at += 1) {
    let carry = values[text.charCodeAt(at)] ?? -1
    if (carry < 0) return null
    let place = bytes.length - 1
    for (; place >= start || carry > 0; place -= 1) { carry += (bytes[place] ?? 0) * 58; bytes[place] = carry & 255; carry >>= 8 }
    start = place + 1
  }
  let zeros = 0
  while (zeros < text.length && text[zeros] === letters[0]) zeros += 1
  return Buffer.concat([Buffer.alloc(zeros), bytes.subarray(start)])
}

/** The text of `bytes` in base58. */
export const toBase58 = (bytes: Uint8Array): string => {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = (bitcoinLetters[Number(number % 58n)] ?? '') + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text
}

/** The bytes before the four of the checksum; null where the text is no base58 or the checksum is wrong. */
export const base58check = (text: string, letters: typeof bitcoinLetters | typeof rippleLetters = bitcoinLetters): Buffer | null => {
  const bytes = base58(text, letters)
  if (bytes === null || bytes.length < 5) return null
  const body = bytes.subarray(0, -4)
  return sha256(sha256(body)).subarray(0, 4).equals(bytes.subarray(-4)) ? body : null
}

export const toBase58check = (body: Uint8Array): string => toBase58(Buffer.concat([body, sha256(sha256(body)).subarray(0, 4)]))

const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const polymod = (values: readonly number[]): number => {
  let sum = 1
  for (const value of values) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (let place = 0; place < 5; place += 1) if (((top >>> place) & 1) === 1) sum ^= generators[place] ?? 0
  }
  return sum >>> 0
}

/** Five-bit groups as bytes, the rest dropped. */
const bytesOf = (groups: readonly number[]): Buffer => {
  const bytes: number[] = []
  let [held, bits] = [0, 0]
  for (const group of groups) {
    held = ((held << 5) | group) & 0xfff
    bits += 5
    if (bits >= 8) { bits -= 8; bytes.push((held >> bits) & 255) }
  }
  return Buffer.from(bytes)
}

/** A bech32 or bech32m text in lower case under `prefix`: its groups without the checksum and which of the two it is; null where it is none. */
export const bech32 = (text: string, prefix: string): { readonly groups: readonly number[]; readonly modified: boolean } | null => {
  if (!text.startsWith(`${prefix}1`) || text.length > 120) return null
  const data = [...text.slice(prefix.length + 1)].map((letter) => bech32Letters.indexOf(letter))
  if (data.length < 7 || data.includes(-1)) return null
  const letters = [...prefix].map((letter) => letter.charCodeAt(0))
  const sum = polymod([...letters.map((code) => code >> 5), 0, ...letters.map((code) => code & 31), ...data])
  return sum === 1 || sum === 0x2bc830a3 ? { groups: data.slice(0, -6), modified: sum !== 1 } : null
}

/** Whether a text under `prefix` is a segwit address: version 0 in bech32 with 20 or 32 bytes, later ones in bech32m with 2 to 40. */
export const isSegwit = (text: string, prefix: string): boolean => {
  const read = bech32(text, prefix)
  const version = read?.groups[0]
  if (read === null || version === undefined || version > 16 || read.modified !== version > 0) return false
  const { length } = bytesOf(read.groups.slice(1))
  return version === 0 ? length === 20 || length === 32 : length >= 2 && length <= 40
}

/** Type (0: key, 1: script) and hash of an address of Bitcoin Cash without its prefix; null where it is none. */
export const cashaddr = (text: string): { readonly type: number; readonly hash: Buffer } | null => {
  const data = [...text].map((letter) => bech32Letters.indexOf(letter))
  if (data.length < 42 || data.length > 112 || data.includes(-1)) return null
  let sum = 1n
  for (const value of [...[...'bitcoincash'].map((letter) => letter.charCodeAt(0) & 31), 0, ...data]) {
    const top = sum >> 35n
    sum = ((sum & 0x07ffffffffn) << 5n) ^ BigInt(value)
    for (const [place, generator] of [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n].entries()) if (((top >> BigInt(place)) & 1n) === 1n) sum ^= generator
  }
  const payload = bytesOf(data.slice(0, -8))
  const type = (payload[0] ?? 255) >> 3
  return sum === 1n && type <= 1 && payload.length >= 21 ? { type, hash: payload.subarray(1) } : null
}

/** Bytes of a base32 text without padding; null where a letter is none of base32. */
export const base32 = (text: string): Buffer | null => {
  const groups = [...text].map((letter) => base32Letters.indexOf(letter))
  return groups.includes(-1) ? null : bytesOf(groups)
}

/** CRC-16 (XMODEM), as Stellar's addresses end with. */
export const crc16 = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => {
  let next = sum ^ (byte << 8)
  for (let bit = 0; bit < 8; bit += 1) next = ((next & 0x8000) === 0 ? next << 1 : (next << 1) ^ 0x1021) & 0xffff
  return next
}, 0)
