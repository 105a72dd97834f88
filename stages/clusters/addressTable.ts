/** Numbers for addresses: an open hash table over ids of 20 bytes in typed arrays, 28 to 36 bytes an address and no object each. */

const words = 5
/** The most addresses a table takes: its slots are 32-bit numbers. */
const most = 2 ** 31 - 2

export interface AddressTable {
  /** How many addresses there are; their numbers are 0 to count - 1, in the order they came. */
  readonly count: number
  /** The number of the address whose 20 bytes lie in `bytes` from `offset` on; it gets one if it has none. */
  intern(bytes: Buffer, offset: number): number
  /** The same; -1 for an address without a number. */
  find(bytes: Buffer, offset: number): number
  /** Below 0, 0 or above 0 as the id of `one` sorts before, with or after that of `other`. */
  compare(one: number, other: number): number
  /** Writes the 20 bytes of address `n` to `bytes` from `offset` on. */
  write(n: number, bytes: Buffer, offset: number): void
}

/** An empty table; `room`: addresses it takes before it first grows. */
export const openAddressTable = (room = 1_024): AddressTable => {
  let count = 0
  let keys = new Uint32Array(room * words)
  // Slots hold number + 1; at most two of three are taken.
  let slots = new Uint32Array(2 ** Math.ceil(Math.log2(room * 1.5)))
  let mask = slots.length - 1

  const grow = (): void => {
    const wider = new Uint32Array(Math.min(most, Math.ceil(keys.length / words * 1.5)) * words)
    wider.set(keys)
    keys = wider
  }
  const spread = (): void => {
    slots = new Uint32Array(slots.length * 2)
    mask = slots.length - 1
    for (let n = 0; n < count; n += 1) {
      // An id is a piece of a SHA-256, so any word of it is a hash.
      let slot = (keys[n * words] as number) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = n + 1
    }
  }
  /** The slot that holds the address or, taken by nobody, would. */
  const seek = (bytes: Buffer, offset: number): number => {
    const first = bytes.readUInt32BE(offset), second = bytes.readUInt32BE(offset + 4)
    for (let slot = first & mask; ; slot = (slot + 1) & mask) {
      const held = slots[slot] as number
      if (held === 0) return slot
      const at = (held - 1) * words
      if (keys[at] === first && keys[at + 1] === second && keys[at + 2] === bytes.readUInt32BE(offset + 8)
        && keys[at + 3] === bytes.readUInt32BE(offset + 12) && keys[at + 4] === bytes.readUInt32BE(offset + 16)) return slot
    }
  }
  return {
    get count() { return count },
    find: (bytes, offset) => (slots[seek(bytes, offset)] as number) - 1,
    intern: (bytes, offset) => {
      const slot = seek(bytes, offset)
      const held = slots[slot] as number
      if (held !== 0) return held - 1
      if ((count + 1) * words > keys.length) grow()
      for (let word = 0; word < words; word += 1) keys[count * words + word] = bytes.readUInt32BE(offset + word * 4)
      slots[slot] = count + 1
      count += 1
      if (count * 3 > slots.length * 2) spread()
      return count - 1
    },
    compare: (one, other) => {
      for (let word = 0; word < words; word += 1) {
        const difference = (keys[one * words + word] as number) - (keys[other * words + word] as number)
        if (difference !== 0) return difference
      }
      return 0
    },
    write: (n, bytes, offset) => { for (let word = 0; word < words; word += 1) bytes.writeUInt32BE(keys[n * words + word] as number, offset + word * 4) },
  }
}
