import assert from 'node:assert/strict'
import type * as Viem from 'viem'
import type { Hex, PublicClient } from 'viem'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadPackage } from '../../schemas/loadPackage.js'
import { tokenDescriber } from '../../stages/enrich/tokenMetadata.js'
import { freshStore } from '../support/servers.js'
import { at, coin, majors, putBlocks, putMoves, putTokens } from './handmade.js'

// The product's own: errors are told by their class.
const { createPublicClient, custom, encodeAbiParameters, hexToNumber } = loadPackage('viem') as typeof Viem

const hash = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
const token = at('11'), batch = (from: number, to = from) => ({ chain: 'ETH', from, to, hash: hash(to), generation: 0, floor: 0 })
const checkpoint = async (): Promise<void> => undefined
interface Node { head: number; /** The block the token came with. */ since: number; /** The oldest block whose state it keeps. */ oldest?: number; /** Whether it answers with what is newest whatever block is asked for. */ careless?: boolean; branch?: string }

/** A client of a node without multicall; what it has changes with `node`. */
const clientOf = (node: Node): PublicClient => createPublicClient({ transport: custom({
  request: (async ({ method, params }: { method: string; params: [unknown, string] }) => {
    const place = method === 'eth_getBlockByNumber' ? params[0] as string : params[1], number = place === 'latest' || node.careless === true ? node.head : hexToNumber(place as Hex)
    if (method === 'eth_getBlockByNumber') return number > node.head ? null : { number: place, hash: node.branch ?? hash(number), transactions: [] }
    if (number > node.head) throw Object.assign(new Error('header not found'), { code: -32000 })
    if (number < (node.oldest ?? 0)) throw Object.assign(new Error('missing trie node'), { code: -32000 })
    if (number < node.since) return '0x'
    return method === 'eth_getCode' ? (params[0] === token ? '0x60' : '0x') : encodeAbiParameters([{ type: 'uint256' }], [18n])
  }) as never,
}, { retryCount: 0 }) })

const fresh = async (...moved: number[]): Promise<Store> => {
  const { store } = await freshStore()
  await putTokens(store, majors)
  await putBlocks(store, 1, 300)
  await putMoves(store, moved.map((n) => ({ n, position: 0, token, from: at('01'), to: coin, amount: '1' })))
  return store
}
const decimals = async (store: Store): Promise<(number | null)[]> => (await store.query(`SELECT decimals FROM tokens FINAL WHERE source = 'node'`, {}, z.object({ decimals: z.number().nullable() }))).map((row) => row.decimals)

describe('a token that an endpoint does not know yet', function () {
  this.timeout(120_000)
  it('is asked of the next endpoint, and again when it moves again', async () => {
    const store = await fresh(200, 201), behind: Node = { head: 199, since: 200, careless: true }
    await tokenDescriber([clientOf(behind)])(batch(200), { store, checkpoint })
    assert.deepEqual(await decimals(store), [])
    await tokenDescriber([clientOf(behind), clientOf({ head: 200, since: 200 })])(batch(200), { store, checkpoint })
    assert.deepEqual(await decimals(store), [18])
    const other = await fresh(200, 201), describeTokens = tokenDescriber([clientOf(behind)])
    await describeTokens(batch(200), { store: other, checkpoint })
    behind.head = 201
    await describeTokens(batch(201), { store: other, checkpoint })
    assert.deepEqual(await decimals(other), [18])
  })

  it('is asked at the block of the tip: of an endpoint that has it, or later', async () => {
    const store = await fresh(200), behind: Node = { head: 199, since: 200 }, waits = { code: 'UPSTREAM_UNAVAILABLE', retry: 'wait' }
    const describeTokens = tokenDescriber([clientOf(behind)])
    await assert.rejects(describeTokens(batch(200), { store, checkpoint }), waits)
    await assert.rejects(tokenDescriber([clientOf({ head: 300, since: 250, oldest: 250, branch: hash(7) })])(batch(200), { store, checkpoint }), waits)
    assert.deepEqual(await decimals(store), [])
    behind.head = 200
    await describeTokens(batch(200), { store, checkpoint })
    assert.deepEqual(await decimals(store), [18])
    const other = await fresh(200)
    await tokenDescriber([clientOf({ head: 199, since: 200 }), clientOf({ head: 200, since: 200 })])(batch(200), { store: other, checkpoint })
    assert.deepEqual(await decimals(other), [18])
  })

  it('is asked as it is now where blocks are older than the state the node keeps', async () => {
    const node = clientOf({ head: 300, since: 20, oldest: 250 })
    for (const [from, to] of [[20, 20], [20, 40]] as const) {
      const store = await fresh(20)
      await tokenDescriber([node])(batch(from, to), { store, checkpoint })
      assert.deepEqual(await decimals(store), [18])
    }
  })
})
