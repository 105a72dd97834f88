/** What kind of script an output is locked with, by Bitcoin Core's rules: by length and fixed bytes, by whether only pushes follow, by whether keys are counted right. */

/** Kinds as btc_decoded numbers them: 0 is that of a script nobody knows yet. */
export const scriptKind = {
  nonstandard: 1, pubkey: 2, pubkeyhash: 3, scripthash: 4, multisig: 5, nulldata: 6, witness_v0_keyhash: 7, witness_v0_scripthash: 8, witness_v1_taproot: 9, witness_unknown: 10, anchor: 11,
} as const

/** Where the opcode at `at` ends with what it pushes; past `end` where that is cut off. */
const after = (bytes: Buffer, at: number, end: number): number => {
  const opcode = bytes[at] as number
  if (opcode < 0x4c) return at + 1 + opcode
  if (opcode > 0x4e) return at + 1
  const width = opcode === 0x4c ? 1 : opcode === 0x4d ? 2 : 4
  return at + 1 + width > end ? end + 1 : at + 1 + width + bytes.readUIntLE(at + 1, width)
}

/** A number from 1 to 20 as multisig writes it (an opcode up to 16, a push of one byte above), 0 for anything else; it ends at `after`. */
const count = (bytes: Buffer, at: number): number => {
  const opcode = bytes[at] as number
  if (opcode >= 0x51 && opcode <= 0x60) return opcode - 0x50
  const value = bytes[at + 1] as number
  return opcode === 1 && value > 16 && value <= 20 ? value : 0
}

const isMultisig = (bytes: Buffer, start: number, end: number): boolean => {
  const required = count(bytes, start)
  if (required === 0) return false
  let keys = 0, at = after(bytes, start, end)
  for (; at < end - 1; keys += 1) {
    const opcode = bytes[at] as number, next = after(bytes, at, end)
    if (opcode > 0x4e || next > end) break
    const from = at + (opcode < 0x4c ? 1 : opcode === 0x4c ? 2 : opcode === 0x4d ? 3 : 5)
    const first = bytes[from] as number
    if (next - from !== (first === 2 || first === 3 ? 33 : first === 4 || first === 6 || first === 7 ? 65 : -1)) break
    at = next
  }
  return at < end - 1 && keys >= required && count(bytes, at) === keys && after(bytes, at, end) === end - 1
}

/** Of a version (an opcode that pushes a number) and one push of 2 to 40 bytes; its kind by version and length. */
const witnessKind = (bytes: Buffer, start: number, length: number): number => {
  const version = bytes[start] as number
  if (version === 0) return length === 22 ? scriptKind.witness_v0_keyhash : length === 34 ? scriptKind.witness_v0_scripthash : scriptKind.nonstandard
  if (version === 0x51 && length === 34) return scriptKind.witness_v1_taproot
  return version === 0x51 && length === 4 && bytes[start + 2] === 0x4e && bytes[start + 3] === 0x73 ? scriptKind.anchor : scriptKind.witness_unknown
}

/** The kind of the script of `length` bytes at `start`. A key alone pays to no address, as in Bitcoin Core: the address of its hash is another script. */
export const scriptKindAt = (bytes: Buffer, start: number, length: number): number => {
  if (length === 0) return scriptKind.nonstandard
  const end = start + length, first = bytes[start] as number, second = bytes[start + 1], last = bytes[end - 1]
  if (length === 25 && first === 0x76 && second === 0xa9 && bytes[start + 2] === 0x14 && bytes[end - 2] === 0x88 && last === 0xac) return scriptKind.pubkeyhash
  if (length === 23 && first === 0xa9 && second === 0x14 && last === 0x87) return scriptKind.scripthash
  if (length >= 4 && length <= 42 && second === length - 2 && (first === 0 || (first > 0x50 && first <= 0x60))) return witnessKind(bytes, start, length)
  if (first === 0x6a) {
    let at = start + 1
    while (at < end && (bytes[at] as number) <= 0x60) at = after(bytes, at, end)
    return at === end ? scriptKind.nulldata : scriptKind.nonstandard
  }
  if (last === 0xac && ((length === 35 && first === 33 && (second === 2 || second === 3)) || (length === 67 && first === 65 && (second === 4 || second === 6 || second === 7)))) return scriptKind.pubkey
  return length >= 37 && last === 0xae && isMultisig(bytes, start, end) ? scriptKind.multisig : scriptKind.nonstandard
}
