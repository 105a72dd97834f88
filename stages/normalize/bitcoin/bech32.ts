/** Addresses of witness programs (BIP 173, BIP 350) as ASCII bytes. ClickHouse computes the others: base58 and SHA-256 it has, this it has not. */
const letters = Buffer.from('qpzry9x8gf2tvdw0s3jn54khce6mua7l')
/** What the five bits that leave the checksum add to it. */
const generator = new Int32Array(32)
for (let top = 0; top < 32; top += 1) {
  for (const [bit, term] of [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3].entries()) if (((top >>> bit) & 1) === 1) generator[top] = (generator[top] as number) ^ term
}
const step = (sum: number, value: number): number => ((sum & 0x1ffffff) << 5) ^ value ^ (generator[sum >>> 25] as number)

/** Writes addresses of the prefix `hrp`; each call overwrites `text`, of which `length` bytes count. */
export const openBech32 = (hrp: string) => {
  const text = Buffer.alloc(hrp.length + 1 + 1 + 64 + 6)
  text.write(`${hrp}1`, 'latin1')
  const prefix = hrp.length + 1
  let start = 1
  for (const letter of hrp) start = step(start, letter.charCodeAt(0) >>> 5)
  start = step(start, 0)
  for (const letter of hrp) start = step(start, letter.charCodeAt(0) & 31)
  const writer = {
    text, length: 0,
    /** The program of `count` bytes at `from` under its version (0 to 16). */
    write: (version: number, bytes: Buffer, from: number, count: number): void => {
      let sum = step(start, version), at = prefix, held = 0, bits = 0
      text[at++] = letters[version] as number
      for (let index = 0; index < count; index += 1) {
        held = ((held << 8) | (bytes[from + index] as number)) & 0xfff
        for (bits += 8; bits >= 5;) { bits -= 5; const value = (held >>> bits) & 31; sum = step(sum, value); text[at++] = letters[value] as number }
      }
      if (bits > 0) { const value = (held << (5 - bits)) & 31; sum = step(sum, value); text[at++] = letters[value] as number }
      for (let index = 0; index < 6; index += 1) sum = step(sum, 0)
      sum ^= version === 0 ? 1 : 0x2bc830a3
      for (let index = 5; index >= 0; index -= 1) text[at++] = letters[(sum >>> (index * 5)) & 31] as number
      writer.length = at
    },
  }
  return writer
}
export type Bech32 = ReturnType<typeof openBech32>
