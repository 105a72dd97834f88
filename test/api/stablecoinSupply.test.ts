/** Supply and velocity of a stablecoin: known only where all of the chain is indexed. */
import assert from 'node:assert/strict'
import { at, majors, putBlocks, putLogs, putMoves, putTokens, usdc, usdt, word } from '../enrich/handmade.js'
import { startService, type Service } from './support/service.js'

describe('supply of stablecoins', function () {
  this.timeout(60_000)
  const answer = async (first: number): Promise<any> => {
    const service: Service = await startService()
    try {
      const { store } = service
      await putTokens(store, majors)
      await putBlocks(store, first, 20)
      const send = (n: number, from: string, to: string, amount: string) => ({ n, position: 1, token: usdc, from, to, amount })
      await putMoves(store, [send(2, at('00'), at('01'), '1000'), send(3, at('01'), at('02'), '600'), send(4, at('02'), at('00'), '200')])
      await store.execute(`INSERT INTO transfers (chain, block_number, kind, position, sub, block_time, tx_hash, token, from_address, to_address, amount) SELECT chain, block_number, kind, position, sub, block_time, tx_hash, token, from_address, to_address, amount FROM movements`)
      await store.execute(`INSERT INTO token_segments (chain, hour, segment, token, transfers, amount, version) SELECT 'ETH', toStartOfHour(min(block_time)), 0, token, count(), sum(amount), 1 FROM transfers GROUP BY token`)
      return (await service.call('GET /v1/dashboard/stablecoins')).body.stablecoins[0]
    } finally { await service.stop() }
  }

  it('is what was minted less what was burnt, from the first block on, or null', async () => {
    const whole = await answer(0)
    assert.deepEqual([whole.minted, whole.burnt, whole.volume, whole.supply, whole.velocity], ['1000', '200', '1800', '800', 2.25])
    const part = await answer(1)
    assert.deepEqual([part.minted, part.supply, part.velocity], ['1000', null, null])
  })

  it('of USDT is what its issuer made and took back: sending it to the zero address burns nothing', async () => {
    const service: Service = await startService()
    try {
      const { store } = service
      await putTokens(store, majors)
      await putBlocks(store, 0, 20)
      const send = (n: number, from: string, to: string, amount: string) => ({ n, position: 1, token: usdt, from, to, amount })
      await putMoves(store, [send(2, at('01'), at('02'), '600'), send(3, at('02'), at('00'), '50'), send(4, at('00'), at('02'), '7')])
      await store.execute(`INSERT INTO transfers (chain, block_number, kind, position, sub, block_time, tx_hash, token, from_address, to_address, amount) SELECT chain, block_number, kind, position, sub, block_time, tx_hash, token, from_address, to_address, amount FROM movements`)
      const [issue, redeem, destroyed] = ['cb8241adb0c3fdb35b70c24ce35c5eb0c17af7431c99f827d44a445ca624176a', '702d5967f45f6513a38ffc42d6ba9bf230bd40e8f53b16363c7eb4fd2deb9a44', '61e6e66b0d6339b2980aecc6ccc0039736791f0ccde9ed512e789a7fbdd698c6']
      const log = (n: number, topic: string, data: string) => ({ n, log: 9, address: usdt, topics: [`0x${topic}`], data })
      await putLogs(store, [log(1, issue, word(1_000n)), log(5, redeem, word(100n)), log(6, destroyed, `${word(1n)}${word(30n).slice(2)}`)])
      const [one] = (await service.call('GET /v1/dashboard/stablecoins')).body.stablecoins
      assert.deepEqual([one.token, one.minted, one.burnt, one.net, one.supply], [usdt, '1000', '130', '870', '870'])
    } finally { await service.stop() }
  })
})
