/** Data whose first piece is there before anybody takes it. */

/** `pieces`: all of what the source yields but empty ones; `drop`: they are not wanted, which the source is told. */
export interface Peeked { readonly pieces: AsyncGenerator<Uint8Array>; drop(): Promise<void> }

/** Waits for the first piece, which may be empty and then says only that there is something; null where the source yields none. */
export const peek = async (source: AsyncIterable<Uint8Array>): Promise<Peeked | null> => {
  const from = source[Symbol.asyncIterator](), first = await from.next()
  if (first.done === true) return null
  const drop = async (): Promise<void> => { await from.return?.() }
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (let next = first as IteratorResult<Uint8Array>; next.done !== true; next = await from.next()) if (next.value.length > 0) yield next.value
    } finally { await drop() }
  }
  return { pieces: pieces(), drop }
}
