/** An answer that is not held in memory. */
import type { Readable } from 'node:stream'

export class Streamed {
  constructor(readonly type: string, readonly body: Readable, readonly headers: Readonly<Record<string, string>>) {}
}
