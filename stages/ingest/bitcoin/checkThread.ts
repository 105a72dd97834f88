/** The thread that checks blocks: each message is one block, mostly in shared memory, each answer says what was found. */
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../../schemas/errors.js'
import { checkBlock } from './checkBlock.js'
import { checkJson } from './checkJson.js'
import type { Demand } from './header.js'

/** `hex`: the JSON-RPC answer to getblock with verbosity 0; `raw`: the bytes themselves; `json`: the answer with transactions. */
export interface Task { readonly id: number; readonly shape: 'raw' | 'hex' | 'json'; readonly block: Uint8Array; readonly spent: Uint8Array; readonly demand: Demand }
/** `size`: of the block's bytes, which for `hex` stand now where the hex stood; `txids`: of a raw block, side by side, else empty. */
export interface Found { readonly id: number; readonly problem: string; readonly parent: string; readonly size: number; readonly txids: Uint8Array }

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The bytes inside an answer to getblock with verbosity 0, written over it; null where it holds none. */
const unwrapped = (answer: Buffer): Buffer | null => {
  const start = answer.indexOf('"', answer.indexOf('"result"') + 8) + 1, end = answer.indexOf('"', start)
  if (start === 0 || end < 0 || (end - start) % 2 === 1) return null
  const bytes = Buffer.from(answer.toString('latin1', start, end), 'hex')
  return bytes.length === (end - start) / 2 ? answer.subarray(0, bytes.copy(answer)) : null
}

interface Run { readonly problem: string; readonly parent: string; readonly size: number; readonly txids?: Buffer }

const run = ({ shape, block, spent, demand }: Task): Run => {
  const given = view(block)
  if (shape === 'json') return { ...checkJson(given, demand), size: given.length }
  const bytes = shape === 'hex' ? unwrapped(given) : given
  if (bytes === null) return { problem: `block: truncated or not hex (${given.length} bytes)`, parent: '', size: given.length }
  return { ...checkBlock(bytes, view(spent), demand), size: bytes.length }
}

parentPort?.on('message', (task: Task) => {
  let found: Run
  try { found = run(task) } catch (thrown) { found = { problem: `block: ${messageOf(thrown)}`, parent: '', size: 0 } }
  const { txids, ...rest } = found
  const answer: Found = { id: task.id, ...rest, txids: Uint8Array.from(txids ?? []) }
  parentPort?.postMessage(answer, [answer.txids.buffer as ArrayBuffer])
})
