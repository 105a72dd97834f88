/** Lines of a node's files, out of bytes that come in pieces. */

/** Where reading a file stopped. skip: unpacked bytes from `at` on that were read, of a packed file. torn: what comes first may be the rest of a line that is lost. told: what follows cannot be read as it stands, which was told. */
export interface Place { readonly at: number; readonly skip: number; readonly torn: boolean; readonly told: boolean }
/** What was read between two places. lost: why something was not. */
export interface Read { readonly payloads: readonly Buffer[]; readonly lost: readonly string[]; readonly from: Place; readonly to: Place }

/** Bytes of lines in one payload, at most unless a line is longer. */
export const most = 1 << 20
/** A line that is longer is none of a node's. */
export const longest = 8 * most
export const newline = 0x0a

/** Pieces of whole lines; `used`: where the last of them ends. */
export const cut = (bytes: Buffer): { pieces: Buffer[]; used: number } => {
  const pieces: Buffer[] = []
  let at = 0
  while (at < bytes.length) {
    const near = bytes.lastIndexOf(newline, Math.min(at + most, bytes.length) - 1)
    const end = near >= at ? near : bytes.indexOf(newline, at)
    if (end < 0) break
    pieces.push(bytes.subarray(at, end + 1))
    at = end + 1
  }
  return { pieces, used: at }
}

/** Whether a line is all of one: no part of an object or a list is one itself. */
export const isWhole = (line: Buffer): boolean => {
  try { const value: unknown = JSON.parse(line.toString('utf8')); return typeof value === 'object' && value !== null } catch { return false }
}

/** Whole lines without the first, if it is but the rest of one. */
export const afterTorn = (lines: Buffer): Buffer => { const end = lines.indexOf(newline) + 1; return isWhole(lines.subarray(0, end)) ? lines : lines.subarray(end) }
