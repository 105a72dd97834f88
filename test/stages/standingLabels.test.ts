/** Labels of rules, and lists of segments, stand where no deletion after them reaches what they rest on; each is compared with one place, however many deletions there were. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Params, Store } from '../../schemas/clickhouse.js'
import { loadSql } from '../../schemas/sql.js'
import { dice, ledgerOf, type Landing } from '../support/randomLedgers.js'
import { freshStore } from '../support/servers.js'

const sql = (file: string) => loadSql(new URL('../../api/operations/x', import.meta.url).href, file)
const any = z.record(z.string(), z.unknown())
const segmentBlocks = 4

interface Deletion { readonly chain: string; readonly seq: number; readonly from: number; readonly generation: number; readonly epoch: number }
interface Said { readonly chain: string; readonly address: string; readonly label: string; readonly category: string; readonly epoch: number; readonly last: number; readonly removed: boolean }

/** Deletions as the rollbacks of a plan make them: some twice, as a run that died left them. */
const deletionsOf = (chain: string, seed: number, ends: readonly { readonly seq: number; readonly from: number; readonly generation: number }[]): Deletion[] => {
  const roll = dice(seed)
  return ends.flatMap((end) => (roll(4) === 0 ? [end, end] : [end])).map(({ seq, from, generation }, index) => ({ chain, seq, from, generation, epoch: index + 1 }))
}
const address = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`
const saidOf = (chain: string, seed: number, deletions: number): Said[] => {
  const roll = dice(seed)
  return Array.from({ length: 60 }, (_, index) => {
    const [category, label] = ([['whale', 'whale'], ['exchange_deposit', 'House: deposit']] as const)[roll(2)] ?? assert.fail()
    return { chain, address: address(1_000 * seed + index), label, category, epoch: roll(deletions + 1), last: roll(72), removed: roll(12) === 0 }
  })
}

const put = async (store: Store, said: readonly Said[]): Promise<void> => {
  await store.insert('label_changes', said.map(({ chain, address: who, label, category, epoch, last, removed }) => ({ chain, address: who, source: 'rules', label, version: 1, action: removed ? 'removed' : 'added', at: '2026-01-01T00:00:00Z', entity: category === 'whale' ? '' : 'House', category, rule: category, epoch, last_block: last })))
  await store.execute("INSERT INTO rule_labels SELECT chain, address, label, version, action = 'removed', entity, category, confidence, valid_from, epoch, last_block FROM label_changes WHERE source = 'rules'")
}
/** What comes to each, whatever is said of it. */
const paid = (store: Store, chain: string, addresses: readonly string[]): Promise<unknown> => store.execute(`INSERT INTO address_transfers (chain, address, block_number, kind, direction, block_time, other, amount, value_usd)
  SELECT {chain:String}, unhex(substring(who, 3)), 5, 'erc20', 'in', toDateTime64('2026-01-01 10:01:00', 3, 'UTC'), unhex(repeat('ff', 20)), 1, place FROM (SELECT {addresses:Array(String)} AS all) ARRAY JOIN all AS who, arrayEnumerate(all) AS place`, { chain, addresses: [...addresses] })
const deleted = (store: Store, deletions: readonly Deletion[]): Promise<void> => store.insert('rollbacks_applied', deletions.map(({ from, ...one }) => ({ ...one, from_block: from, step: 'deleted', rows_deleted: 0, writer: 'w' })))
const owned = (store: Store, chains: readonly string[]): Promise<unknown> => store.execute(`INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version)
  SELECT arrayJoin({chains:Array(String)}), concat('0x', repeat('ee', 20)), 'x', 'House', 'exchange', 'test', '', 80, now64(3), 1`, { chains: [...chains] }).then(() => store.execute('SYSTEM RELOAD DICTIONARY label_of'))

const readers = (chain: string): readonly (readonly [string, Params])[] => [
  [`SELECT address, label, cut FROM derived_labels WHERE chain = {chain:String} AND NOT cut ORDER BY ALL`, { chain }],
  ['SELECT * FROM rule_labels_now WHERE chain = {chain:String} ORDER BY ALL', { chain }],
  ["SELECT address FROM addresses_by_rule(chain = {chain:String}, label = 'whale', run = 1) ORDER BY ALL", { chain }],
  [`${sql('labels/readByRules.sql').text} ORDER BY ALL`, { chain, addresses: Array.from({ length: 60 }, (_, index) => address(1_000 * (Number(chain.slice(1)) + 1) + index)) }],
  [sql('entities/getEntity.sql').text, { chain, name: 'house' }],
  [sql('entities/listEntityAddresses.sql').text, { chain, name: 'house', found: 0, after_chain: '', after_label: '', after: '', limit: 100 }],
  [sql('dashboard/listExchangeFlowsNow.sql').text, { chain, first: 0, newest: 10, from: 0, limit: 10 }],
]

/** Segments of a span whose list does not stand for them, as topCut.sql has it. */
const cutOf = (first: number, newest: number, lists: readonly { readonly segment: number; readonly epoch: number; readonly batches: number }[], landings: readonly Landing[], deletions: readonly Deletion[]): number[] => {
  const reach = (one: Deletion): number => Math.max(one.from, first), near = deletions.filter(({ from }) => from <= newest)
  const [low, high] = [Math.floor(first / segmentBlocks), Math.floor(newest / segmentBlocks)]
  return Array.from({ length: high - low + 1 }, (_, index) => low + index).filter((segment) => {
    const list = lists.find((one) => one.segment === segment), end = (segment + 1) * segmentBlocks
    const touching = landings.filter(({ from, to }) => from <= newest && from < end && to >= segment * segmentBlocks)
    const count = (stage: string, standing: boolean): number => touching.filter((one) => one.stage === stage && (!standing || !near.some((end) => end.generation > one.generation && reach(end) <= one.to))).length
    return segment * segmentBlocks < first || end > newest + 1 || list === undefined || list.epoch < Math.max(0, ...near.filter((one) => reach(one) < end).map(({ epoch }) => epoch))
      || list.batches < count('enrich', false) || count('index', true) < count('enrich', true)
  })
}

describe('what stands of what was computed from a ledger', function () {
  this.timeout(60_000)
  const chains = Array.from({ length: 8 }, (_, index) => `C${index}`), ledgers = chains.map((chain, index) => ledgerOf(chain, index + 1, [0, 5, 15, 30][index % 4] ?? 0))
  const deletions = chains.map((chain, index) => deletionsOf(chain, index + 100, (ledgers[index]?.plan ?? []).filter(({ kind }) => kind === 'rollback')))

  it('are the labels that no later deletion reaches, as if the others had never been found', async () => {
    const said = chains.map((chain, index) => saidOf(chain, index + 1, deletions[index]?.length ?? 0)).flat()
    const standing = said.filter((one) => !deletions.flat().some((end) => end.chain === one.chain && end.epoch > one.epoch && end.from <= one.last))
    assert.ok(deletions.flat().length > 50 && standing.length > 100 && standing.length < said.length - 100, `${deletions.flat().length} deletions, ${standing.length} labels stand of ${said.length}`)
    const [whole, left] = [(await freshStore()).store, (await freshStore()).store]
    for (const store of [whole, left]) {
      await owned(store, chains)
      for (const chain of chains) await paid(store, chain, said.filter((one) => one.chain === chain).map((one) => one.address))
    }
    await put(whole, said)
    await deleted(whole, deletions.flat())
    await put(left, standing)
    let rows = 0
    for (const chain of chains) {
      for (const [text, params] of readers(chain)) {
        const [told, all] = await Promise.all([whole, left].map((store) => store.query(text, params, any)))
        assert.deepEqual(told, all, `${chain}: ${text}`)
        rows += (all ?? []).length
      }
    }
    assert.ok(rows > 200, `${rows} rows`)
    assert.deepEqual(await whole.query('SELECT toUInt32(countIf(cut)) AS cut, toUInt32(count()) AS labels FROM derived_labels', {}, any),
      [{ cut: said.filter((one) => !one.removed && !standing.includes(one)).length, labels: said.filter(({ removed }) => !removed).length }])
    // Of an address alone its own rows are read.
    const plan = (await whole.query('EXPLAIN indexes = 1 SELECT * FROM derived_labels WHERE chain = {chain:String} AND address = {address:String}', { chain: 'C3', address: address(4_000) }, z.object({ explain: z.string() }))).map(({ explain }) => explain).join('\n')
    assert.match(plan, /Keys:\s+│?\s*chain\s+│?\s*address/)
  })

  it('are the lists of segments that saw every deletion and batch of theirs', async () => {
    const { store } = await freshStore(), landings = ledgers.flatMap((ledger) => ledger.landings), roll = dice(7)
    const lists = chains.flatMap((chain, index) => Array.from({ length: 18 }, (_, segment) => ({ chain, segment, epoch: Math.max(0, (deletions[index]?.length ?? 0) - roll(3)), batches: 4 + roll(20) })))
    await deleted(store, deletions.flat())
    await store.insert('batches', landings.map(({ chain, stage, from, to, generation }) => ({ chain, stage, from_block: from, to_block: to, hash: 'x', generation, rows: 1, bytes: 1, milliseconds: 1, endpoint: '', finished_at: '2026-01-01T00:00:00Z' })))
    await store.insert('top_segments', lists.map(({ chain, segment, epoch, batches }) => ({ chain, segment, version: String(epoch * 2 ** 32 + batches), counted_as: 2 })))
    let [kept, cut] = [0, 0]
    for (const [index, chain] of chains.entries()) {
      for (const [first, newest] of [[0, 71], [9, 50], [24, 47], [0, 7], [33, 70]] as const) {
        const expected = cutOf(first, newest, lists.filter((one) => one.chain === chain), landings.filter((one) => one.chain === chain), deletions[index] ?? [])
        const [told] = await store.query(sql('wallets/topCut.sql'), { chain, first, newest, segmentBlocks }, z.object({ cut: z.array(z.coerce.number()) }))
        assert.deepEqual(told?.cut.sort((a, b) => a - b), expected, `${first}…${newest} of ${chain}`)
        cut += expected.length
        kept += Math.floor(newest / segmentBlocks) - Math.floor(first / segmentBlocks) + 1 - expected.length
      }
    }
    assert.ok(kept > 30 && cut > 30, `${kept} kept, ${cut} cut`)
  })

  it('is found with one comparison for each row: memory for all deletions beside each is not needed', async () => {
    const { store } = await freshStore(), room = { max_memory_usage: String(128 << 20), max_threads: 1 } as const
    await owned(store, ['C1'])
    await store.execute("INSERT INTO rollbacks_applied (chain, seq, from_block, generation, step, epoch, rows_deleted, writer) SELECT 'C1', number, number * 10, number + 1, 'deleted', number + 1, 0, 'w' FROM numbers(3000)")
    await store.execute(`INSERT INTO label_changes (chain, address, source, label, version, action, entity, category, rule, epoch, last_block)
      SELECT 'C1', concat('0x', leftPad(lower(hex(number)), 40, '0')), 'rules', if(number % 2, 'whale', 'House: deposit'), 1, 'added', if(number % 2, '', 'House'), if(number % 2, 'whale', 'exchange_deposit') AS class, class, intDiv(number, 10), number FROM numbers(30000)`)
    await store.execute("INSERT INTO rule_labels SELECT chain, address, label, version, action = 'removed', entity, category, confidence, valid_from, epoch, last_block FROM label_changes WHERE source = 'rules'")
    await store.execute("INSERT INTO batches (chain, stage, from_block, to_block, generation) SELECT 'C1', arrayJoin(['enrich', 'index']), number, number, intDiv(number, 10) FROM numbers(30000)")
    for (const [text, params] of [...readers('C1'), [sql('wallets/topCut.sql').text, { chain: 'C1', first: 0, newest: 29_999, segmentBlocks: 100 }] as const]) await store.query(text, params, any, room)
  })
})
