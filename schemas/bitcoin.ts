/** Addresses of Bitcoin: whether a text is one, and the id it has in tables that chains share. */
import { createHash } from 'node:crypto'

export const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
export const bech32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
export const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()

/** Version and hash of a base58check text; null where the letters or the checksum are wrong. */
export const base58Of = (text: string): Buffer | null => {
  let number = 0n
  for (const letter of text) {
    const digit = base58.indexOf(letter)
    if (digit < 0) return null
    number = number * 58n + BigInt(digit)
  }
  const bytes = Buffer.from(number.toString(16).padStart(50, '0'), 'hex')
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  if (bytes.length !== 25 || bytes.findIndex((byte) => byte !== 0) !== (bytes[0] === 0 ? zeros : 0)) return null
  return sha256(sha256(bytes.subarray(0, 21))).subarray(0, 4).equals(bytes.subarray(21)) ? bytes.subarray(0, 21) : null
}

/** Checksum of bech32 over groups of five bits. */
export const polymod = (values: readonly number[]): number => {
  let sum = 1
  for (const value of values) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    for (const [place, generator] of [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].entries()) if (((top >>> place) & 1) === 1) sum ^= generator
  }
  return sum >>> 0
}

/** Version of a segwit text (bech32 for 0, bech32m above) of Bitcoin's nets and the length of its program in bytes; null where it is none. */
const segwitOf = (text: string): { readonly version: number; readonly length: number } | null => {
  const net = /^(bc|tb|bcrt)1/.exec(text)?.[1] ?? ''
  const data = [...text.slice(net.length + 1)].map((letter) => bech32.indexOf(letter))
  const prefix = [...net].map((letter) => letter.charCodeAt(0))
  const version = data[0] ?? -1
  if (data.length < 7 || data.includes(-1) || version > 16) return null
  if (polymod([...prefix.map((code) => code >> 5), 0, ...prefix.map((code) => code & 31), ...data]) !== (version === 0 ? 1 : 0x2bc830a3)) return null
  const length = Math.floor((data.length - 7) * 5 / 8)
  return length >= 2 && length <= 40 && (version > 0 || length === 20 || length === 32) && (data.length - 7) * 5 - length * 8 < 5 ? { version, length } : null
}

/** Script type of an address of Bitcoin (main, test or regtest) as Bitcoin writes it, segwit in lower case; null where the text is none. */
export const bitcoinScriptType = (address: string): string | null => {
  if (/^(bc|tb|bcrt)1/.test(address)) {
    const program = address.length > 90 ? null : segwitOf(address)
    if (program === null) return null
    if (program.version === 0) return program.length === 20 ? 'witness_v0_keyhash' : 'witness_v0_scripthash'
    return program.version === 1 && program.length === 32 ? 'witness_v1_taproot' : 'witness_unknown'
  }
  if (address.length < 26 || address.length > 35) return null
  const version = base58Of(address)?.[0]
  return version === 0 || version === 111 ? 'pubkeyhash' : version === 5 || version === 196 ? 'scripthash' : null
}

/** The text as Bitcoin writes it: segwit addresses may come in upper case. */
export const bitcoinText = (address: string): string => (/^(BC|TB|BCRT)1/.test(address) && address === address.toUpperCase() ? address.toLowerCase() : address)

/** Id of an address in tables that chains share: the first 20 bytes of SHA-256 of its text, as hex with 0x. */
export const bitcoinId = (address: string): string => `0x${sha256(Buffer.from(address)).subarray(0, 20).toString('hex')}`
