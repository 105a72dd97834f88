/** Bundled lists, what they must hold, and lists made for tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { root } from '../../../support/run.js'

/** A fixture of test/fixtures/sanctions. */
export const fixture = <Value>(name: string): Value => JSON.parse(gunzipSync(readFileSync(join(root, 'test/fixtures/sanctions', `${name}.json.gz`))).toString('utf8')) as Value

/** `text` in parts of `size` bytes, so that letters and tags are cut anywhere. */
export const inParts = async function* (text: string | Buffer, size = 997): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text as string)
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
}

export const collected = async (bytes: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}
