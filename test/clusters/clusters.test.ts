import assert from 'node:assert/strict'
import fc from 'fast-check'
import { openAddressTable } from '../../stages/clusters/addressTable.js'
import { openClusters, type Change } from '../../stages/clusters/clusters.js'
import { openRowWriter, readRows } from '../../stages/clusters/rowBinary.js'
import { openUnionFind } from '../../stages/clusters/unionFind.js'
import { idOf } from '../support/btcLedger.js'

const ids = (names: readonly string[]): Buffer => Buffer.concat(names.map((name) => Buffer.from(idOf(name), 'hex')))
const spend = (clusters: ReturnType<typeof openClusters>, ...names: string[]): Change | null => clusters.apply(ids(names), 0, names.length)
const together = (clusters: ReturnType<typeof openClusters>, one: string, other: string): boolean => clusters.rootOf(ids([one]), 0) === clusters.rootOf(ids([other]), 0)

describe('clusters in memory', () => {
  it('addresses have the numbers in which they came, however many they are, and keep them', () => {
    const table = openAddressTable(4)
    const names = Array.from({ length: 5_000 }, (_, n) => `a${n}`)
    names.forEach((name, n) => { assert.equal(table.intern(ids([name]), 0), n) })
    names.forEach((name, n) => { assert.equal(table.intern(ids([name]), 0), n); assert.equal(table.find(ids(['', name]), 20), n) })
    assert.equal(table.find(ids(['nobody']), 0), -1)
    const back = Buffer.alloc(20)
    table.write(77, back, 0)
    assert.deepEqual(back, ids(['a77']))
    assert.equal(Math.sign(table.compare(1, 2)), Math.sign(Buffer.compare(ids(['a1']), ids(['a2']))))
  })

  it('ids that share all but their last word are different addresses', () => {
    const table = openAddressTable(2)
    const one = Buffer.alloc(20, 1), other = Buffer.alloc(20, 1)
    other[19] = 2
    assert.deepEqual([table.intern(one, 0), table.intern(other, 0), table.find(one, 0), table.find(other, 0)], [0, 1, 0, 1])
  })

  it('sets agree with a plain search for what is connected', () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 39 }), fc.integer({ min: 0, max: 39 })), { maxLength: 60 }), (pairs) => {
      const sets = openUnionFind(2)
      sets.reach(40)
      const plain = Array.from({ length: 40 }, (_, n) => n)
      for (const [one, other] of pairs) {
        const [a, b] = [sets.root(one), sets.root(other)]
        if (a !== b) sets.join(a, b)
        const [from, to] = [plain[one], plain[other]]
        plain.forEach((mark, n) => { if (mark === from) plain[n] = to ?? 0 })
      }
      for (let n = 0; n < 40; n += 1) {
        const members: number[] = []
        sets.each(n, (member) => { members.push(member) })
        const expected = plain.flatMap((mark, other) => (mark === plain[n] ? [other] : []))
        assert.deepEqual(members.sort((a, b) => a - b), expected)
        assert.equal(sets.size(sets.root(n)), expected.length)
      }
    }))
  })

  it('a spending makes a cluster, adds to one or brings some together; the larger one keeps its name', () => {
    const clusters = openClusters(2)
    assert.equal(spend(clusters, 'a'), null)
    assert.equal(spend(clusters, 'a', 'a'), null)
    assert.deepEqual([spend(clusters, 'a', 'b', 'c')?.kind, spend(clusters, 'x', 'y')?.kind, spend(clusters, 'a', 'd')?.kind, spend(clusters, 'b', 'd')], ['new', 'new', 'addition', null])
    const large = clusters.rootOf(ids(['a']), 0)
    const merged = spend(clusters, 'y', 'new', 'a')
    assert.deepEqual([merged?.kind, merged?.winner, merged?.roots.length, merged?.fresh.length], ['merge', large, 1, 1])
    assert.ok(together(clusters, 'x', 'd') && together(clusters, 'new', 'a'))
    const moves: number[] = []
    clusters.moves((_, before, now) => { assert.equal(before, -1); assert.equal(now, large); moves.push(now) })
    assert.equal(moves.length, 7, 'each address moved once, whatever lay between')
    clusters.moves(() => assert.fail('nothing moved since'))
  })

  it('two names never meet: such a spending joins nobody, not even who has none', () => {
    const clusters = openClusters()
    clusters.label(ids(['a']), 0, 'alpha')
    clusters.label(ids(['x']), 0, 'omega')
    assert.ok(clusters.rename())
    spend(clusters, 'a', 'b'); spend(clusters, 'x', 'y'); spend(clusters, 'm', 'n')
    const held = spend(clusters, 'b', 'm', 'y')
    assert.deepEqual([held?.kind, held?.roots.map((root) => clusters.nameOf(root)).sort()], ['quarantine', ['', 'alpha', 'omega']])
    assert.ok(!together(clusters, 'b', 'm') && !together(clusters, 'y', 'm') && !together(clusters, 'a', 'x'))
    assert.equal(spend(clusters, 'm', 'b')?.kind, 'merge', 'one name is taken on')
    assert.equal(spend(clusters, 'n', 'x')?.kind, 'quarantine')
    clusters.label(ids(['x']), 0, 'alpha')
    assert.ok(clusters.rename())
    assert.equal(spend(clusters, 'n', 'x')?.kind, 'merge')
    clusters.label(ids(['y']), 0, 'other')
    assert.ok(!clusters.rename(), 'a cluster of two names is told')
  })

  it('the same spendings lead to the same clusters under the same names, whatever numbers addresses got', () => {
    fc.assert(fc.property(fc.array(fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 5 }), { maxLength: 40 }), (groups) => {
      const one = openClusters(2), other = openClusters(64)
      for (let n = 30; n >= 0; n -= 1) other.label(ids([`${n}`]), 0, '')
      const named = (clusters: ReturnType<typeof openClusters>): string[] => Array.from({ length: 31 }, (_, n) => {
        const root = clusters.rootOf(ids([`${n}`]), 0), id = Buffer.alloc(20)
        if (root < 0 || clusters.sets.size(root) === 1) return ''
        clusters.addresses.write(root, id, 0)
        return id.toString('hex')
      })
      for (const group of groups) {
        spend(one, ...group.map(String))
        spend(other, ...[...group].reverse().map(String))
      }
      assert.deepEqual(named(one), named(other))
    }))
  })

  it('rows are read back as they were written, wherever their bytes were cut', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 0, max: 0xffffffff }), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), fc.string({ maxLength: 300 }))), fc.integer({ min: 1, max: 50 }), async (rows, cut) => {
      const writer = openRowWriter(8)
      for (const [small, large, text] of rows) { writer.u8(7); writer.u32(small); writer.u64(large); writer.text(text); writer.length(2); writer.fixed(2, (buffer, at) => { buffer[at] = 1; buffer[at + 1] = 2 }) }
      const bytes = writer.take()
      const chunks = async function* () { for (let at = 0; at < bytes.length; at += cut) yield bytes.subarray(at, at + cut) }
      const back: [number, number, string][] = []
      assert.equal(await readRows(chunks(), (cursor) => { cursor.u8(); const row: [number, number, string] = [cursor.u32(), cursor.u64(), cursor.text()]; cursor.fixed(cursor.length()); back.push(row) }), rows.length)
      assert.deepEqual(back, rows)
    }), { numRuns: 40 })
  })
})
