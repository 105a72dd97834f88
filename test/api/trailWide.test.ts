/** A trail through moves that are longer than the server takes of one parameter: it answers, and every unit is accounted for. */
import assert from 'node:assert/strict'
import { account, seedBlocks, seedMoves, type Move } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

const ether = 10n ** 18n
const givers = [...'23456789abcde']

describe('a trail through more than a thousand moves', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => {
    service = await startService()
    await seedBlocks(service.store, 0, 99)
    const moves: Move[] = givers.map((giver, place) => ({ from: 'f', to: giver, block: 1, amount: 200n * ether, token: '0', kind: 'native', position: place }))
    for (const [place, from] of givers.entries()) {
      for (let one = 0; one < 100; one += 1) moves.push({ from, to: '1', block: 2 + (one % 97), amount: ether + BigInt(one), token: '0', kind: 'native', position: place * 100 + one, tx: 1_000 + place * 100 + one })
    }
    for (let first = 0; first < moves.length; first += 300) await seedMoves(service.store, moves.slice(first, first + 300))
  })
  after(() => service.stop())

  it('answers hop after hop, and everything adds up', async () => {
    const { status, body } = await service.call(`GET /v1/wallets/trail/${account('1')}?hops=2`)
    assert.equal(status, 200, JSON.stringify(body).slice(0, 300))
    const second = body.trail.filter((step: any) => step.hop === 2)
    assert.ok(second.length >= 6 && second.every((step: any) => step.from_address === account('f')), JSON.stringify(second.length))
    const [, { fifo, lifo, haircut }] = body.checks
    for (const sums of [fifo, lifo, haircut]) assert.equal(sums.difference, '0')
    assert.equal(BigInt(fifo.considered), BigInt(fifo.in_branches) + BigInt(fifo.not_carried))
    assert.ok(BigInt(fifo.in_branches) > 0n)
  })
})
