/** The thread that checks blocks: each message is one block, each answer says what was found and gives the bytes back. */
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../../schemas/errors.js'
import { checkBlock } from './checkBlock.js'
import { checkJson } from './checkJson.js'
import type { Demand } from './header.js'

/** `hex`: the JSON-RPC answer to getblock with verbosity 0; `raw`: the bytes themselves; `json`: the answer with transactions. */
export interface Task { readonly id: number; readonly shape: 'raw' | 'hex' | 'json'; readonly block: Uint8Array; readonly spent: Uint8Array; readonly demand: Demand }
/** `txids`: of a raw block, side by side; else empty. */
export interface Found { readonly id: number; readonly problem: string; readonly parent: string; readonly block: Uint8Array; readonly spent: Uint8Array; readonly txids: Uint8Array }

const view = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The bytes inside an answer to getblock with verbosity 0; null where it holds none. */
const unwrapped = (answer: Buffer): Buffer | null => {
  const start = answer.indexOf('"', answer.indexOf('"result"') + 8) + 1, end = answer.indexOf('"', start)
  if (start === 0 || end < 0 || (end - start) % 2 === 1) return null
  const bytes = Buffer.from(answer.toString('latin1', start, end), 'hex')
  return bytes.length === (end - start) / 2 ? bytes : null
}

const none = Buffer.alloc(0)
interface Run { readonly problem: string; readonly parent: string; readonly bytes: Buffer; readonly txids?: Buffer }

const run = ({ shape, block, spent, demand }: Task): Run => {
  const given = view(block)
  if (shape === 'json') return { ...checkJson(given, demand), bytes: given }
  const bytes = shape === 'hex' ? unwrapped(given) : given
  if (bytes === null) return { problem: `block: truncated or not hex (${given.length} bytes)`, parent: '', bytes: given }
  return { ...checkBlock(bytes, view(spent), demand), bytes }
}

parentPort?.on('message', (task: Task) => {
  let found: Run
  try { found = run(task) } catch (thrown) { found = { problem: `block: ${messageOf(thrown)}`, parent: '', bytes: none } }
  const { problem, parent, bytes, txids = none } = found
  const block = problem === '' ? (bytes.byteLength === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer as ArrayBuffer) : new Uint8Array(bytes)) : new Uint8Array(0)
  const spent = problem === '' ? task.spent : new Uint8Array(0)
  const hashes = problem === '' ? Uint8Array.from(txids) : new Uint8Array(0)
  const answer: Found = { id: task.id, problem, parent, block, spent, txids: hashes }
  parentPort?.postMessage(answer, [...new Set([block.buffer, spent.buffer, hashes.buffer])].filter((buffer) => buffer instanceof ArrayBuffer))
})
