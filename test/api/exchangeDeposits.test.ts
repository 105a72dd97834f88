/** Flows of exchanges as known now, with the addresses where the rule of deposits found that they take them. */
import assert from 'node:assert/strict'
import { at } from '../enrich/handmade.js'
import { until } from '../support/pipeline.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const [hot, cold, user, deposit, gone, cut, named, foreign, spelt] = ['b1', 'b2', 'c1', 'd1', 'd2', 'd3', 'd4', 'd5', 'b3'].map(at) as [string, string, string, string, string, string, string, string, string]

describe('deposit addresses in exchange flows as known now', function () {
  this.timeout(60_000)
  let service: Service
  const flows = async (): Promise<any[]> => (await service.call('GET /v1/dashboard/exchange-flows?hours=1&known_now=true')).body.known_now
    .map(({ exchange, transfers_in: ins, transfers_out: outs, usd_in: gained, usd_out: lost }: any) => [exchange, ins, outs, gained, lost])
  const move = async (position: number, from: string, to: string, usd: number, token = at('')): Promise<void> => {
    for (const [address, other, direction] of [[from, to, 'out'], [to, from, 'in']]) {
      await service.store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, direction, block_time, other, token, amount, value_usd)
        SELECT 'ETH', unhex(substring({address:String}, 3)), 1005, 'erc20', {position:UInt32}, {direction:String}, toDateTime64('2026-01-01 10:01:00', 3, 'UTC'), unhex(substring({other:String}, 3)), unhex(substring({token:String}, 3)), 1, {usd:Float64}`,
      { address: address!, other: other!, direction: direction!, position, usd, token })
    }
  }
  const said = (version: number, address: string, action: string, owner: string, last = 1): Promise<unknown> => service.store.execute(`INSERT INTO label_changes (chain, address, source, label, version, action, entity, category, rule, last_block)
    SELECT 'ETH', {address:String}, 'rules', concat({owner:String}, ': deposit'), {version:UInt64}, {action:String}, {owner:String}, 'exchange_deposit', 'exchange_deposit', {last:UInt64}`, { version, address, action, owner, last })
  before(async () => {
    service = await startService()
    const { store } = service
    for (const [address, entity, category] of [[hot, 'Alpha', 'exchange'], [cold, 'Beta', 'exchange'], [named, 'A Fund', 'fund'], [spelt, 'AL-PHA', 'exchange']]) {
      await store.execute(`INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version) SELECT 'ETH', {address:String}, 'x', {entity:String}, {category:String}, 'test', '', 80, now64(3), 1`, { address: address!, entity: entity!, category: category! })
    }
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
    await seed(store, 1_000, 20, new Date('2026-01-01T10:00:00Z'))
    await until(async () => (await service.call('GET /v1/dashboard/gas')).body.window !== null, 'the blocks are seen')
    await move(1, user, deposit, 100)
    await move(2, user, gone, 30)
    await move(3, user, cut, 20)
    await move(4, user, named, 10)
    await move(5, user, foreign, 7)
    await move(6, hot, user, 5)
    // Of one owner, however it is spelled: no flow.
    await move(7, hot, spelt, 50)
  })
  after(() => service.stop())

  it('are nobody’s while no rule found them', async () => {
    assert.deepEqual(await flows(), [['Alpha', 0, 1, 0, 5]])
  })

  it('are the exchange’s once a rule did: what is not swept yet has come in; those taken back, cut or named otherwise are not', async () => {
    await said(1, deposit, 'added', 'Alpha')
    await said(1, gone, 'added', 'Alpha')
    await said(2, gone, 'removed', 'Alpha')
    await said(1, cut, 'added', 'Alpha', 1_010)
    await service.store.execute("INSERT INTO rollbacks_applied (chain, seq, from_block, generation, step, epoch, rows_deleted, writer) VALUES ('ETH', 99, 1010, 5, 'deleted', 1, 0, 'w')")
    await said(1, named, 'added', 'Alpha')
    await said(1, foreign, 'added', 'An Unlisted House')
    assert.deepEqual(await flows(), [['Alpha', 1, 1, 100, 5]])
  })

  it('sweep within the exchange, and pay another', async () => {
    await move(7, deposit, hot, 90)
    await move(8, deposit, cold, 3)
    assert.deepEqual(await flows(), [['Alpha', 1, 2, 100, 8], ['Beta', 1, 0, 3, 0]])
  })

  it('are told apart by tokens that a list names: of another its own pool says the price', async () => {
    await service.store.execute("INSERT INTO tokens SELECT 'ETH', unhex(substring({token:String}, 3)), 'LST', 'Listed', 18, false, 'test', 1", { token: at('e1') })
    await service.store.execute('SYSTEM RELOAD DICTIONARY token_of')
    await move(9, user, deposit, 0.5, at('e1'))
    await move(10, user, deposit, 1e30, at('e2'))
    await move(11, cold, user, 4, at('e2'))
    const { known_now: now } = (await service.call('GET /v1/dashboard/exchange-flows?hours=2&known_now=true')).body
    assert.deepEqual(now.map((one: any) => [one.exchange, one.usd_in, one.usd_out, one.usd_listed_in, one.usd_listed_out]), [['Alpha', 1e30, 8, 100.5, 8], ['Beta', 3, 4, 3, 0]])
  })
})
