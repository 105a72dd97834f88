import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readArguments } from '../../scripts/bench/arguments.js'
import { peersBar, peersSection } from '../../scripts/bench/peers/report.js'
import { countOurs, countTheirs, differences, totalOf, type Persisted } from '../../scripts/bench/peers/counts.js'
import { findPostgres } from '../../scripts/bench/peers/postgres.js'
import type { PeerResult } from '../../scripts/bench/peers/run.js'
import { freshStore } from '../support/servers.js'

const ours: Persisted = { rows: { blocks: 10, transactions: 100, logs: 300, transfers: 90 }, amount: '12345' }
const measured = (rows: Persisted, seconds: number, name = 'SQD, columns'): PeerResult =>
  ({ name, settings: 'as it comes', figure: { blocks: 10, seconds, persisted: rows, differences: differences(ours, rows), cpu: { peer: 1, postgres: 1 }, peak: 1, othersShare: 0 } })
const backfill = (...results: PeerResult[]) => ({
  blocks: 10, seconds: 2, othersShare: 0, limitSeconds: 1, limitRows: 1, megabytes: 1, rows: {}, workerPeak: 1, apiPeak: 1, cpu: { worker: 1, clickhouse: 1 }, clickhouse: '', stages: [],
  peers: { postgres: '15', postgresSettings: 'fsync=off', ours, results },
})

describe('bench: peers', () => {
  it('reads what it is asked for and refuses what cannot be', () => {
    assert.deepEqual({ ...readArguments([]), wanted: [...readArguments([]).wanted] }, { wanted: ['backfill', 'tip', 'rest', 'history', 'bitcoin', 'bitcoin-history', 'clusters', 'screening', 'hyperliquid'], blocks: 2048, tipBlocks: 40, rounds: 5, transfers: 50_000_000, addresses: 10_000_000, fills: 20_000_000, btcBlocks: 240, outputs: 50_000_000, peers: false })
    const few = readArguments(['--peers', '--blocks', '256', '--only', 'backfill', '--out', 'x.md'])
    assert.deepEqual([few.peers, few.blocks, [...few.wanted], few.out], [true, 256, ['backfill'], 'x.md'])
    assert.throws(() => readArguments(['--peers', '--only', 'tip,rest']), /--only leaves the backfill out/)
    assert.throws(() => readArguments(['--only', 'backfil']), /'backfil' is not a part of the bench/)
    for (const blocks of ['0', '1.5', 'many']) assert.throws(() => readArguments(['--blocks', blocks]), /--blocks: a whole number above 0/)
    assert.throws(() => readArguments(['--peer']), /peer/)
  })

  it('counts our rows in the range alone, ERC-20 transfers alone, and sums amounts exactly', async () => {
    const { store } = await freshStore()
    await store.execute(`INSERT INTO blocks (chain, block_number) SELECT 'ETH', 10 + number FROM numbers(5)`)
    await store.execute(`INSERT INTO transactions (chain, block_number, tx_index) SELECT 'ETH', 10 + intDiv(number, 3), number % 3 FROM numbers(15)`)
    await store.execute(`INSERT INTO logs (chain, block_number, log_index) SELECT if(number < 10, 'ETH', 'BTC'), 10 + number % 5, number FROM numbers(20)`)
    await store.execute(`INSERT INTO transfers (chain, block_number, kind, position, amount) SELECT 'ETH', 10 + number % 5, if(number < 10, 'erc20', 'native'), number, toUInt256('100000000000000000000000000000000000000001') FROM numbers(20)`)
    assert.deepEqual(await countOurs(store, 11, 13), { rows: { blocks: 3, transactions: 9, logs: 6, transfers: 6 }, amount: '600000000000000000000000000000000000000006' })
    assert.deepEqual(await countOurs(store, 100, 200), { rows: { blocks: 0, transactions: 0, logs: 0, transfers: 0 }, amount: '0' })
  })

  it('counts theirs in the tables they write, and says where the two differ', async () => {
    const asked: string[] = []
    const session = { ask: async (sql: string) => { asked.push(sql); return [sql.includes('sum(amount)') ? '12345.0000' : sql.includes('blocks') ? '10' : '90'] }, end: () => undefined }
    const theirs = await countTheirs(session, ['blocks', 'transfers'], 5, 14)
    assert.deepEqual(theirs, { rows: { blocks: 10, transfers: 90 }, amount: '12345' })
    assert.match(asked[0] ?? '', /FROM blocks WHERE number BETWEEN 5 AND 14/)
    assert.match(asked[1] ?? '', /FROM transfers WHERE block_number BETWEEN 5 AND 14/)
    assert.equal(totalOf(theirs), 100)
    assert.deepEqual(differences(ours, theirs), [])
    assert.deepEqual(differences(ours, { rows: { blocks: 9, logs: 300 }, amount: '1' }), ['blocks: 9, ours 10', 'sum of amounts: 1, ours 12345'])
  })

  it('judges by the faster writer of SQD, and by none whose rows are not ours', () => {
    const bar = (...results: PeerResult[]) => peersBar(backfill(...results))
    assert.deepEqual([bar(measured(ours, 4))?.met, bar(measured(ours, 4))?.figure], [true, '2.00 (250 of 125 rows/s)'])
    assert.equal(bar(measured(ours, 8), measured(ours, 3.9, 'SQD, TypeORM'))?.met, false)
    assert.equal(bar(measured(ours, 8), measured(ours, 1, 'Ponder'))?.met, true)
    assert.deepEqual([bar(measured({ ...ours, amount: '1' }, 8))?.met, bar({ name: 'SQD, columns', settings: '', failure: 'npm ci failed' })?.met], [false, false])
    const text = (results: PeerResult[]) => peersSection(backfill(...results), backfill(...results).peers).join('\n')
    assert.match(text([measured({ ...ours, amount: '1' }, 8)]), /sum of amounts: 1, ours 12345/)
    assert.match(text([{ name: 'Ponder', settings: 'cold', failure: 'it ended\nwith 1' }]), /Ponder: cold\. \*\*Not measured\*\*: it ended with 1/)
  })

  it('their lockfiles name every optional package and no registry: npm ci works on other machines', () => {
    for (const folder of ['sqd', 'ponder']) {
      interface Locked { version?: string; resolved?: string; optionalDependencies?: Record<string, string> }
      const { packages } = JSON.parse(readFileSync(new URL(`../../bench/peers/${folder}/package-lock.json`, import.meta.url), 'utf8')) as { packages: Record<string, Locked> }
      const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) => Object.keys(optionalDependencies)
        .filter((name) => packages[`node_modules/${name}`] === undefined && packages[`${path}/node_modules/${name}`] === undefined))
      assert.deepEqual(missing, [])
      assert.deepEqual(Object.entries(packages).filter(([path, { version, resolved }]) => path !== '' && (version === undefined || resolved !== undefined)), [])
    }
  })

  it('says how to get Postgres where there is none', () => {
    assert.throws(() => findPostgres(['/nowhere']), (thrown: Error & { code?: string }) => thrown.code === 'POSTGRES_MISSING' && /postgresql-15/.test(thrown.message))
  })
})
