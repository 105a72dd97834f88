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
interface Node { /** Which call of a contract fails, from 0, and how. */ faults?: (call: number) => { readonly code: number; readonly message: string } | undefined; head: number; /** The block the token came with. */ since: number; /** The oldest block whose state it keeps. */ oldest?: number; /** Whether it answers with what is newest whatever block is asked for. */ careless?: boolean; branch?: string }

/** A client of a node without multicall; what it has changes with `node`. */
const clientOf = (node: Node, calls = { made: 0 }): PublicClient => createPublicClient({ transport: custom({
  request: (async ({ method, params }: { method: string; params: [unknown, string] }) => {
    const fault = method === 'eth_call' ? node.faults?.(calls.made++) : undefined
    if (fault !== undefined) throw Object.assign(new Error(fault.message), fault)
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

  it('is asked again where one node of several behind a name has not got the block, at the third call alone', async () => {
    const store = await fresh(200), node: Node = { head: 200, since: 200, branch: hash(7) }
    for (const message of ['header not found', 'missing trie node 12 (path ) state 0x12 is not available', 'No state available for block 200', 'Block 200 could not be found.']) {
      const describeTokens = tokenDescriber([clientOf({ ...node, faults: (call) => (call === 2 ? { code: -32000, message } : undefined) })])
      await assert.rejects(describeTokens(batch(200), { store, checkpoint }), { code: 'UPSTREAM_UNAVAILABLE', retry: 'wait' }, message)
      assert.deepEqual(await decimals(store), [], message)
    }
    await tokenDescriber([clientOf(node)])(batch(200), { store, checkpoint })
    assert.deepEqual(await decimals(store), [18])
  })

  it('is asked of the next endpoint, and again when it moves again, where a node fails at it and does not say why', async () => {
    const fault = { code: -32603, message: 'Internal error' }, node: Node = { head: 300, since: 1 }
    const store = await fresh(200, 201), describeTokens = tokenDescriber([clientOf({ ...node, faults: (call) => (call === 2 ? fault : undefined) })])
    await describeTokens(batch(200), { store, checkpoint })
    assert.deepEqual(await decimals(store), [])
    await describeTokens(batch(201), { store, checkpoint })
    assert.deepEqual(await decimals(store), [18])
    const other = await fresh(200)
    await tokenDescriber([clientOf({ ...node, faults: () => fault }), clientOf(node)])(batch(200), { store: other, checkpoint })
    assert.deepEqual(await decimals(other), [18])
  })

  it('is mute where its code fails, in the words of any node, and whatever it says itself', async () => {
    const failures = [
      [3, 'execution reverted: header not found'], [-32000, 'execution reverted: missing trie node'], [-32000, 'out of gas'], [-32000, 'invalid opcode: INVALID'], [-32000, 'stack underflow (0 <=> 1)'], [-32000, 'invalid jump destination'],
      [-32000, 'execution aborted (timeout = 5s)'], [-32015, 'VM execution error.'], [-32003, 'EVM error: StackUnderflow'], [-32603, 'EVM error InvalidFEOpcode'],
    ] as const
    const store = await fresh(200)
    await putMoves(store, failures.map((_, index) => ({ n: 200, position: 1 + index, token: at((0x50 + index).toString(16)), from: at('01'), to: coin, amount: '1' })))
    // Each call of a token fails as the token's number says.
    const client = createPublicClient({ transport: custom({ request: (async ({ method, params }: { method: string; params: [{ to: string }] }) => {
      if (method === 'eth_getCode') return '0x60'
      const [code, message] = failures[Number.parseInt(params[0].to.slice(-2), 16) - 0x50] ?? [3, 'execution reverted']
      throw Object.assign(new Error(message), { code })
    }) as never }, { retryCount: 0 }) })
    await tokenDescriber([client])(batch(100, 300), { store, checkpoint })
    assert.deepEqual(await decimals(store), [null, ...failures.map(() => null)])
  })
})
