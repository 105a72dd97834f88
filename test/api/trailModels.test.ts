/** Each taint model against answers computed by hand. */
import assert from 'node:assert/strict'
import { account, seedBlocks, seedFees, seedLabel, seedMoves, seedSwap, type Move } from './support/handmade.js'
import { startService, type Service } from './support/service.js'

const digitOf = (address: string): string => address.slice(2, 3)

describe('taint by four models', function () {
  this.timeout(120_000)
  let service: Service
  let asked = 0
  before(async () => { service = await startService(); await seedBlocks(service.store, 0, 99); await seedLabel(service.store, 'e', 'Some Mixer', 'mixer'); await seedLabel(service.store, 'c', 'Some Pool', 'dex') })
  after(() => service.stop())
  const ledger = async (...moves: readonly (readonly [from: string, to: string, amount: number, more?: Partial<Move>])[]): Promise<void> => {
    await service.store.execute('TRUNCATE TABLE address_transfers')
    await seedMoves(service.store, moves.map(([from, to, amount, more], index) => ({ from, to, amount, block: index + 1, ...more })))
  }
  const ask = async (address: string, query = ''): Promise<any> => {
    // Answers are kept for a while: another limit is another question.
    const { body, status } = await service.call(`GET /v1/wallets/trail/${account(address)}?limit=${100 - asked++}${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    assert.ok(body.checks.every((check: any) => ['fifo', 'lifo', 'haircut'].every((model) => check[model].difference === '0')), JSON.stringify(body.checks))
    return body
  }
  /** hop, from, to, FIFO, haircut, poison, end. */
  const told = (body: any) => body.trail.map((step: any) => [step.hop, digitOf(step.from_address), digitOf(step.to_address), step.fifo, step.haircut, step.poison, step.stopped_because])

  it('merge: two payers, one pot', async () => {
    await ledger(['2', '1', 30], ['3', '1', 70], ['1', '4', 50])
    assert.deepEqual(told(await ask('4')), [[1, '1', '4', '50', '50', '50', null], [2, '3', '1', '20', '35', '50', 'depth'], [2, '2', '1', '30', '15', '50', 'depth']])
  })

  it('split: what was held before goes first, or in proportion; what is left is held', async () => {
    await ledger(['9', '1', 50], ['2', '1', 100], ['1', '3', 60], ['1', '4', 40])
    const body = await ask('2', '&direction=destination')
    assert.deepEqual(told(body), [[1, '2', '1', '100', '100', '100', null], [2, '1', '3', '10', '40', '100', 'depth'], [2, '1', '4', '40', '26', '100', 'depth']])
    assert.deepEqual([body.checks[1].fifo.held, body.checks[1].haircut.held, body.checks[1].fifo.considered], ['50', '34', '100'])
  })

  it('what nothing went on from is held, and what nothing came to before has no history; both are origins, which add up to what is traced', async () => {
    const usd = (amount: number) => [amount, { usd: amount * 100 }] as const
    const sums = ({ origins }: any) => ['fifo_usd', 'lifo_usd', 'haircut_usd'].map((model) => origins.reduce((sum: number, one: any) => sum + one[model], 0))
    const said = ({ origins }: any) => origins.map((one: any) => [one.classification, one.stopped_because, one.addresses, one.fifo_usd])
    await ledger(['9', '1', ...usd(50)], ['2', '1', ...usd(100)], ['1', '3', ...usd(60)], ['1', 'e', ...usd(40)])
    const on = await ask('2', '&direction=destination&hops=3')
    assert.deepEqual(told(on), [[1, '2', '1', '100', '100', '100', null], [2, '1', '3', '10', '40', '100', 'held'], [2, '1', 'e', '40', '26', '100', 'mixer']])
    // 50 of the 100 never left address 1.
    assert.deepEqual(said(on).sort(), [['mixer', 'mixer', 1, 4_000], ['unknown', 'held', 2, 6_000]])
    assert.deepEqual(sums(on), [10_000, 10_000, 10_000])
    await ledger(['7', '1', ...usd(30)], ['e', '1', ...usd(70)], ['1', '4', ...usd(100)])
    const back = await ask('4', '&hops=3')
    assert.deepEqual(told(back).slice(1), [[2, 'e', '1', '70', '70', '100', 'mixer'], [2, '7', '1', '30', '30', '100', 'no_history']])
    assert.deepEqual([said(back).sort(), sums(back)], [[['mixer', 'mixer', 1, 7_000], ['unknown', 'no_history', 1, 3_000]], [10_000, 10_000, 10_000]])
  })

  it('within a block money goes in the order of execution, whatever kind of move brought it', async () => {
    const block = 3
    await ledger(['9', '1', 100, { kind: 'wrap', block, position: 10 }], ['1', '4', 100, { block, position: 12 }])
    assert.deepEqual(told(await ask('4')), [[1, '1', '4', '100', '100', '100', null], [2, '9', '1', '100', '100', '100', 'depth']])
    const coin = { token: '0', block } as const
    await ledger(['9', '1', 100, { ...coin, kind: 'internal', position: 57, txIndex: 1 }], ['1', '4', 100, { ...coin, kind: 'native', position: 2, txIndex: 2 }], ['8', '1', 50, { ...coin, kind: 'native', position: 3, txIndex: 3 }], ['1', '4', 50, { ...coin, kind: 'internal', position: 90, txIndex: 3 }])
    assert.deepEqual(told(await ask('4')), [[1, '1', '4', '150', '150', '150', null], [2, '9', '1', '100', '100', '150', 'depth'], [2, '8', '1', '50', '50', '50', 'depth']])
  })

  it('reuse: money that comes back is other money, and its way is followed', async () => {
    await ledger(['2', '1', 40], ['1', '5', 40], ['5', '1', 40], ['1', '6', 40])
    assert.deepEqual(told(await ask('6', '&hops=4')), [
      [1, '1', '6', '40', '40', '40', null], [2, '5', '1', '40', '40', '40', null], [2, '2', '1', '0', '0', '40', 'taint'], [3, '1', '5', '40', '40', '40', null], [4, '2', '1', '40', '40', '40', 'depth'],
    ])
  })

  it('a mixer in between ends the branch: what went in is not what came out', async () => {
    await ledger(['2', 'e', 100], ['3', 'e', 100], ['e', '1', 100], ['7', '1', 100], ['1', '4', 150])
    const body = await ask('4', '&hops=3')
    assert.deepEqual(told(body), [[1, '1', '4', '150', '150', '150', null], [2, 'e', '1', '100', '75', '150', 'mixer'], [2, '7', '1', '50', '75', '150', 'no_history']])
    assert.deepEqual(body.origins.map((one: any) => [one.classification, one.entity, one.fifo_usd]), [['mixer', 'Some Mixer', null], ['unknown', '', null]])
  })

  it('a swap in between: the trail goes on with what was given for it', async () => {
    await ledger(['2', '1', 30, { token: 'a' }], ['3', '1', 70, { token: 'a' }], ['1', 'c', 50, { token: 'a', block: 5 }], ['c', '1', 200, { token: 'b', block: 5 }], ['1', '4', 100, { token: 'b', block: 6 }])
    const unknown = await ask('4', '&hops=3')
    assert.deepEqual(told(unknown).at(-1), [2, 'c', '1', '100', '100', '100', 'contract'])
    assert.deepEqual(told(await ask('4', '&hops=2')).at(-1), [2, 'c', '1', '100', '100', '100', 'contract'])
    await seedSwap(service.store, '1', 'c', 5, 'a', 'b')
    const body = await ask('4', '&hops=3')
    assert.deepEqual(told(body), [[1, '1', '4', '100', '100', '100', null], [2, 'c', '1', '100', '100', '100', null], [3, '3', '1', '40', '70', '100', 'depth'], [3, '2', '1', '60', '30', '100', 'depth']])
    assert.deepEqual(body.trail[1].through_swap, [`0x${'a'.repeat(40)}`])
    // The last hop looks for swaps only where they decide why a branch ends: at a contract they do.
    assert.deepEqual([told(await ask('4', '&hops=2')), told(await ask('1', '&hops=1&token=' + account('b')))], [[[1, '1', '4', '100', '100', '100', null], [2, 'c', '1', '100', '100', '100', 'depth']], [[1, 'c', '1', '200', '200', '200', 'depth']]])
    assert.deepEqual(body.trail.slice(2).map((step: any) => [step.token.slice(2, 3), step.amount, step.root_token.slice(2, 3)]), [['a', '70', 'b'], ['a', '30', 'b']])
    assert.deepEqual(told(await ask('2', '&direction=destination&hops=3')), [[1, '2', '1', '30', '30', '30', null], [2, '1', 'c', '30', '15', '30', null], [3, '1', '4', '15', '7', '30', 'depth']])
  })

  it('small is what all has a price and is worth little: where some of it has none it may be worth anything, and is followed', async () => {
    await ledger(['3', '2', 10_000_001], ['2', '1', 1, { usd: 1 }], ['2', '1', 10_000_000], ['1', '4', 10_000_000])
    assert.deepEqual(told(await ask('1', '&hops=2')), [[1, '2', '1', '10000001', '10000001', '10000001', null], [2, '3', '2', '10000001', '10000001', '10000001', 'depth']])
    assert.deepEqual(told(await ask('4', '&hops=3')).map((step: any) => [step[0], step[1], step[6]]), [[1, '1', null], [2, '2', null], [3, '3', 'depth']])
    await ledger(['3', '2', 3], ['2', '1', 1, { usd: 1 }], ['2', '1', 2, { usd: 2 }], ['1', '4', 3])
    assert.deepEqual([told(await ask('1', '&hops=2')).map((step: any) => step[6]), told(await ask('4', '&hops=3')).map((step: any) => step[6])], [['small'], [null, 'small']])
  })

  it('a swap among plain moves: each goes on its own way, and what ends there is told by its reason', async () => {
    const coin = { token: '0', kind: 'native' } as const
    await ledger(['6', '5', 49, coin], ['7', '1', 2_000], ['8', '5', 1, coin], ...Array.from({ length: 49 }, () => ['5', '1', 1, coin] as const), ['5', '1', 1, { ...coin, block: 60, txIndex: 0 }], ['1', '5', 2_000, { block: 60, txIndex: 0 }])
    await seedSwap(service.store, '1', '5', 60, 'f', '0')
    const body = await ask('1', `&token=${account('0')}`)
    assert.deepEqual(told(body), [[1, '5', '1', '50', '50', '50', null], [2, '6', '5', '49', '49', '49', 'depth'], [2, '7', '1', '1', '1', '1', 'depth'], [2, '8', '5', '0', '0', '49', 'depth']])
    assert.deepEqual([body.trail[0].through_swap, body.checks[1].fifo.not_carried], [[account('f')], '0'])
    // A pool paid without a trade, and for one: what it paid without ends there.
    const usd = (amount: number) => [amount, { token: 'b', usd: amount * 100 }] as const
    await ledger(['2', '1', 30, { token: 'a', usd: 30_000 }], ['c', '1', ...usd(100)], ['1', 'c', 30, { token: 'a', usd: 30_000, block: 61 }], ['c', '1', 300, { token: 'b', usd: 30_000, block: 61 }])
    await seedSwap(service.store, '1', 'c', 61, 'a', 'b')
    const pool = await ask('1', `&token=${account('b')}`)
    assert.deepEqual(told(pool), [[1, 'c', '1', '400', '400', '400', null], [2, '2', '1', '300', '300', '300', 'depth']])
    assert.deepEqual(pool.origins.map((one: any) => [one.classification, one.stopped_because, one.fifo_usd, one.lifo_usd, one.haircut_usd, one.poison_usd]), [['unknown', 'depth', 30_000, 30_000, 30_000, 30_000], ['dex', 'contract', 10_000, 10_000, 10_000, 10_000]])
    assert.equal(pool.checks[1].fifo.not_carried, '100')
  })

  it('a swap is found by the place of its transaction, and where older rows have the number of a log for it, by its hash', async () => {
    await seedSwap(service.store, '1', 'c', 62, 'a', 'b')
    const trade = (paid: Partial<Move>, got: Partial<Move>) => ledger(['2', '1', 30, { token: 'a' }], ['1', 'c', 30, { token: 'a', block: 62, ...paid }], ['c', '1', 300, { token: 'b', block: 62, ...got }])
    for (const [paid, got] of [[{ position: 7, txIndex: 0 }, { position: 8, txIndex: 0 }], [{ position: 7 }, { position: 8 }], [{ position: 0, txIndex: 0 }, { position: 1, txIndex: 0 }]] as const) {
      await trade(paid, got)
      assert.deepEqual(told(await ask('1', `&token=${account('b')}`)), [[1, 'c', '1', '300', '300', '300', null], [2, '2', '1', '300', '300', '300', 'depth']])
    }
    // Another transaction of the block, though its log has the number of the place at which the swap stands.
    for (const txIndex of [0, 1]) {
      await trade({ position: 0, tx: 999, txIndex }, { position: 0, tx: 999, txIndex })
      assert.deepEqual(told(await ask('1', `&token=${account('b')}`)), [[1, 'c', '1', '300', '300', '300', 'contract']])
    }
  })

  it('wrapping in between: the trail goes on with the coin that was wrapped, of who wrapped it alone', async () => {
    await ledger(['2', '1', 50, { token: '0', kind: 'native' }], ['1', 'c', 50, { token: '0', kind: 'native', block: 7 }], ['c', '1', 50, { token: 'b', kind: 'wrap', block: 7 }], ['1', '4', 50, { token: 'b', block: 8 }])
    const body = await ask('4', '&hops=3')
    assert.deepEqual(told(body), [[1, '1', '4', '50', '50', '50', null], [2, 'c', '1', '50', '50', '50', null], [3, '2', '1', '50', '50', '50', 'depth']])
    assert.deepEqual([body.trail[1].through_swap, body.trail[2].token], [[account('0')], account('0')])
    // The same transaction, in which another wraps: that is no trade of the one who was paid in it.
    await ledger(['2', '1', 50, { token: '0', kind: 'native' }], ['1', 'c', 50, { token: '0', kind: 'native', block: 9 }], ['c', '5', 50, { token: 'b', kind: 'wrap', block: 9 }], ['c', '1', 50, { token: 'b', block: 9 }], ['1', '4', 50, { token: 'b', block: 10 }])
    assert.deepEqual(told(await ask('4', '&hops=3')).at(-1), [2, 'c', '1', '50', '50', '50', 'contract'])
  })

  it('more left than came: FIFO and haircut are unknown, and it is said', async () => {
    await ledger(['2', '1', 30], ['1', '4', 50])
    const body = await ask('4')
    assert.deepEqual(told(body)[1], [2, '2', '1', null, null, '50', 'depth'])
    assert.deepEqual([body.trail[1].gap, body.trail[1].haircut_share, body.checks[1].fifo.unknown, body.checks[1].haircut.unknown], ['overdrawn', null, '50', '50'])
  })

  it('gas leaves a sender before what its transaction moves: what was burnt explains nothing that went later, and stays behind on the way on', async () => {
    const models = ({ trail }: any) => trail.map((step: any) => [step.hop, digitOf(step.from_address), digitOf(step.to_address), step.fifo, step.lifo, step.haircut, step.stopped_because])
    const coin = { token: '0', kind: 'native' } as const
    await ledger(['e', '1', 100, coin], ['3', '1', 100, { ...coin, block: 5 }], ['1', '4', 90, { ...coin, block: 6, position: 2 }])
    await seedFees(service.store, [['1', 3, 0, 100], ['1', 6, 2, 4]])
    try {
      assert.deepEqual(models(await ask('4')), [[1, '1', '4', '90', '90', '90', null], [2, '3', '1', '90', '90', '90', 'depth'], [2, 'e', '1', '0', '0', '0', 'mixer']])
      const on = await ask('e', '&direction=destination')
      assert.deepEqual(models(on), [[1, 'e', '1', '100', '100', '100', null], [2, '1', '4', '0', '0', '0', 'taint']])
      assert.deepEqual([on.checks[1].fifo.held, on.checks[1].lifo.held, on.checks[1].haircut.held], ['100', '100', '100'])
      const later = await ask('3', '&direction=destination')
      assert.deepEqual([models(later)[1], later.checks[1].fifo.held, later.checks[1].haircut.held], [[2, '1', '4', '90', '90', '90', 'depth'], '10', '10'])
      // Another token's queue has nothing to do with it.
      await ledger(['2', '1', 30], ['3', '1', 70], ['1', '4', 50])
      assert.deepEqual(models(await ask('4')).slice(1), [[2, '3', '1', '20', '50', '35', 'depth'], [2, '2', '1', '30', '0', '15', 'depth']])
    } finally { await service.store.execute('TRUNCATE TABLE address_fees') }
  })

  it('what came after it went explains nothing; what stays with one payer is one branch', async () => {
    await ledger(['2', '1', 10], ['2', '1', 15], ['1', '4', 5], ['3', '1', 1_000])
    assert.deepEqual(told(await ask('4')), [[1, '1', '4', '5', '5', '5', null], [2, '2', '1', '5', '5', '5', 'depth']])
    const [, step] = (await ask('4')).trail
    assert.deepEqual([step.transfers, step.amount], [2, '25'])
  })

  it('last in, first out: the newest money goes first; what lay below stays, whatever came and went on top of it', async () => {
    const lifo = (body: any) => body.trail.map((step: any) => [step.hop, digitOf(step.from_address), digitOf(step.to_address), step.lifo, step.lifo_share])
    await ledger(['2', '1', 30], ['3', '1', 70], ['1', '4', 50])
    assert.deepEqual(lifo(await ask('4')), [[1, '1', '4', '50', 1], [2, '3', '1', '50', 1], [2, '2', '1', '0', 0]])
    await ledger(['2', '1', 100], ['1', '5', 50], ['3', '1', 30], ['1', '4', 80], ['4', '6', 40], ['4', '7', 40])
    assert.deepEqual(lifo(await ask('4')).slice(1), [[2, '2', '1', '50', 0.625], [2, '3', '1', '30', 0.375]])
    const on = await ask('2', '&direction=destination&hops=3')
    assert.deepEqual(lifo(on), [[1, '2', '1', '100', 1], [2, '1', '4', '50', 0.5], [2, '1', '5', '50', 0.5], [3, '4', '6', '25', 0.25], [3, '4', '7', '25', 0.25]])
    await ledger(['9', '1', 50], ['2', '1', 100], ['1', '3', 60], ['1', '4', 10])
    const held = await ask('2', '&direction=destination')
    assert.deepEqual([lifo(held).slice(1), held.checks[1].lifo.held], [[[2, '1', '3', '60', 0.6], [2, '1', '4', '10', 0.1]], '30'])
    await ledger(['2', '1', 30], ['1', '4', 50])
    assert.deepEqual([lifo(await ask('4'))[1], (await ask('4')).checks[1].lifo.unknown], [[2, '2', '1', null, null], '50'])
  })

  it('a token that rebases, and amounts out of all proportion, are not computed with', async () => {
    await ledger(['2', '1', 10], ['3', '1', 1, { amount: 2n ** 130n }], ['1', '4', 5])
    assert.deepEqual([(await ask('4')).trail[1].gap, told(await ask('4'))[1]?.slice(3, 5)], ['oversized', [null, null]])
    // At the address itself each is told by itself, and is not of what is traced.
    const most = 2n ** 256n - 1n
    await ledger(['7', '2', 10], ['2', '1', 10, { usd: 1_000 }], ['3', '1', 1, { amount: 2n ** 130n, usd: 5 }], ['2', '1', 1, { amount: most }], ['2', '1', 1, { amount: most }], ['c', '1', 1, { amount: most, token: 'a' }])
    for (const query of ['&hops=2', '&hops=3']) {
      const body = await ask('1', query)
      assert.deepEqual(body.trail.slice(0, 5).map((step: any) => [digitOf(step.from_address), step.amount, step.fifo, step.fifo_share, step.haircut, step.poison, step.gap, step.stopped_because]), [
        ['2', '10', '10', 1, '10', '10', null, null], ['3', `${2n ** 130n}`, null, null, null, '0', 'oversized', 'oversized'],
        ['c', `${most}`, null, null, null, '0', 'oversized', 'contract'], ['2', `${most}`, null, null, null, '0', 'oversized', 'oversized'], ['2', `${most}`, null, null, null, '0', 'oversized', 'oversized'],
      ])
      assert.deepEqual(body.traced.map((one: any) => [digitOf(one.token), one.amount, one.value_usd]), [['a', '0', null], ['f', '10', null]])
      assert.ok(body.origins.every((one: any) => one.poison_usd === null))
    }
  })
})

describe('taint where history is missing', function () {
  this.timeout(60_000)
  let service: Service
  before(async () => { service = await startService(); await seedBlocks(service.store, 50, 99); await seedMoves(service.store, [{ from: '2', to: '1', block: 60, amount: 10 }, { from: '1', to: '4', block: 61, amount: 10 }]) })
  after(() => service.stop())

  it('is unknown by FIFO and haircut, unless what is indexed is to be taken for all', async () => {
    const steps = async (query: string) => (await service.call(`GET /v1/wallets/trail/${account('4')}${query}`)).body.trail.map((step: any) => [step.fifo, step.haircut, step.poison, step.gap])
    assert.deepEqual(await steps(''), [['10', '10', '10', null], [null, null, '10', 'history']])
    assert.deepEqual(await steps('?assume_complete=true'), [['10', '10', '10', null], ['10', '10', '10', null]])
  })

  it('of many moves those are kept that poison most, and those that are not are counted', async () => {
    await service.store.execute('TRUNCATE TABLE address_transfers')
    await seedMoves(service.store, [
      { from: '3', to: '2', block: 50, amount: 1_000 }, { from: '2', to: '1', block: 51, amount: 5 }, { from: '1', to: '4', block: 52, amount: 5 },
      ...Array.from({ length: 120 }, (_, place): Move => ({ from: '2', to: '1', block: 60, amount: 1, position: place, tx: 1_000 + place })), { from: '1', to: '4', block: 61, amount: 100 },
    ])
    const told = async (query: string) => {
      const { trail, checks } = (await service.call(`GET /v1/wallets/trail/${account(query.slice(0, 1))}?hops=3${query.slice(1)}`)).body
      return [trail.map((step: any) => [step.hop, digitOf(step.from_address), digitOf(step.to_address), step.transfers, step.haircut, step.poison]), checks.map((check: any) => [check.hop, check.moves_not_carried])]
    }
    // What came to 2 in block 50 may be of what 1 sent on in block 52, and in block 61.
    assert.deepEqual(await told('4'), [[[1, '1', '4', 2, '105', '105'], [2, '2', '1', 121, null, '105'], [3, '3', '2', 1, null, '105']], [[1, 0], [2, 0], [3, 21]]])
    assert.deepEqual(await told('3&direction=destination'), [[[1, '3', '2', 1, '1000', '1000'], [2, '2', '1', 121, null, '1000'], [3, '1', '4', 2, null, '1000']], [[1, 0], [2, 0], [3, 21]]])
  })
})
