/** Balances from transfers are called complete only where they can be: all of the chain is indexed, and nothing says that transfers do not tell. */
import assert from 'node:assert/strict'
import { at, putTokens, usdc, weth } from '../enrich/handmade.js'
import { until } from '../support/pipeline.js'
import { seed } from './support/seed.js'
import { startService, type Service } from './support/service.js'

const steth = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84'
const [holder, second, other, bare] = [at('b1'), at('b2'), at('b3'), at('b4')]
const coin = `0x${'00'.repeat(20)}`

describe('balances', function () {
  this.timeout(90_000)
  let service: Service
  before(async () => {
    service = await startService()
    const { store } = service
    await putTokens(store, [{ address: usdc, symbol: 'USDC', decimals: 6, stable: true }, { address: bare, symbol: 'BARE', decimals: null }])
    await seed(store, 0, 20, new Date('2026-01-01T00:00:00Z'))
    await store.execute(`INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version) SELECT 'ETH', arrayJoin([{holder:String}, {second:String}]), 'Desk', 'A Desk', 'fund', 'test', '', 80, now64(3), 1`, { holder, second })
    const moves: readonly (readonly [string, string, string, number])[] = [
      [usdc, other, holder, 900], [usdc, holder, second, 300], [weth, other, holder, 5], [weth, holder, other, 9], [steth, other, holder, 7], [coin, other, holder, 8], [bare, other, second, 4],
    ]
    for (const [position, [token, from, to, amount]] of moves.entries()) for (const direction of ['in', 'out']) {
      await store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation) SELECT 'ETH', unhex({mine:String}), 3, {kind:String}, {position:UInt32}, 0, {direction:String}, '2026-01-01 00:00:36.000', '', unhex({token:String}), unhex({theirs:String}), {amount:UInt64}, 0, NULL, 0`,
        { mine: (direction === 'in' ? to : from).slice(2), theirs: (direction === 'in' ? from : to).slice(2), token: token.slice(2), kind: token === coin ? 'native' : 'erc20', position: 50 + position, direction, amount })
    }
    await store.execute(`INSERT INTO address_segments SELECT 'ETH', unhex(arrayJoin([{holder:String}, {second:String}])), '2026-01-01 00:00:00', 0, 3, 0, 2, 0, 3, 3, '2026-01-01 00:00:36.000', '2026-01-01 00:00:36.000', 1`, { holder: holder.slice(2), second: second.slice(2) })
  })
  after(() => service.stop())
  const said = (balances: any[]): unknown => Object.fromEntries(balances.map(({ token, net_amount: net, complete, incomplete_because: reason }: any) => [token, [net, complete, reason]]))

  it('of a wallet are whole but for the coin, what rebases and what is less than nothing', async () => {
    const { balances } = (await service.call(`GET /v1/wallets/${holder}`)).body
    assert.deepEqual(said(balances), {
      [usdc]: ['600', true, null], [weth]: ['-4', false, 'less_than_nothing'], [steth]: ['7', false, 'rebasing'], [coin]: ['8', false, 'coin_moves_without_transfers'],
    })
    assert.ok(balances.every(({ value_usd: usd }: any) => usd === null), 'nothing has a price')
  })

  it('of an entity are those of its addresses together', async () => {
    const { entity } = (await service.call('GET /v1/entity/A%20Desk', { key: null })).body
    assert.deepEqual(said(entity.balances), {
      [usdc]: ['900', true, null], [weth]: ['-4', false, 'less_than_nothing'], [steth]: ['7', false, 'rebasing'], [coin]: ['8', false, 'coin_moves_without_transfers'], [bare]: ['4', true, null],
    })
    assert.equal(entity.balances.find(({ token }: any) => token === bare).token_decimals, null)
  })

  it('of an entity leave out deposit addresses that a rule found, which are told beside the named ones', async () => {
    const said = (version: number, address: string, action: string, owner: string): Promise<unknown> => service.store.execute(`INSERT INTO label_changes (chain, address, source, label, version, action, at, entity, category, rule, rule_version, level, confidence, valid_from)
      SELECT 'ETH', {address:String}, 'rules', concat({owner:String}, ': deposit'), {version:UInt64}, {action:String}, now64(3), {owner:String}, 'exchange_deposit', 'exchange_deposit', 1, 'heuristic', 10, now64(3)`, { version, address, action, owner })
    const [first, gone, theirs] = [at('c1'), at('c2'), at('c3')]
    await said(1, first, 'added', 'A Desk')
    await said(1, gone, 'added', 'A Desk')
    await said(2, gone, 'removed', 'A Desk')
    await said(2, theirs, 'added', 'Another')
    const { entity } = (await service.call('GET /v1/entity/a%20DESK', { key: null })).body
    assert.deepEqual([entity.address_count, entity.deposit_count, entity.addresses.map(({ address, classification, sources }: any) => [address, classification, sources])],
      [2, 1, [[holder, 'fund', ['test']], [second, 'fund', ['test']], [first, 'exchange_deposit', ['rules']]]])
    assert.deepEqual(entity.classifications, ['exchange_deposit', 'fund'])
    for (const more of ['c4', 'c5', 'c6']) await said(3, at(more), 'added', 'A Desk')
    const paged: string[] = []
    for (let cursor = ''; ;) {
      const page = (await service.call(`GET /v1/entity/a%20DESK?limit=2${cursor}`, { key: null })).body
      paged.push(...page.entity.addresses.map(({ address }: any) => address))
      assert.deepEqual([page.entity.name, page.entity.address_count, page.entity.deposit_count], ['A Desk', 2, 4])
      if (!page.has_more) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(paged, [holder, second, first, at('c4'), at('c5'), at('c6')])
    assert.equal(entity.balances.length, 5)
  })

  it('leave out none that is worth something, however often others moved', async () => {
    const { store } = service, rich = at('b5')
    await store.execute(`INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version) SELECT 'ETH', {rich:String}, 'Vault', 'A Vault', 'fund', 'test', '', 80, now64(3), 1`, { rich })
    // 250 tokens that nobody prices, twice each, the first of them three times, and once what is worth a million.
    await store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, position, sub, direction, block_time, tx_hash, token, other, amount, token_id, value_usd, generation)
      SELECT 'ETH', unhex({rich:String}), 4, 'erc20', 100 + number, 0, 'in', '2026-01-01 00:00:48.000', '', if(number < 501, unhex(concat(repeat('5a', 18), leftPad(lower(hex(number % 250)), 4, '0'))), unhex({usdc:String})), unhex({other:String}), if(number < 501, 1, 1000000000000), 0, NULL, 0 FROM numbers(502)`,
    { rich: rich.slice(2), usdc: usdc.slice(2), other: other.slice(2) })
    await store.execute(`INSERT INTO address_segments SELECT 'ETH', unhex({rich:String}), '2026-01-01 00:00:00', 0, 502, 0, 0, 0, 4, 4, '2026-01-01 00:00:48.000', '2026-01-01 00:00:48.000', 1`, { rich: rich.slice(2) })
    await store.execute(`INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation) SELECT 'ETH', unhex({usdc:String}), 10, '2026-01-01 00:02:00.000', '', 1, 'peg', 1, 0, 0`, { usdc: usdc.slice(2) })
    const spam = (nth: number): string => `0x${'5a'.repeat(18)}${nth.toString(16).padStart(4, '0')}`
    const worth = (balances: any[]): unknown => balances.map(({ token, transfers, value_usd: usd }: any) => [token, transfers, usd])
    const first = [[usdc, 1, 1_000_000], [spam(0), 3, null], ...Array.from({ length: 48 }, (_, nth) => [spam(nth + 1), 2, null])]
    assert.deepEqual(worth((await service.call(`GET /v1/wallets/${rich}`)).body.balances), first)
    assert.deepEqual(worth((await service.call('GET /v1/entity/A%20Vault', { key: null })).body.entity.balances), first)
  })

  it('are none while a block is missing', async () => {
    await seed(service.store, 1_000, 5, new Date('2026-01-01T04:00:00Z'))
    // What the ledger says is at most a second old.
    await until(async () => (await service.call(`GET /v1/wallets/${holder}?chain=ETH`)).body.balances.every(({ complete }: any) => !complete), 'the hole is seen')
    const { body } = await service.call('GET /v1/entity/a%20desk', { key: null })
    assert.ok(body.entity.balances.every(({ complete, incomplete_because: reason }: any) => !complete && reason === 'history_not_whole'), JSON.stringify(body.entity.balances[0]))
  })
})
