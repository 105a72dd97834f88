import assert from 'node:assert/strict'
import type * as Viem from 'viem'
import type { Hex, PublicClient } from 'viem'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { AppError } from '../../schemas/errors.js'
import { loadPackage } from '../../schemas/loadPackage.js'
import { tokenDescriber } from '../../stages/enrich/tokenMetadata.js'
import { freshStore } from '../support/servers.js'
import { at, coin, majors, putBlocks, putMoves, putTokens, usdc } from './handmade.js'

// The product's own: errors are told by their class.
const { createPublicClient, custom, decodeFunctionData, encodeAbiParameters, encodeFunctionResult, multicall3Abi, stringToHex } = loadPackage('viem') as typeof Viem

const multicall3 = '0xca11bde05977b3631167028862be2a173976ca11'
const text = (value: string): Hex => encodeAbiParameters([{ type: 'string' }], [value])
const selectors = { '0x95d89b41': 0, '0x06fdde03': 1, '0x313ce567': 2 } as const
/** What three tokens answer to symbol(), name(), decimals(); the third has code and none of them. */
const answers: Readonly<Record<string, readonly Hex[]>> = {
  [at('11')]: [text('GOOD‮\u0007​'), text('x'.repeat(100)), encodeAbiParameters([{ type: 'uint8' }], [9])],
  [at('22')]: [stringToHex('OLD', { size: 32 }), '0x', encodeAbiParameters([{ type: 'uint256' }], [999n])],
}
const answer = (to: string, data?: Hex): Hex | undefined => answers[to.toLowerCase()]?.[selectors[data as keyof typeof selectors]]

/** A client whose node answers like this, or has a fault at the question so many times asked; counts what it is asked. */
const node = (multicall: boolean, fault?: (turn: number, tokens: readonly string[]) => Error | undefined): { client: PublicClient; asked: string[] } => {
  const asked: string[] = []
  const request = async ({ method, params }: { method: string; params: [string | { to: string; data?: Hex }] }): Promise<unknown> => {
    asked.push(method)
    const refuse = (tokens: readonly string[]): void => { const thrown = fault?.(asked.length, tokens); if (thrown !== undefined) throw thrown }
    const [of] = params
    if (typeof of === 'string') { refuse([]); return of === multicall3 && !multicall ? '0x' : '0x60' }
    const { to, data } = of
    if (!multicall || data === undefined || selectors[data as keyof typeof selectors] !== undefined) {
      refuse([to])
      const own = answer(to, data)
      if (own === undefined) throw Object.assign(new Error('execution reverted'), { code: 3 })
      return own
    }
    const { args } = decodeFunctionData({ abi: multicall3Abi, data }) as unknown as { args: [{ target: string; callData: Hex }[]] }
    refuse(args[0].map(({ target }) => target.toLowerCase()))
    return encodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', result: args[0].map(({ target, callData }) => {
      const own = answer(target, callData)
      return { success: own !== undefined, returnData: own ?? '0x' }
    }) })
  }
  return { client: createPublicClient({ transport: custom({ request } as never, { retryCount: 0 }) }), asked }
}
const Row = z.object({ address: z.string(), symbol: z.string(), name: z.string(), decimals: z.number().nullable(), source: z.string() })
const batch = { chain: 'ETH', from: 1, to: 2, hash: '', generation: 0, floor: 0 }
const checkpoint = async (): Promise<void> => undefined
const fresh = async (): Promise<Store> => {
  const { store } = await freshStore()
  await putTokens(store, majors)
  await putBlocks(store, 1, 2)
  await putMoves(store, [usdc, at('11'), at('22'), at('33')].map((token, position) => ({ n: 1, position, token, from: at('01'), to: coin, amount: '1' })))
  return store
}
const stored = (store: Store) => store.query('SELECT concat(\'0x\', lower(hex(address))) AS address, symbol, name, decimals, source FROM tokens FINAL WHERE source = \'node\' ORDER BY address', {}, Row)
const expected = [[at('11'), 'GOOD', 'x'.repeat(64), 9], [at('22'), 'OLD', '', null], [at('33'), '', '', null]]

describe('metadata of tokens', () => {
  for (const multicall of [true, false]) {
    it(`comes from the node ${multicall ? 'in one call' : 'call by call where there is no multicall'}, cleaned, and is asked once`, async () => {
      const store = await fresh()
      const { client, asked } = node(multicall)
      const describeTokens = tokenDescriber([client])
      await describeTokens(batch, { store, checkpoint })
      assert.deepEqual((await stored(store)).map(({ address, symbol, name, decimals }) => [address, symbol, name, decimals]), expected)
      assert.equal(asked.length, multicall ? 3 : 11)
      await describeTokens(batch, { store, checkpoint })
      assert.equal(asked.length, multicall ? 3 : 11)
    })
  }

  it('stays unknown with a node that knows no eth_call, and waits for a node that is away', async () => {
    const store = await fresh()
    const without = node(true, () => Object.assign(new Error('the method does not exist'), { code: -32601 }))
    const describeTokens = tokenDescriber([without.client])
    await describeTokens(batch, { store, checkpoint })
    await describeTokens(batch, { store, checkpoint })
    assert.deepEqual([await stored(store), without.asked.length], [[], 1])
    const away = createPublicClient({ transport: custom({ request: async () => { throw new Error('fetch failed') } } as never, { retryCount: 0 }) })
    await assert.rejects(tokenDescriber([away])(batch, { store, checkpoint }), { code: 'UPSTREAM_UNAVAILABLE', retry: 'wait' })
    await tokenDescriber([away, node(true).client])(batch, { store, checkpoint })
    assert.equal((await stored(store)).length, 3)
  })

  it('is asked for the rest, and for nothing twice, of a node that lets few requests through', async () => {
    const store = await fresh()
    const limited = new AppError('RPC_LIMITED', 'made: HTTP 429', { retry: 'wait' })
    const { client, asked } = node(false, (turn, tokens) => (tokens.includes(at('22')) && turn <= 10 ? limited : undefined))
    await assert.rejects(tokenDescriber([client])(batch, { store, checkpoint }), { code: 'UPSTREAM_UNAVAILABLE', retry: 'wait' })
    assert.deepEqual((await stored(store)).map(({ address }) => address), [at('11'), at('33')])
    assert.equal(asked.length, 11)
    await tokenDescriber([client])(batch, { store, checkpoint })
    assert.deepEqual((await stored(store)).map(({ address, symbol, name, decimals }) => [address, symbol, name, decimals]), expected)
    assert.equal(asked.length, 15)
  })

  for (const multicall of [true, false]) {
    it(`stays unknown of the one at which a node always times out ${multicall ? 'in one call' : 'call by call'}, and nothing waits for it`, async () => {
      const store = await fresh(), down = new AppError('RPC_DOWN', 'made: Headers Timeout Error', { retry: 'wait' })
      const state = { away: true, hangs: true, at: 0 }
      const { client, asked } = node(multicall, (_turn, tokens) => (tokens.length > 0 && (state.away || (state.hangs && tokens.includes(at('22')))) ? down : undefined))
      const describeTokens = tokenDescriber([client], () => state.at)
      const names = async () => (await stored(store)).map(({ address }) => address)
      await assert.rejects(describeTokens(batch, { store, checkpoint }), { code: 'UPSTREAM_UNAVAILABLE', retry: 'wait' }, 'it answers no call')
      state.away = false
      await describeTokens(batch, { store, checkpoint })
      assert.deepEqual(await names(), [at('11'), at('33')])
      const { length } = asked
      await describeTokens(batch, { store, checkpoint })
      assert.equal(asked.length, length, 'it is let be for a while')
      state.at = 600_000
      state.hangs = false
      await describeTokens(batch, { store, checkpoint })
      assert.deepEqual(await names(), [at('11'), at('22'), at('33')])
    })
  }

  it('of many is known by few calls where one of them burns all the gas', async () => {
    const store = await fresh()
    const many = Array.from({ length: 90 }, (_, index) => `0x${(0xabc000 + index).toString(16).padStart(40, '0')}`)
    await putMoves(store, many.map((token, index) => ({ n: 2, position: index, token, from: at('01'), to: coin, amount: '1' })))
    const burns = many[41] ?? ''
    const { client, asked } = node(true, (_turn, tokens) => (tokens.includes(burns) ? Object.assign(new Error('out of gas'), { code: -32000 }) : undefined))
    await tokenDescriber([client])(batch, { store, checkpoint })
    assert.equal((await stored(store)).length, 93)
    assert.deepEqual((await stored(store)).filter(({ symbol }) => symbol !== '').map(({ symbol }) => symbol), ['GOOD', 'OLD'])
    const calls = asked.filter((method) => method === 'eth_call').length
    assert.ok(calls <= 20, `${calls} calls`)
  })
})
