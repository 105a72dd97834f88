/** The rules on hand-made ledgers: who is a deposit address and who only looks like one; runs repeat, and follow a rollback. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { findChain } from '../../schemas/chains.js'
import { applyRollback } from '../../stages/rollback.js'
import type { ChainModule } from '../../stages/stage.js'
import { deriveLabels } from '../../stages/index/classes/deriveLabels.js'
import { at, coin, majors, putBlocks, putLogs, putMoves, putTokens, units, usdc, word, type Move } from '../enrich/handmade.js'
import { freshStore } from '../support/servers.js'
import { pass } from './segments.js'

const customer = at('c0')
const hotA = at('a0'), coldA = at('a1'), hotB = at('b0'), shop = at('50'), fake = at('fe')
/** Two hours in blocks of twelve seconds; a day is 7,200. */
const hours = (count: number): number => count * 300
const Standing = z.object({ address: z.string(), label: z.string(), rule: z.string(), rows: z.coerce.number(), first: z.coerce.number(), facts: z.record(z.string(), z.string()) })
const standing = (store: Store, rule: string) => store.query(`SELECT address, label, toString(rule) AS rule, evidence_rows AS rows, first_block AS first, facts FROM derived_labels WHERE chain = 'ETH' AND rule = {rule:String} AND NOT cut ORDER BY address`, { rule }, Standing)
const actions = (store: Store, version: number) => store.query('SELECT concat(toString(action), \' \', address, \' \', label) AS text FROM label_changes WHERE source = \'rules\' AND version = {version:UInt64} ORDER BY text', { version }, z.object({ text: z.string() }))

const fresh = async (): Promise<Store> => {
  const { store } = await freshStore()
  await putTokens(store, [...majors, { address: fake, symbol: 'FAKE', decimals: 18, source: 'node' }])
  await store.insert('labels', [[hotA, 'Alpha: hot', 'alpha'], [coldA, 'Alpha: cold', 'alpha'], [hotB, 'Beta: hot', 'beta']].map(([address, label, entity]) => (
    { chain: 'ETH', address, label, entity, category: 'exchange', source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: 1 })))
  await store.execute('SYSTEM RELOAD DICTIONARY label_of')
  return store
}
/** Movements of dollars, each in the block and at the position it is given. */
const usd = (n: number, from: string, to: string, amount: number, more: Partial<Move> = {}): Move => ({ n, position: 0, token: usdc, from, to, amount: units(amount, 6), ...more })
const ledger = async (store: Store, moves: readonly Move[]): Promise<void> => {
  const counts = new Map<number, number>()
  const placed = moves.map((move) => { const position = counts.get(move.n) ?? 0; counts.set(move.n, position + 1); return { ...move, position } })
  const heights = [...new Set(placed.map(({ n }) => n))].sort((a, b) => a - b)
  for (const height of heights) await putBlocks(store, height, height)
  await putMoves(store, placed)
  await pass(store, [[Math.min(...heights), Math.max(...heights)]])
}

describe('classes of addresses', function () {
  this.timeout(120_000)

  it('a deposit address sends what it gets to one exchange within a day, and nowhere else', async () => {
    const store = await fresh()
    const [good, twice, gas] = [at('d1'), at('d2'), at('d3')]
    const [two, late, other, part, spoofed, blank, more, named] = [at('e1'), at('e2'), at('e3'), at('e4'), at('e5'), at('e6'), at('e7'), hotB]
    await ledger(store, [
      // Forwards all of it, to either wallet of one exchange.
      usd(1, customer, good, 1000), usd(2, good, hotA, 1000),
      usd(1, customer, twice, 500), usd(3, twice, hotA, 500), usd(hours(30), customer, twice, 700), usd(hours(30) + 1, twice, coldA, 690),
      // Coin for gas that stays behind is no reason against it.
      usd(1, customer, gas, 300), { ...usd(1, hotA, gas, 0), token: coin, kind: 'native', amount: units(0.01, 18) }, usd(5, gas, hotB, 300),
      // Two exchanges.
      usd(1, customer, two, 1000), usd(2, two, hotA, 500), usd(3, two, hotB, 500),
      // Later than a day.
      usd(1, customer, late, 1000), usd(hours(25), late, hotA, 1000),
      // Somebody else gets a part.
      usd(1, customer, other, 1000), usd(2, other, hotA, 950), usd(3, other, shop, 50),
      // Only half is forwarded.
      usd(1, customer, part, 1000), usd(2, part, hotA, 500),
      // A stranger's token says that it sent elsewhere: not believed, so it stays a deposit address.
      usd(1, customer, spoofed, 1000), usd(2, spoofed, hotA, 1000), { ...usd(3, spoofed, shop, 0), token: fake, amount: units(5, 18) },
      // Nothing but a transfer of nothing.
      usd(2, blank, hotA, 0), usd(1, customer, blank, 10),
      // Sends more than it was seen to get: it had some before.
      usd(1, customer, more, 100), usd(2, more, hotA, 1000),
      // An address with a name is not judged.
      usd(4, named, hotA, 10),
    ])
    await deriveLabels(store, 'ETH')
    const found = await standing(store, 'exchange_deposit')
    assert.deepEqual(found.map(({ address, label, rows }) => [address, label, rows]), [[good, 'alpha: deposit', 1], [twice, 'alpha: deposit', 2], [gas, 'beta: deposit', 1], [spoofed, 'alpha: deposit', 1]])
    assert.deepEqual(found[1]?.facts, { tokens_forwarded: '1', forwards: '2', received: '2', least_share: '0.9917', most_share: '0.9917', longest_wait_seconds: '24' })
  })

  it('hot wallets pay many, cold ones only their own', async () => {
    const store = await fresh()
    await ledger(store, [
      ...Array.from({ length: 10 }, (_, i) => usd(2, hotA, at(`f${i}`), 10)), ...Array.from({ length: 9 }, (_, i) => usd(2, hotB, at(`f${i}`), 10)),
      usd(1, hotA, coldA, 2_000_000), usd(3, coldA, hotA, 5),
    ])
    await deriveLabels(store, 'ETH')
    assert.deepEqual((await standing(store, 'exchange_hot')).map(({ address, label, facts }) => [address, label, facts['addresses_paid']]), [[hotA, 'alpha: hot wallet', '10']])
    assert.deepEqual((await standing(store, 'exchange_cold')).map(({ address, facts }) => [address, facts['received'], facts['paid_to_own']]), [[coldA, '1', '1']])
  })

  /** What readers of many addresses find, against the changes themselves. */
  const agree = async (store: Store): Promise<void> => {
    const [one, other] = await Promise.all(['rule_labels_now', 'derived_labels WHERE NOT cut'].map((from) => store.query(`SELECT address, label, entity, toString(category) AS category, confidence FROM ${from} ORDER BY ALL`, {}, z.looseObject({ address: z.string() }))))
    assert.deepEqual(one, other)
  }

  it('tell no dollars of which a part is not known, and judge by those that are', async () => {
    const store = await fresh(), [unpriced, priced] = [at('d1'), at('d2')]
    const coins = (n: number, from: string, to: string): Move => ({ ...usd(n, from, to, 0), token: coin, kind: 'native', amount: units(1, 18) })
    await ledger(store, [
      coins(1, customer, unpriced), coins(2, unpriced, hotA), usd(1, customer, priced, 1000), usd(2, priced, hotA, 1000),
      ...Array.from({ length: 10 }, (_, i) => usd(2, hotA, at(`f${i}`), 10)), coins(3, hotA, at('f0')), ...Array.from({ length: 10 }, (_, i) => usd(2, hotB, at(`f${i}`), 10)),
      usd(1, hotA, coldA, 2_000_000), coins(3, customer, coldA),
    ])
    await deriveLabels(store, 'ETH')
    const told = await store.query("SELECT toString(rule) AS rule, address, round(value_usd) AS usd FROM derived_labels WHERE chain = 'ETH' AND startsWith(rule, 'exchange_') ORDER BY rule, address", {}, z.object({ rule: z.string(), address: z.string(), usd: z.number().nullable() }))
    assert.deepEqual(told.map(({ rule, address, usd: dollars }) => [rule, address, dollars]), [
      ['exchange_cold', coldA, null], ['exchange_deposit', unpriced, null], ['exchange_deposit', priced, 1000], ['exchange_hot', hotA, null], ['exchange_hot', hotB, 100],
    ])
  })

  it('what one sends to oneself makes no whale, fresh or cold wallet; who signs is no contract, though it emits logs', async () => {
    const store = await fresh(), signer = at('ee')
    await ledger(store, [...[1, 2, 3, 4, 5, 6].map((n) => usd(n, signer, signer, 2_000_000)), usd(7, coldA, coldA, 2_000_000)])
    await putLogs(store, [signer, shop].map((address, place) => ({ n: 1, log: 90 + place, address, topics: [word(18n)] })))
    await deriveLabels(store, 'ETH')
    const found = async (): Promise<Record<string, string[]>> => Object.fromEntries(await Promise.all(['whale', 'fresh_wallet', 'exchange_cold', 'contract'].map(async (rule) => [rule, (await standing(store, rule)).map(({ address }) => address)] as const)))
    assert.deepEqual(await found(), { whale: [], fresh_wallet: [], exchange_cold: [], contract: [shop] })
    await ledger(store, [usd(8, customer, signer, 12_000_000), usd(9, customer, coldA, 2_000_000)])
    await deriveLabels(store, 'ETH')
    assert.deepEqual(await found(), { whale: [signer], fresh_wallet: [signer], exchange_cold: [coldA], contract: [shop] })
  })

  it('what a token that no list names is worth by its maker\'s pool makes no whale and no fresh wallet', async () => {
    const store = await fresh(), signer = at('ee'), made = { token: at('ff'), amount: units(24_000_000, 6) }
    await ledger(store, [1, 2].map((n) => ({ ...usd(n, customer, signer, 0), ...made })))
    await store.execute('INSERT INTO transfers SELECT * REPLACE (24000000 AS value_usd, toUInt32(sub + 9) AS sub) FROM transfers WHERE token = unhex({made:String})', { made: made.token.slice(2) })
    const found = async (): Promise<string[][]> => Promise.all(['whale', 'fresh_wallet'].map(async (rule) => (await standing(store, rule)).map(({ address }) => address)))
    await deriveLabels(store, 'ETH')
    assert.deepEqual(await found(), [[], []])
    await ledger(store, [usd(3, customer, signer, 12_000_000)])
    await deriveLabels(store, 'ETH')
    assert.deepEqual(await found(), [[signer], [signer]])
  })

  it('whom a register names is no whale, whatever it calls him', async () => {
    const store = await fresh(), signer = at('ee')
    for (const [index, category] of ['gambling', 'unknown'].entries()) {
      await store.insert('labels', [{ chain: 'ETH', address: signer, label: 'Some House', entity: '', category, source: 'test', rule: '', confidence: 90, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: false, version: index + 1 }])
      await store.execute('SYSTEM RELOAD DICTIONARY label_of')
      await ledger(store, [usd(index + 1, customer, signer, 12_000_000)])
      await deriveLabels(store, 'ETH')
      assert.deepEqual(await standing(store, 'whale'), [], category)
    }
  })

  it('a run that has nothing new notes nothing; what no longer holds is taken back; a reorg cuts at once what rested on lost blocks', async () => {
    const store = await fresh()
    const deposit = at('d1')
    await ledger(store, [usd(1, customer, deposit, 1000), usd(4, deposit, hotA, 1000)])
    assert.equal((await deriveLabels(store, 'ETH')).ran, true)
    assert.deepEqual((await actions(store, 1)).map(({ text }) => text), [`added ${deposit} alpha: deposit`])
    assert.equal((await deriveLabels(store, 'ETH')).ran, false)
    assert.equal((await deriveLabels(store, 'ETH', { always: true })).changes, 0)
    const module = { chain: { ...findChain('ETH'), segmentBlocks: 8 } } as ChainModule
    await applyRollback(store, module, { seq: 9, from_block: 4, generation: 1 }, { always: true })
    assert.deepEqual(await standing(store, 'exchange_deposit'), [])
    await agree(store)
    // The same forward comes again in another block of that height: found again, with new evidence.
    await putBlocks(store, 4, 4, 1, 'b')
    await putMoves(store, [{ ...usd(4, deposit, hotA, 1000), generation: 1, fork: 'b' }])
    await pass(store, [[4, 4]], 1)
    assert.deepEqual(await standing(store, 'exchange_deposit'), [])
    await agree(store)
    const third = await deriveLabels(store, 'ETH')
    assert.deepEqual((await actions(store, third.version)).map(({ text }) => text), [`changed ${deposit} alpha: deposit`])
    assert.equal((await standing(store, 'exchange_deposit')).length, 1)
    await agree(store)
    // Now it pays somebody else, too.
    await ledger(store, [usd(6, deposit, shop, 1)])
    const fourth = await deriveLabels(store, 'ETH')
    assert.deepEqual((await actions(store, fourth.version)).map(({ text }) => text), [`removed ${deposit} alpha: deposit`])
    assert.deepEqual(await standing(store, 'exchange_deposit'), [])
    await agree(store)
  })

  it('slice by slice the rules find what they find at once, and take back what no longer holds; a worker that ends leaves the rest to the next run at once', async () => {
    const store = await fresh(), sixteen = (tail: string) => Array.from({ length: 16 }, (_, i) => `0x${i.toString(16)}${tail}`.padEnd(42, '0')), deposits = sixteen('d'), emitters = sixteen('c')
    await ledger(store, deposits.flatMap((deposit) => [usd(1, customer, deposit, 1000), usd(4, deposit, hotA, 1000)]))
    await putLogs(store, emitters.map((address, i) => ({ n: 1, log: i, address, topics: [word(1n)] })))
    // 16 logs and 64 rows of movements by address: four slices.
    const told: string[] = [], sliced = { always: true, rowsEach: 25, tell: (line: string) => { told.push(line) } }, names: string[] = []
    const noting: Store = { ...store, execute: (sql, params, settings) => { names.push(`${typeof sql === 'string' ? '' : sql.name} ${String(params?.['first'] ?? '').slice(0, 2)}`); return store.execute(sql, params, settings) } }
    // With the three labels of registers.
    assert.equal((await deriveLabels(noting, 'ETH', sliced)).changes, 35)
    assert.deepEqual(names.filter((name) => name.startsWith('contract')), ['contract 00', 'contract 40', 'contract 80', 'contract c0'])
    assert.deepEqual(told.filter((line) => line.startsWith('contract') || line.startsWith('whale')), ['contract, 1 of 4', 'contract, 2 of 4', 'contract, 3 of 4', 'contract, 4 of 4', 'whale, 1 of 1'])
    assert.deepEqual((await standing(store, 'exchange_deposit')).map(({ address }) => address), deposits)
    assert.deepEqual((await standing(store, 'contract')).map(({ address }) => address), emitters)
    await agree(store)
    assert.equal((await deriveLabels(store, 'ETH', { always: true })).changes, 0)
    // Every other one pays somebody else, too.
    await ledger(store, deposits.filter((_, i) => i % 2 === 0).map((deposit) => usd(6, deposit, shop, 1)))
    const ending = new AbortController()
    const left: Store = { ...store, execute: (sql, params, settings) => { if (params?.['first'] === '8'.padEnd(40, '0')) ending.abort(); return store.execute(sql, params, settings) } }
    await assert.rejects(deriveLabels(left, 'ETH', { ...sliced, ending: ending.signal }), { code: 'WORKER_ENDING' })
    assert.equal((await deriveLabels(store, 'ETH', sliced)).changes, 8)
    assert.deepEqual((await standing(store, 'exchange_deposit')).map(({ address }) => address), deposits.filter((_, i) => i % 2 === 1))
    await agree(store)
    assert.equal((await deriveLabels(store, 'ETH', { always: true })).changes, 0)
  })

  it('a worker that ends in a rest of the run begins no statement of it any more', async () => {
    const store = await fresh(), ending = new AbortController(), run: string[] = []
    // A rest is over where the worker ends, and what waited for it is asked then: here the look whether the run is still its own, of the second statement.
    const left: Store = {
      ...store,
      query: (sql, params, row) => { if (run.length > 0) ending.abort(); return store.query(sql, params, row) },
      execute: (sql, params, settings) => { if (typeof sql !== 'string') run.push(sql.name); return store.execute(sql, params, settings) },
    }
    await assert.rejects(deriveLabels(left, 'ETH', { ending: ending.signal }), { code: 'WORKER_ENDING' })
    assert.deepEqual(run, ['changes_registers'])
    assert.equal((await deriveLabels(store, 'ETH')).ran, true)
  })

  it('a worker that ends in the middle of a statement has the server give it up, and leaves the way free', async () => {
    const store = await fresh(), ending = new AbortController(), run: string[] = []
    const slow: Store = { ...store, execute: (sql, params, settings) => {
      if (typeof sql === 'string' || sql.name !== 'contract') return store.execute(sql, params, settings)
      run.push(sql.name)
      setTimeout(() => { ending.abort() }, 500)
      return store.execute('INSERT INTO label_candidates (version) SELECT 9 FROM numbers(6000) WHERE sleepEachRow(0.1) = 0 SETTINGS max_block_size = 1', params, settings)
    } }
    await assert.rejects(deriveLabels(slow, 'ETH', { ending: ending.signal }), { code: 'WORKER_ENDING' })
    assert.deepEqual(run, ['contract'])
    assert.equal((await deriveLabels(store, 'ETH')).ran, true)
  })

  it('two runs at once: one does it, the other is told; a run that failed leaves the way free', async () => {
    const store = await fresh()
    await ledger(store, [usd(1, customer, at('d1'), 1000), usd(4, at('d1'), hotA, 1000)])
    const runs = await Promise.allSettled([deriveLabels(store, 'ETH'), deriveLabels(store, 'ETH'), deriveLabels(store, 'ETH')])
    assert.ok(runs.some(({ status }) => status === 'fulfilled'))
    for (const run of runs) if (run.status === 'rejected') assert.equal((run.reason as { code: string }).code, 'LABELS_BUSY')
    const [count] = await store.query('SELECT count() AS count FROM label_changes WHERE source = \'rules\'', {}, z.object({ count: z.coerce.number() }))
    assert.equal(count?.count, 1)
    await store.execute('RENAME TABLE address_transfers TO away')
    await assert.rejects(deriveLabels(store, 'ETH', { always: true }))
    await store.execute('RENAME TABLE away TO address_transfers')
    assert.equal((await deriveLabels(store, 'ETH', { always: true })).ran, true)
    // One that died after it had begun, before the clock was set back by an hour.
    const version = 3, begun = (ahead: number, attempt: number) => store.insert('label_runs', [{ chain: 'ETH', version, step: 'begun', attempt, writer: 'dead', height: 0, epoch: 0, basis: '', changes: 0, at: new Date(Date.now() + ahead).toISOString() }])
    await begun(60_000, 1)
    await assert.rejects(deriveLabels(store, 'ETH', { always: true }), { code: 'LABELS_BUSY' })
    await begun(3_600_000, 2)
    assert.equal((await deriveLabels(store, 'ETH', { always: true })).version, version)
    await agree(store)
  })

  it('what a run changed and did not bring to readers, the next one brings', async () => {
    const store = await fresh()
    await ledger(store, [usd(1, customer, at('d1'), 1000), usd(4, at('d1'), hotA, 1000)])
    await store.execute('RENAME TABLE rule_labels TO away')
    await assert.rejects(deriveLabels(store, 'ETH'))
    await store.execute('RENAME TABLE away TO rule_labels')
    await deriveLabels(store, 'ETH')
    assert.equal((await standing(store, 'exchange_deposit')).length, 1)
    await agree(store)
  })

  it('what an attempt noted that did not land, the one after it may note otherwise under the same version: the later counts', async () => {
    const store = await fresh(), deposits = Array.from({ length: 8 }, (_, i) => at(`d${i}`)), named = Array.from({ length: 8 }, (_, i) => at(`7${i}`))
    const says = (category: string, version: number, removed: (i: number) => boolean = () => false) => store.insert('labels', named.map((address, i) => (
      { chain: 'ETH', address, label: 'L', entity: '', category, source: 'import:mine', rule: '', confidence: 50, licence: '', valid_from: '2020-01-01T00:00:00Z', removed: removed(i), version })))
    const said = () => store.query("SELECT c.address AS address, concat(toString(c.version), ' ', toString(c.action), ' ', c.category) AS text FROM label_changes AS c WHERE c.source = 'import:mine' ORDER BY address, c.version, c.at", {}, z.object({ address: z.string(), text: z.string() }))
    await ledger(store, deposits.flatMap((deposit) => [usd(1, customer, deposit, 1000), usd(4, deposit, hotA, 1000)]))
    await says('mixer', 1)
    await store.execute('RENAME TABLE rule_labels TO away')
    await assert.rejects(deriveLabels(store, 'ETH'))
    await store.execute('RENAME TABLE away TO rule_labels')
    // The pack is corrected, and half of the deposit addresses pay somebody else.
    await says('fund', 2, (i) => i < 4)
    await ledger(store, deposits.slice(0, 4).map((deposit) => usd(6, deposit, shop, 1)))
    assert.equal((await deriveLabels(store, 'ETH')).version, 1)
    assert.deepEqual((await said()).map(({ text }) => text), named.flatMap((_, i) => ['1 added mixer', i < 4 ? '1 removed fund' : '1 changed fund']))
    assert.deepEqual((await standing(store, 'exchange_deposit')).map(({ address }) => address), deposits.slice(4))
    await agree(store)
    assert.equal((await deriveLabels(store, 'ETH', { always: true })).changes, 0, 'nothing is said otherwise than it was')
  })

  it('goes on after a killed ClickHouse came back with the tokens of a run alone', async () => {
    const store = await fresh()
    await ledger(store, [usd(1, customer, at('d1'), 1000), usd(4, at('d1'), hotA, 1000)])
    await deriveLabels(store, 'ETH')
    await store.execute('DELETE FROM label_runs WHERE 1')
    assert.deepEqual([await deriveLabels(store, 'ETH'), await deriveLabels(store, 'ETH')].map(({ version, ran }) => [version, ran]), [[1, true], [1, false]])
    await agree(store)
  })

  it('a run that was slow until another took over writes no changes', async () => {
    const store = await fresh()
    await ledger(store, [usd(10, customer, hotA, 500)])
    let rules = 0
    const slow: Store = { ...store, execute: async (sql, params, settings) => {
      const name = typeof sql === 'string' ? sql : sql.name
      if (name.includes('changes_rules')) rules++
      if (name.includes('changes_registers')) await store.insert('label_runs', [{ chain: 'ETH', version: 1, step: 'begun', attempt: 2, writer: 'other', height: 0, epoch: 0, basis: '', changes: 0, at: new Date().toISOString() }])
      return store.execute(sql, params, settings)
    } }
    await assert.rejects(deriveLabels(slow, 'ETH'), { code: 'LABELS_BUSY' })
    assert.equal(rules, 0)
    assert.deepEqual(await store.query("SELECT toFloat64(count()) AS landed FROM label_runs WHERE step = 'landed'", {}, z.object({ landed: z.number() })), [{ landed: 0 }])
  })
})
