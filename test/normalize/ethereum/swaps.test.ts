/** Swap legs: facts asserted by mev-inspect, addresses of pools recomputed by viem, depths recomputed with big integers. */
import assert from 'node:assert/strict'
import { encodeAbiParameters, encodePacked, getContractAddress, keccak256, type Hex } from 'viem'
import { z } from 'zod'
import { insertRaw, recorded } from '../../support/raw.js'
import { freshStore } from '../../support/servers.js'
import type { Store } from '../../../schemas/clickhouse.js'
import { normalize, rowsOf } from './normalized.js'

const heights = [12914944, 15547621, 17000000, 17062257, 18000000, 19426586, 22431083, 22431084, 22869878]
const weth = 'c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
type Row = Record<string, string>
const Logs = z.array(z.object({ logs: z.array(z.object({ logIndex: z.string(), data: z.string() })) }))

const factories: Record<string, { from: Hex; code: Hex; fees: number[] }> = {
  uniswap_v2: { from: '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f', code: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f', fees: [] },
  sushiswap_v2: { from: '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac', code: '0xe18a34eb0e04b04f7a0ac29a6e80748dca96319b42c54d679cb821dca90c6303', fees: [] },
  uniswap_v3: { from: '0x1f98431c8ad98523631ae4a59f267346ea31f984', code: '0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54', fees: [100, 500, 3000, 10000] },
  pancakeswap_v3: { from: '0x41ff9aa7e16b8b1a8a8dc4f0efacd93d02d071c9', code: '0x6ce8eb472fa82df5469c6ab6d485f17c3ad13c8cd7af59b3d4a8026c5ce0f7e2', fees: [100, 500, 2500, 10000] },
}

describe('swap legs', function () {
  this.timeout(120_000)
  let store: Store
  let legs: Row[]
  before(async () => {
    store = (await freshStore()).store
    await insertRaw(store, heights)
    await normalize(store, Math.min(...heights), Math.max(...heights))
    legs = await rowsOf(store, 'swap_legs', Math.min(...heights), Math.max(...heights))
  })

  for (const [hash, profit] of [
    ['448245bf1a507b73516c4eeee01611927dada6610bf26d403012f2e66800d8f0', 750005273675102326n],
    ['fcf4558f6432689ea57737fe63124a5ec39fd6ba6aaf198df13a825dd599bffc', 53560707941943273628n],
  ] as const) {
    it(`closes the arbitrage of ${hash.slice(0, 8)} with the profit mev-inspect found`, () => {
      const route = legs.filter(({ tx_hash }) => tx_hash === hash)
      assert.equal(route.length, 3)
      // Swaps nest: the legs are followed from the one that sold WETH to the one that bought it.
      const first = route.find((leg) => leg['token_sold'] === weth)
      const last = route.find((leg) => leg['token_bought'] === weth)
      assert.equal(BigInt(last?.['amount_bought'] ?? 0) - BigInt(first?.['amount_sold'] ?? 0), profit)
      const second = route.find((leg) => leg['token_sold'] === first?.['token_bought'])
      assert.equal(second?.['token_bought'], last?.['token_sold'])
      assert.ok(route.every((leg) => leg['trusted'] === 'true'))
    })
  }

  it('trusts a pool only where viem finds the same address from its tokens', () => {
    const seen = new Set<string>()
    for (const leg of legs.filter(({ trusted, protocol }) => trusted === 'true' && (protocol ?? '') in factories)) {
      const factory = factories[leg['protocol'] ?? '']
      assert.ok(factory)
      const [a, b] = [leg['token_sold'] ?? '', leg['token_bought'] ?? ''].sort().map((token) => `0x${token}` as const) as [Hex, Hex]
      const salts = factory.fees.length === 0 ? [keccak256(encodePacked(['address', 'address'], [a, b]))]
        : factory.fees.map((fee) => keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'address' }, { type: 'uint24' }], [a, b, fee])))
      const addresses = salts.map((salt) => getContractAddress({ opcode: 'CREATE2', from: factory.from, salt, bytecodeHash: factory.code }).toLowerCase())
      assert.ok(addresses.includes(`0x${leg['pool']?.slice(24)}`), JSON.stringify(leg))
      seen.add(leg['protocol'] ?? '')
    }
    assert.deepEqual([...seen].sort(), Object.keys(factories).sort())
  })

  it('trusts a V4 pool whose tokens are known only where they give its id', () => {
    const keys = [[100, 1], [500, 10], [3000, 60], [10000, 200]] as const
    const trusted = legs.filter(({ protocol, trusted: believed, token_sold_known: known }) => protocol === 'uniswap_v4' && believed === 'true' && known === 'true')
    assert.ok(trusted.length > 0)
    const proved = trusted.filter((leg) => {
      const [a, b] = [leg['token_sold'] ?? '', leg['token_bought'] ?? ''].sort().map((token) => `0x${token}` as const) as [Hex, Hex]
      const types = [{ type: 'address' }, { type: 'address' }, { type: 'uint24' }, { type: 'int24' }, { type: 'address' }] as const
      return keys.some(([fee, step]) => keccak256(encodeAbiParameters(types, [a, b, fee, step, `0x${'0'.repeat(40)}`])) === `0x${leg['pool']}`)
    })
    assert.ok(proved.length > trusted.length / 2, `${proved.length} of ${trusted.length}`)
  })

  it('names both tokens of every V2 and V3 swap of the recorded blocks', () => {
    const pairs = legs.filter(({ protocol }) => /_v[23]$|_fork$/.test(protocol ?? '') && !/balancer|maverick/.test(protocol ?? ''))
    assert.ok(pairs.length > 300)
    assert.deepEqual(pairs.filter((leg) => leg['token_sold_known'] !== 'true' || leg['token_bought_known'] !== 'true'), [])
    assert.ok(pairs.every((leg) => leg['trusted'] === 'true' || leg['protocol']?.endsWith('_fork')))
  })

  it('gives virtual reserves to the last unit', () => {
    for (const height of heights) {
      const data = new Map(Logs.parse(JSON.parse(recorded(height, 'receipts') ?? '')).flatMap(({ logs }) => logs).map((log) => [String(BigInt(log.logIndex)), log.data]))
      for (const leg of legs.filter((row) => row['block_number'] === String(height) && /_v3$|uniswap_v4|v3_fork/.test(row['protocol'] ?? '') && !row['protocol']?.startsWith('balancer'))) {
        const word = (index: number) => BigInt(`0x${(data.get(leg['log_index'] ?? '') ?? '').slice(2 + 64 * index, 66 + 64 * index)}`)
        const [root, liquidity] = [word(2), word(3)]
        const reserves = [(liquidity << 96n) / root, (liquidity * root) >> 96n].map(String)
        assert.deepEqual([leg['depth_sold'], leg['depth_bought']].sort(), reserves.sort())
      }
    }
  })

  it('sees each pool of a transaction once', async () => {
    const sightings = await rowsOf(store, 'pool_sightings', Math.min(...heights), Math.max(...heights))
    const inferred = sightings.filter(({ source }) => source === 'inferred')
    const keys = inferred.map((row) => [row['block_number'], row['tx_hash'], row['pool'], row['tokens']].join())
    assert.equal(new Set(keys).size, keys.length)
    const expected = new Set(legs.filter((leg) => leg['aggregator'] === 'false' && leg['token_sold_known'] === 'true' && leg['token_bought_known'] === 'true')
      .map((leg) => [leg['block_number'], leg['tx_hash'], leg['pool'], [leg['token_sold'], leg['token_bought']].sort().join()].join()))
    assert.deepEqual(new Set(keys), expected)
  })
})
