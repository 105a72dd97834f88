/** The rows of an answer, and nothing of the server's own: an error inside of it is cut out and told. */
import type { Readable } from 'node:stream'
import { unavailable } from '../../schemas/errors.js'

const largestFault = 16_384

/**
 * The bytes of `body` as they come. Behind its rows the server may write `\r\n__exception__\r\n<tag>\r\n<text>…` and drop the connection, the tag
 * being one nobody can guess: `fault` then gets the text and returns last bytes or throws.
 */
export async function* rowsOf(body: Readable, tag: string, fault: (text: string) => Buffer): AsyncGenerator<Buffer> {
  const marker = Buffer.from(`__exception__\r\n${tag}\r\n`)
  const hold = marker.length + 1
  let held: Buffer = Buffer.alloc(0)
  let failed: Buffer | undefined
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (failed !== undefined) { if (failed.length < largestFault) failed = Buffer.concat([failed, chunk]); continue }
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const at = tag === '' ? -1 : bytes.indexOf(marker)
      if (at >= 0) {
        const rows = bytes.subarray(0, bytes.subarray(Math.max(0, at - 2), at).toString() === '\r\n' ? at - 2 : at)
        failed = bytes.subarray(at + marker.length)
        if (rows.length > 0) yield rows
        continue
      }
      const ready = Math.max(0, bytes.length - hold)
      held = bytes.subarray(ready)
      if (ready > 0) yield bytes.subarray(0, ready)
    }
  } catch (thrown) {
    if (failed === undefined) throw unavailable('ClickHouse', thrown)
  }
  if (failed === undefined) { if (held.length > 0) yield held; return }
  yield fault(failed.toString('utf8').split('\n').slice(0, -3).join('\n') || failed.toString('utf8'))
}
