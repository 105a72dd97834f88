/** A node of Bitcoin Core's kind over HTTP on loopback that serves recorded blocks by JSON-RPC and REST: `startBitcoinNode(options)`. */
import { openControl, type Control } from '../control.js'
import { openDice, type Faults } from '../faults.js'
import { RpcError } from '../methods.js'
import { serveNode, type Asked, type ReplayNode, type Reply } from '../serve.js'
import { recordedBitcoin, type BitcoinChain } from './chain.js'
import { bitcoinMethods, isPruned, shownHeight, type BitcoinView, type Serves } from './methods.js'
import { relinkedChain, type Relink } from './relinked.js'

export interface BitcoinOptions {
  /** 0 or absent: any free one. */
  readonly port?: number
  /** Serve consecutive copies of recorded blocks, linked anew, instead of the recorded heights. */
  readonly relink?: Relink
  /** Height of the head at the start; absent: the newest block. */
  readonly head?: number
  /** The head grows by one every so many milliseconds. */
  readonly advanceMs?: number
  readonly latencyMs?: number
  readonly faults?: Faults
  readonly seed?: number
  /** What it serves; absent: everything. */
  readonly serves?: Partial<Serves>
  /** Where it publishes the hash of each new head over ZeroMQ, as Bitcoin Core does: tcp://host:port. */
  readonly zmq?: string
  /** Requests must bring this user and password. */
  readonly auth?: string
}

const genesis = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'
const otherGenesis = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206'

/** As Bitcoin Core answers a call of JSON-RPC 1: a refused one has a status of its own. */
const rpc = (status: number, id: unknown, result: Buffer | null, error: { code: number; message: string } | null): Reply =>
  ({ status, pieces: [Buffer.from('{"result":'), result ?? Buffer.from('null'), Buffer.from(`,"error":${JSON.stringify(error)},"id":${JSON.stringify(id ?? null)}}\n`)] })

const call = (text: string, control: Control, view: () => BitcoinView): Reply => {
  let parsed: { id?: unknown; method?: unknown; params?: unknown }
  try { parsed = JSON.parse(text) as typeof parsed } catch { return rpc(500, null, null, { code: -32700, message: 'Parse error' }) }
  const { id, method, params } = parsed
  if (typeof method !== 'string') return rpc(400, id, null, { code: -32600, message: 'Missing method' })
  control.count(method)
  const run = Object.hasOwn(bitcoinMethods, method) ? bitcoinMethods[method] : undefined
  if (run === undefined) return rpc(404, id, null, { code: -32601, message: 'Method not found' })
  if (control.dice.strike('rpcError')) return rpc(500, id, null, { code: -1, message: 'internal error (injected)' })
  try { return rpc(200, id, run(Array.isArray(params) ? params : [], view()), null) } catch (thrown) {
    if (thrown instanceof RpcError) return rpc(500, id, null, { code: thrown.code, message: thrown.message })
    throw thrown
  }
}

const plain = (status: number, text = ''): Reply => ({ status, type: 'text/plain', pieces: [Buffer.from(text)] })

const rest = (path: string, control: Control, view: BitcoinView): Reply => {
  const [, what = '', hash = ''] = /^\/rest\/(block|spenttxouts)\/([0-9a-f]{64})\.bin$/.exec(path) ?? []
  if (!view.serves.rest || what === '' || (what === 'spenttxouts' && !view.serves.spent)) return plain(404)
  control.count(`rest/${what}`)
  let height: number
  try { height = shownHeight(hash, view) } catch { return plain(404, `${hash} not found\r\n`) }
  if (isPruned(height, view)) return plain(404, `${hash} not available (pruned data)\r\n`)
  const bytes = what === 'block' ? view.spoil(view.chain.block(height), height, false) : view.chain.spent(height)
  if (bytes === undefined) return plain(404, `${hash} undo not available\r\n`)
  // The last list of a block is cut off whole: its count no longer fits.
  const given = what === 'spenttxouts' && control.dice.strike('missingSpent') ? bytes.subarray(0, bytes.length - 1) : bytes
  return { status: 200, type: 'application/octet-stream', pieces: [given] }
}

const spoilt = (block: Buffer, height: number, text: boolean, chain: BitcoinChain, { dice }: Control): Buffer => {
  const below = chain.at(height - 1)
  if (dice.strike('otherBlock') && below !== undefined) return (text ? chain.json(below, 2) : undefined) ?? (text ? Buffer.from('null') : chain.block(below))
  if (dice.strike('shortBlock')) return text ? Buffer.from('{"hash":') : block.subarray(0, block.length - 100)
  if (!dice.strike('flipped')) return block
  const turned = Buffer.from(block)
  // In the middle: a digit of a hash in text, any bit in bytes.
  const at = text ? turned.indexOf('"txid":"', turned.length >> 1) + 8 : turned.length >> 1
  turned[at] = text ? (turned[at] === 0x30 ? 0x31 : 0x30) : (turned[at] ?? 0) ^ 1
  return turned
}

/** Publishes hashes of blocks (as people write them) as `zmqpubhashblock` does: topic, bytes, a number that counts them. */
const openPublisher = async (url: string) => {
  const { Publisher } = await import('zeromq')
  const socket = new Publisher({ linger: 0 })
  let told = 0
  await socket.bind(url)
  return {
    tell: (hash: string): void => {
      const count = Buffer.alloc(4)
      count.writeUInt32LE(told % 2 ** 32)
      told += 1
      socket.send(['hashblock', Buffer.from(hash, 'hex'), count]).catch(() => undefined)
    },
    close: (): void => { socket.close() },
  }
}

/** Starts the node; resolves when it listens on 127.0.0.1. */
export const startBitcoinNode = async (options: BitcoinOptions = {}): Promise<ReplayNode> => {
  const chain = options.relink === undefined ? recordedBitcoin() : relinkedChain(options.relink)
  const serves: Serves = { rest: true, spent: true, lowest: 0, highest: 3, ...options.serves }
  const publisher = options.zmq === undefined ? undefined : await openPublisher(options.zmq)
  const control = openControl(chain, { chainId: 'main', head: options.head ?? chain.last, latencyMs: options.latencyMs ?? 0, dice: openDice(options.faults ?? {}, options.seed ?? 1), tell: (head) => { publisher?.tell(chain.hashOf(head) ?? '') } })
  if (options.advanceMs !== undefined) control.change({ advanceMs: options.advanceMs })
  const view = (): BitcoinView => ({
    chain, head: control.head(), serves, genesis: control.dice.strike('wrongChainId') ? otherGenesis : genesis, spoil: (block, height, text) => spoilt(block, height, text, chain, control),
  })
  const wanted = options.auth === undefined ? undefined : `Basic ${Buffer.from(options.auth).toString('base64')}`
  const reply = ({ method, path, text, authorization }: Asked): Reply => {
    // REST asks for no password.
    if (path.startsWith('/rest/')) return rest(path, control, view())
    if (wanted !== undefined && authorization !== wanted) return plain(401)
    return method === 'POST' ? call(text, control, view) : plain(405, 'JSONRPC server handles only POST requests')
  }
  const node = await serveNode(control, reply, options.port).catch((thrown: unknown) => { publisher?.close(); throw thrown })
  return { ...node, close: async () => { publisher?.close(); await node.close() } }
}
