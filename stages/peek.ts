/** Data whose first piece is there before anybody takes it. */
import type { Piece } from '../schemas/outgoing.js'

/** `pieces`: all of what the source yields but empty bytes; `drop`: they are not wanted, which the source is told. */
export interface Peeked { readonly pieces: AsyncGenerator<Piece>; drop(): Promise<void> }

/** Waits for the first piece, which may be empty and then says only that there is something; null where the source yields none. */
export const peek = async (source: AsyncIterable<Piece>): Promise<Peeked | null> => {
  const from = source[Symbol.asyncIterator](), first = await from.next()
  if (first.done === true) return null
  const drop = async (): Promise<void> => { await from.return?.() }
  const pieces = async function* (): AsyncGenerator<Piece> {
    try {
      for (let next = first as IteratorResult<Piece>; next.done !== true; next = await from.next()) if ('release' in next.value || next.value.length > 0) yield next.value
    } finally { await drop() }
  }
  return { pieces: pieces(), drop }
}
