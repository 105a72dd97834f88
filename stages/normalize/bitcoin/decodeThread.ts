/** The thread that decodes: a block's bytes come, a row of btc_answers goes back, both mostly in shared memory. */
import { parentPort } from 'node:worker_threads'
import { openBech32, type Bech32 } from './bech32.js'
import { Misshapen } from './cursor.js'
import { decodeBlock } from './decodeBlock.js'
import type { Answer, Question } from './decoder.js'

const writers = new Map<string, Bech32>()
const writerOf = (hrp: string): Bech32 => {
  const writer = writers.get(hrp) ?? openBech32(hrp)
  writers.set(hrp, writer)
  return writer
}

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

parentPort?.on('message', ({ id, number, hash, checked, block, spent, txids, hrp, mweb, room }: Question) => {
  try {
    const row = decodeBlock({ number, hash, block: view(block), spent: view(spent), txids: view(txids), checked }, writerOf(hrp), mweb, view(room))
    const memory = row.buffer === room.buffer ? null : new SharedArrayBuffer(row.length)
    if (memory !== null) row.copy(Buffer.from(memory))
    parentPort?.postMessage({ id, memory, size: row.length } satisfies Answer)
  } catch (thrown) {
    parentPort?.postMessage({ id, refused: thrown instanceof Misshapen ? thrown.message : `${(thrown as Error).message}` } satisfies Answer)
  }
})
