/** What an address did with mixers itself, and what others did within hops, are told apart: nothing is told, or counted, as both. */
import assert from 'node:assert/strict'
import { account, listTokens, seedBlocks, seedLabel, seedMoves, seedSwap } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

describe('own use of mixers and that of others', function () {
  this.timeout(120_000)
  let service: Service
  const use = async (digit: string): Promise<any> => (await service.call(`GET /v1/forensic/mixers/${account(digit)}`)).body
  const told = async (digit: string): Promise<unknown> => {
    const { direct, within_hops: within, interactions } = await use(digit)
    return [direct.map((one: any) => [one.mixer.slice(2, 3), one.direction, one.amount]), within.map((one: any) => [one.direction, one.kind, one.hops, Number(one.share.toFixed(3)), one.paths.map(({ addresses }: any) => addresses.map((each: string) => each[2]).join(''))]), interactions]
  }
  before(async () => {
    service = await startService()
    const { store } = service
    await seedBlocks(store, 0, 99)
    await listTokens(store, 'f', '0', 'd')
    await seedLabel(store, 'e', 'tornado', 'mixer')
    await store.execute("INSERT INTO rule_labels SELECT 'ETH', {pool:String}, 'Mixer pool', 1, false, '', 'mixer', 60, now64(3), 0, 0", { pool: account('c') })
    const paid = (from: string, to: string, block: number, amount: number, token = 'f') => ({ from, to, block, amount, usd: amount, token })
    await seedMoves(store, [
      // 1 took out itself and paid 2; 3 did both: took out, and was paid by 2.
      paid('e', '1', 10, 3_000), paid('1', '2', 11, 1_000), paid('e', '2', 12, 1_000), paid('2', '3', 13, 1_500), paid('e', '3', 14, 500),
      // 4 moved its own to itself before it paid in; 5 swapped before.
      paid('9', '4', 20, 700), paid('4', '4', 21, 700), paid('4', 'e', 22, 700),
      paid('9', '5', 30, 800, 'd'), paid('5', 'b', 31, 800, 'd'), paid('b', '5', 31, 800), paid('5', 'e', 32, 800),
      // c is a mixer by a rule alone: 6 used it, 7 was paid by 6.
      paid('c', '6', 40, 900), paid('6', '7', 41, 900),
    ])
    await seedSwap(store, '5', 'b', 31, 'd', 'f')
  })
  after(() => service.stop())

  it('own use is no exposure within hops', async () => assert.deepEqual(await told('1'), [[['e', 'withdrawal', '3000']], [], 1]))

  it('what others did is, with its share of all there is, beside own use', async () => {
    assert.deepEqual(await told('3'), [[['e', 'withdrawal', '500']], [['source', 'indirect', 2, 0.375, ['32e']]], 2])
  })

  it('own use is that also after what was moved came back, and after a swap', async () => {
    assert.deepEqual([await told('4'), await told('5')], [[[['e', 'deposit', '700']], [], 1], [[['e', 'deposit', '800']], [], 1]])
  })

  it('use of what is a mixer by a rule is told as direct, too', async () => {
    assert.deepEqual([await told('6'), await told('7')], [[[['c', 'withdrawal', '900']], [], 1], [[], [['source', 'indirect', 2, 1, ['76c']]], 1]])
    assert.deepEqual((await use('6')).direct.map((one: any) => [one.label, one.confidence]), [['Mixer pool', 60]])
  })

  it('a compliance report weighs both', async () => {
    const { exposure } = (await service.call(`GET /v1/wallets/compliance/${account('3')}`)).body
    assert.deepEqual(exposure.map((one: any) => [one.kind, one.classification, one.share]).sort(), [['direct', 'mixer', 0.25], ['indirect', 'mixer', 0.375]])
  })
})
