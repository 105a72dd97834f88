/** The RPC methods and REST paths of Bitcoin Core that a replayed node answers, in Bitcoin Core's shapes and with its codes. */
import { RpcError } from '../methods.js'
import type { BitcoinChain } from './chain.js'
import { headerOf } from './header.js'
import { sha256d, shown, stripped, transactionsOf } from './wire.js'

/**
 * `rest`: whether REST is on; `lowest`: the least verbosity of getblock that is served (0: bytes too), `highest` the most; `refusal`: the code with which
 * more than that is refused (absent: it is taken for the highest); `writes`: what its version makes of JSON with transactions (absent: as recorded);
 * `kept`: the lowest block it still has: of those below it was pruned and knows the headers (absent: all).
 */
export interface Serves { readonly rest: boolean; readonly spent: boolean; readonly lowest: 0 | 1 | 2; readonly highest: 2 | 3; readonly refusal?: number; readonly writes?: (text: string) => string; readonly kept?: number }
export interface BitcoinView { readonly chain: BitcoinChain; readonly head: number; readonly genesis: string; readonly serves: Serves; /** What a bad node makes of a block's bytes or text. */ readonly spoil: (block: Buffer, height: number, text: boolean) => Buffer }
export type BitcoinMethod = (params: readonly unknown[], view: BitcoinView) => Buffer

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
const tip = ({ chain, head }: BitcoinView): number => chain.at(head) ?? chain.first

/** Height of a block that is shown; throws as Bitcoin Core does. */
export const shownHeight = (hash: unknown, { chain, head }: BitcoinView): number => {
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) throw new RpcError(-8, 'blockhash must be of length 64 (not ' + String(String(hash).length) + `, for '${String(hash)}')`)
  const height = chain.heightOf(hash)
  if (height === undefined || height > head) throw new RpcError(-5, 'Block not found')
  return height
}

export const isPruned = (height: number, { serves }: BitcoinView): boolean => height < (serves.kept ?? 0)

const shownHeader = (height: number, view: BitcoinView): Record<string, unknown> => {
  const { chain } = view, next = height < tip(view) ? chain.hashOf(height + 1) : undefined
  return { ...headerOf(chain.block(height), height), confirmations: tip(view) - height + 1, ...(next === undefined ? {} : { nextblockhash: next }) }
}

const getblock: BitcoinMethod = ([hash, verbosity = 1], view) => {
  const height = shownHeight(hash, view), { chain, serves, spoil } = view
  const wanted = Number(verbosity)
  if (wanted < serves.lowest || wanted > 3) throw new RpcError(-8, 'Verbosity is not served here')
  if (serves.refusal !== undefined && wanted > serves.highest) throw new RpcError(serves.refusal, 'Verbosity is not known here')
  if (isPruned(height, view)) throw new RpcError(-1, 'Block not available (pruned data)')
  const block = chain.block(height)
  if (wanted === 0) return Buffer.from(`"${spoil(block, height, false).toString('hex')}"`)
  if (wanted === 1) {
    const txids = transactionsOf(block).map((transaction) => shown(sha256d(stripped(block, transaction))))
    return json({ ...shownHeader(height, view), size: block.length, tx: txids })
  }
  const text = chain.json(height, Math.min(wanted, serves.highest) as 2 | 3)
  if (text === undefined) throw new RpcError(-1, 'Block not available (its JSON was not recorded: ask for verbosity 0 or 1)')
  return spoil(serves.writes === undefined ? text : Buffer.from(serves.writes(text.toString('utf8'))), height, true)
}

/** Method name → answer. What is not in here is -32601. */
export const bitcoinMethods: Readonly<Record<string, BitcoinMethod>> = {
  getblockchaininfo: (_, view) => json({ chain: 'main', blocks: tip(view), headers: tip(view), bestblockhash: view.chain.hashOf(tip(view)), verificationprogress: 1, initialblockdownload: false, ...(view.serves.kept === undefined ? { pruned: false } : { pruned: true, pruneheight: view.serves.kept }), warnings: '' }),
  getblockcount: (_, view) => json(tip(view)),
  getbestblockhash: (_, view) => json(view.chain.hashOf(tip(view))),
  getblockhash: ([height], view) => {
    if (height === 0) return json(view.genesis)
    const hash = typeof height === 'number' && height <= view.head ? view.chain.hashOf(height) : undefined
    if (hash === undefined) throw new RpcError(-8, 'Block height out of range')
    return json(hash)
  },
  getblockheader: ([hash, verbose = true], view) => {
    const height = shownHeight(hash, view)
    return verbose === true ? json(shownHeader(height, view)) : json(view.chain.block(height).toString('hex', 0, 80))
  },
  getblock,
}
