/** What a key looks like: `hyd_`, 32 random base62 characters (the first 8 are its public id), 6 base62 characters of CRC-32. */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const keyPrefix = 'hyd_'
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shape = /^hyd_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

/** `length` base62 characters, each equally likely. */
const randomText = (length: number): string => {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += digits.charAt(byte % 62)
  }
  return text
}

const checksum = (body: string): string => {
  let rest = crc32(keyPrefix + body)
  let text = ''
  for (let place = 0; place < 6; place++) { text = digits.charAt(rest % 62) + text; rest = Math.floor(rest / 62) }
  return text
}

export const makeKey = (): string => { const body = randomText(32); return `${keyPrefix}${body}${checksum(body)}` }

/** The key's public id; null when it cannot be a key of ours (shape or checksum), known without any lookup. */
export const publicIdOf = (key: string): string | null => {
  const [, body = '', sum = ''] = shape.exec(key) ?? []
  return body !== '' && checksum(body) === sum ? body.slice(0, 8) : null
}

/** SHA-256 of a whole key: what is kept. */
export const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer')

const written = /(hyd(?:_|%5f)[0-9A-Za-z]{8})[0-9A-Za-z]+/gi
/** `text` with every key in it cut down to its public id: for what is written down. */
export const withoutKeys = (text: string): string => text.replace(written, '$1…')
