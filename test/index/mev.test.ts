import assert from 'node:assert/strict'
import { z } from 'zod'
import { findChain } from '../../schemas/chains.js'
import type { Store } from '../../schemas/clickhouse.js'
import { stateDigest } from '../../stages/digest/digest.js'
import { enrichStatements } from '../../stages/enrich/statements.js'
import { indexStatements } from '../../stages/index/statements.js'
import { normalizeEthereum } from '../../stages/normalize/ethereum/statements.js'
import { applyRollback } from '../../stages/rollback.js'
import type { ChainModule } from '../../stages/stage.js'
import { run } from '../enrich/handmade.js'
import { compareGolden } from '../support/golden.js'
import { insertRaw, recorded } from '../support/raw.js'
import { fillRegisters } from '../support/registered.js'
import { freshStore } from '../support/servers.js'

const extracted = indexStatements.map((group) => group.filter((sql) => ['mev_legs', 'mev'].includes(sql.writes))).filter((group) => group.length > 0)
const heights = [12914944, 15547621, 16899757, 17000000, 17053184, 18000000, 19426586, 20472570, 22431083, 22869878]

const load = async (): Promise<Store> => {
  const { store } = await freshStore()
  await fillRegisters(store)
  await insertRaw(store, heights, 0)
  for (const height of heights) await run(store, [...normalizeEthereum, ...enrichStatements, ...extracted], [[height, height]], 0, height)
  return store
}

const Find = z.object({ kind: z.string(), tx: z.string(), profit: z.string().nullable(), builder: z.string().nullable(), gross: z.number().nullable(), net: z.number().nullable(), complete: z.boolean(), loss: z.number().nullable() })
const findsAt = (store: Store, height: number) => store.query(`SELECT toString(kind) AS kind, lower(hex(tx_hash)) AS tx, toString(profit_amount) AS profit, toString(builder_payment) AS builder, gross_usd AS gross, net_usd AS net,
  internal_complete AS complete, victim_loss_usd AS loss FROM mev WHERE block_number = {height:UInt64} ORDER BY position`, { height }, Find)
const Row = z.record(z.string(), z.unknown())

describe('extracted value in recorded blocks', function () {
  this.timeout(180_000)
  let store: Store
  before(async () => { store = await load() })

  it('12914944: the two arbitrages that are known, after what was paid to the miner', async () => {
    const found = (await findsAt(store, 12914944)).filter((find) => find.kind === 'arbitrage')
    assert.deepEqual(found.map((find) => [find.tx, find.profit, find.builder]), [
      ['fcf4558f6432689ea57737fe63124a5ec39fd6ba6aaf198df13a825dd599bffc', '53560707941943273628', '48204637147748941824'],
      ['448245bf1a507b73516c4eeee01611927dada6610bf26d403012f2e66800d8f0', '750005273675102326', '712505009991347209'],
    ])
    assert.ok(found.every((find) => find.net !== null && find.gross !== null && find.net > 0 && find.net < find.gross))
  })

  it('22431083: a contract that trades both ways 83 transactions apart is two arbitrages and no sandwich', async () => {
    const found = await findsAt(store, 22431083)
    assert.ok(found.length > 0 && found.every((find) => find.kind === 'arbitrage'))
    assert.ok(found.every((find) => !find.complete && find.builder === null && find.net === null && find.gross !== null), 'without traces the builder\'s share is unknown, and so is the net')
  })

  it('22431083: nor is it one where inner calls are known', async () => {
    const { store: traced } = await freshStore()
    await fillRegisters(traced)
    await insertRaw(traced, [22431083], 0)
    await run(traced, [...normalizeEthereum, ...enrichStatements], [[22431083, 22431083]])
    await traced.execute('ALTER TABLE blocks UPDATE internal_complete = true WHERE true', {}, { mutations_sync: 1 })
    await run(traced, extracted, [[22431083, 22431083]])
    const [found, blind] = await Promise.all([findsAt(traced, 22431083), findsAt(store, 22431083)])
    assert.deepEqual(found.map(({ kind, tx, complete }) => [kind, tx, complete]), blind.map(({ kind, tx }) => [kind, tx, true]))
  })

  it('blocks in which strangers share a router hold no sandwich', async () => {
    for (const height of [15547621, 18000000, 20472570, 22869878]) assert.ok((await findsAt(store, height)).every((find) => find.kind !== 'sandwich'), String(height))
  })

  it('17000000: what the victim lost, worked out from the events of the pool', async () => {
    const pool = '0xac084df0969bd1e9bb8a2079cf317a30476210f6'
    const receipts = z.array(z.object({ logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string(), logIndex: z.coerce.number() })) })).parse(JSON.parse(recorded(17000000, 'receipts') ?? '[]'))
    const logs = receipts.flatMap((receipt) => receipt.logs).filter((log) => log.address === pool).sort((a, b) => a.logIndex - b.logIndex)
    const words = (data: string): bigint[] => (data.slice(2).match(/.{64}/g) ?? []).map((part) => BigInt(`0x${part}`))
    const syncs = logs.filter((log) => log.topics[0]?.startsWith('0x1c411e9a')).map((log) => words(log.data)), swaps = logs.filter((log) => log.topics[0]?.startsWith('0xd78ad95f')).map((log) => words(log.data))
    const [after, front, victim] = [syncs[0] ?? [], swaps[0] ?? [], swaps[1] ?? []]
    const at = (list: readonly bigint[], index: number): bigint => list[index] ?? 0n
    const into = at(front, 0) > 0n ? 0 : 1, out = 1 - into
    const [reserveIn, reserveOut] = [at(after, into) - at(front, into), at(after, out) + at(front, 2 + out)]
    const paid = at(victim, into) * 997n
    const fair = paid * reserveOut / (reserveIn * 1000n + paid)
    const [leg] = await store.query("SELECT toString(loss) AS loss, toString(amount_out) AS got FROM mev_legs WHERE block_number = 17000000 AND role = 'victim'", {}, z.object({ loss: z.string(), got: z.string() }))
    assert.deepEqual([leg?.got, leg?.loss], [at(victim, 2 + out).toString(), (fair - at(victim, 2 + out)).toString()])
  })

  it('17053184: tokens sold before and bought back after the victim, for less', async () => {
    const [found, ...others] = await findsAt(store, 17053184)
    assert.ok(found !== undefined && others.length === 0)
    assert.deepEqual([found.kind, found.profit, found.builder, found.complete], ['sandwich', '6983754935910742', '0', true])
    assert.ok(found.loss !== null && found.loss > 19 && found.loss < 21, String(found.loss))
  })

  it('19426586: a tax on transfers is no profit', async () => {
    const nets = await store.query('SELECT length(nets) AS tokens, profit_token = toFixedString(\'\', 20) AS money FROM mev WHERE block_number = 19426586', {}, z.object({ tokens: z.coerce.number(), money: z.coerce.boolean() }))
    assert.deepEqual(nets, [{ tokens: 1, money: true }])
  })

  it('every leg and find, row by row', async () => {
    const text = (table: string, order: string) => store.query(`SELECT lower(hex(SHA256(toString(tuple(* EXCEPT (generation)))))) AS digest, toString(kind) AS kind, block_number, lower(hex(mev_id)) AS id FROM ${table} ORDER BY ${order}`, {}, Row)
    const shown = await store.query(`SELECT block_number, toString(kind) AS kind, rule, grade, lower(hex(searcher)) AS searcher, arrayMap(t -> lower(hex(t)), tx_hashes) AS txs, legs, victims, losses_known,
      arrayMap(n -> (lower(hex(n.1)), toString(n.2)), nets) AS nets, toString(gas_cost) AS gas, toString(builder_payment) AS builder, round(gross_usd, 6) AS gross, round(net_usd, 6) AS net FROM mev ORDER BY block_number, position`, {}, Row)
    compareGolden('mev', [...shown, ...await text('mev_legs', 'block_number, mev_id, position, sub'), ...await text('mev', 'block_number, mev_id')].map((row) => JSON.stringify(row)))
  })

  it('a reorg takes back what it orphans, a replay brings the same state, a repeat nothing', async () => {
    const before = await stateDigest(store, 'ETH', 22869878)
    assert.ok(before.parts.some((part) => part.table === 'mev' && part.rows > 10) && before.parts.some((part) => part.table === 'mev_legs' && part.rows > 30))
    const again = await load()
    assert.deepEqual((await stateDigest(again, 'ETH', 22869878)).parts.filter((part) => part.table.startsWith('mev')), before.parts.filter((part) => part.table.startsWith('mev')))
    await run(again, extracted, heights.map((height) => [height, height] as const))
    assert.deepEqual((await stateDigest(again, 'ETH', 22869878)).parts.filter((part) => part.table.startsWith('mev')), before.parts.filter((part) => part.table.startsWith('mev')))
    await applyRollback(again, { chain: findChain('ETH') } as ChainModule, { seq: 1, from_block: 17000000, generation: 1 }, { always: true })
    const left = await again.query('SELECT DISTINCT n FROM (SELECT block_number AS n FROM mev UNION ALL SELECT block_number AS n FROM mev_legs) ORDER BY n', {}, z.object({ n: z.coerce.number() }))
    assert.deepEqual(left.map(({ n }) => n), [12914944, 15547621, 16899757])
  })
})
