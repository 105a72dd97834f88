/** The thread that decodes: a block's bytes come, a row of btc_decoded goes back, both mostly in shared memory. */
import { parentPort } from 'node:worker_threads'
import { Misshapen } from './cursor.js'
import { decodeBlock, writingOf, type Writing } from './decodeBlock.js'
import type { Answer, Question } from './decoder.js'

const writings = new Map<string, Writing>()
const openWriting = (network: Question['network']): Writing => {
  const { p2pkh, p2sh, hrp, mweb } = network, name = [p2pkh, p2sh, hrp, mweb].join(' '), writing = writings.get(name) ?? writingOf(network)
  writings.set(name, writing)
  return writing
}

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

parentPort?.on('message', ({ id, number, hash, checked, block, spent, txids, network, room }: Question) => {
  try {
    const row = decodeBlock({ number, hash, block: view(block), spent: view(spent), txids: view(txids), checked }, openWriting(network), view(room))
    const memory = row.buffer === room.buffer ? null : new SharedArrayBuffer(row.length)
    if (memory !== null) row.copy(Buffer.from(memory))
    parentPort?.postMessage({ id, memory, size: row.length } satisfies Answer)
  } catch (thrown) {
    parentPort?.postMessage({ id, refused: thrown instanceof Misshapen ? thrown.message : `${(thrown as Error).message}` } satisfies Answer)
  }
})
