/** What bytes of a script alone do not show at fixed places, by Bitcoin Core's rules: whether only pushes follow, whether keys are counted right. */

/** Kinds as btc_answers numbers them; every other kind is seen by length and fixed bytes, in SQL. */
export const scriptKind = { other: 0, nulldata: 1, multisig: 2 } as const

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

/** The kind of the script of `length` bytes at `start`. */
export const scriptKindAt = (bytes: Buffer, start: number, length: number): number => {
  const end = start + length, first = bytes[start]
  if (length > 0 && first === 0x6a) {
    let at = start + 1
    while (at < end && (bytes[at] as number) <= 0x60) at = after(bytes, at, end)
    return at === end ? scriptKind.nulldata : scriptKind.other
  }
  return length >= 37 && bytes[end - 1] === 0xae && isMultisig(bytes, start, end) ? scriptKind.multisig : scriptKind.other
}
