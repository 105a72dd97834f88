/** A node's files that end too soon, or become other ones: what is lost is told once, what comes after all is read, and nothing is passed over in silence. */
import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { packed } from '../../support/lz4.js'
import { lines, openFolder } from '../../support/nodeFiles.js'
import { freshStore } from '../../support/servers.js'

const hour = (nth: number, end = ''): string => `node_fills/hourly/20260924/${nth}${end}`

describe('files of a node that were cut', function () {
  this.timeout(60_000)
  let store: Store, node: ReturnType<typeof openFolder>
  before(async () => { store = (await freshStore()).store })
  beforeEach(async () => { for (const table of ['raw_payloads', 'hl_file_places']) await store.execute(`TRUNCATE TABLE ${table}`); node = openFolder(store); node.start() })
  afterEach(() => { node.close() })
  /** Looks twice, and once more with a new worker. */
  const looks = async (): Promise<string[]> => {
    const seen = [...await node.look(), ...await node.look()]
    node.start()
    return [...seen, ...await node.look()]
  }

  it('a torn last line is waited for until its hour is over, then told once; ended after all, it is read', async () => {
    node.write(hour(7), `${lines(1, 2)}{"nth"`)
    node.age(hour(7), 60)
    assert.deepEqual([await looks(), node.gaps()], [['node_fills: 1,2'], []])
    // A later hour alone is not enough: its writer may hold the end back.
    node.write(hour(10), lines(5, 5))
    node.age(hour(7), 1)
    assert.deepEqual([await looks(), node.gaps()], [['node_fills: 5'], []])
    node.age(hour(7), 10)
    assert.deepEqual(await looks(), [])
    const gaps = ['node_fills 2026-09-24T07+1: node_fills/hourly/20260924/7: bytes 20 to 26: the last line has no end']
    assert.deepEqual([node.gaps(), node.warned.length], [gaps, 1])
    node.append(hour(7), `:3}\n${lines(4, 4)}{`)
    assert.deepEqual([await looks(), node.gaps()], [['node_fills: 3,4'], gaps])
    node.age(hour(7), 10)
    assert.deepEqual([await looks(), node.gaps().length, node.warned.length], [[], 2, 2])
  })

  it('a last line that is whole without its end is taken, and what follows it', async () => {
    node.write(hour(7), lines(1, 3).trimEnd())
    assert.deepEqual(await looks(), ['node_fills: 1,2', 'node_fills: 3'])
    node.append(hour(7), `\n${lines(4, 4)}`)
    assert.deepEqual([await looks(), node.gaps(), node.warned], [['node_fills: 4'], [], []])
  })

  it('half a frame at the end of an hour that is over is told once, and read when the rest comes', async () => {
    const half = packed(lines(3, 50))
    node.write(hour(7, '.lz4'), Buffer.concat([packed(lines(1, 2)), half.subarray(0, -30)]))
    node.write(hour(8, '.lz4'), packed(lines(51, 51)))
    assert.deepEqual([await looks(), node.gaps()], [['node_fills: 1,2', 'node_fills: 51'], []])
    node.age(hour(7, '.lz4'), 10)
    assert.deepEqual([await looks(), node.gaps().length, node.warned.length], [[], 1, 1])
    assert.match(node.gaps()[0] ?? '', /^node_fills 2026-09-24T07\+1: .*7\.lz4: bytes \d+ to \d+: the file ends before its frame$/)
    node.append(hour(7, '.lz4'), half.subarray(-30))
    assert.deepEqual([await looks(), node.gaps().length], [[`node_fills: ${Array.from({ length: 48 }, (_, nth) => nth + 3).join()}`], 1])
  })

  it('a frame alone that was cut, a line that no frame ends, and blocks that were: each is told at the first look', async () => {
    node.write(hour(7, '.lz4'), packed(lines(1, 9)).subarray(0, 40))
    node.write(hour(8, '.lz4'), packed(`${lines(10, 11)}{"nth"`))
    node.write(hour(9, '.lz4'), Buffer.concat([packed(lines(12, 13).trimEnd()), packed(`\n${lines(14, 14)}`).subarray(0, 20)]))
    node.write('node_trades_by_block/20260924/99', '{"block')
    for (const name of [hour(7, '.lz4'), hour(8, '.lz4'), hour(9, '.lz4'), 'node_trades_by_block/20260924/99']) node.age(name, 10)
    node.write(hour(10), '')
    node.write('node_trades_by_block/20260924/100', lines(1, 1))
    assert.deepEqual(await looks(), ['node_fills: 10,11', 'node_fills: 12', 'node_fills: 13', 'node_trades: 1'])
    const ends = ['7.lz4: bytes 0 to 40: the file ends before its frame', '8.lz4: the last line has no end', '9.lz4: bytes 40 to 60: the file ends before its frame', '99: bytes 0 to 7: the last line has no end']
    assert.deepEqual(node.gaps().map((told, nth) => (told.endsWith(`/20260924/${ends[nth]}`) ? ends[nth] : told)), ends)
    assert.deepEqual([node.gaps().map((told) => told.split(' ')[0]), node.warned.length], [['node_fills', 'node_fills', 'node_fills', 'node_trades'], 4])
  })

  it('bytes that are no frame are not told again by the next worker', async () => {
    node.write(hour(7, '.lz4'), lines(1, 50))
    assert.deepEqual([await looks(), node.gaps().length], [[], 1])
    node.write(hour(8, '.lz4'), packed(lines(51, 51)))
    node.age(hour(7, '.lz4'), 10)
    assert.deepEqual([await looks(), node.gaps().length], [['node_fills: 51'], 1])
  })

  it('what the store refuses is told when it takes it', async () => {
    node.write(hour(7), '{"nth"')
    node.age(hour(7), 10)
    node.write(hour(8), '')
    node.fail(true)
    await node.look()
    node.fail(false)
    assert.deepEqual([await looks(), node.gaps().length], [[], 1])
  })

  it('is read from where it was left when the payloads of it have gone, too, and what was told lost is not told again', async () => {
    node.write(hour(7), `${lines(1, 2)}{"nth"`)
    node.write(hour(8, '.lz4'), packed(lines(5, 6)))
    node.age(hour(7), 10)
    node.start('', 0)
    assert.deepEqual([...await node.look(), ...await node.look()], ['node_fills: 1,2', 'node_fills: 5,6'])
    assert.deepEqual(node.gaps().length, 1)
    await store.execute('TRUNCATE TABLE raw_payloads')
    node.append(hour(8, '.lz4'), packed(lines(7, 7)))
    node.start()
    assert.deepEqual([await node.look(), node.gaps().length], [['node_fills: 7'], 1])
    await store.execute('OPTIMIZE TABLE hl_file_places FINAL')
    // Kept when a worker starts, too.
    node.start()
    await node.look()
    await store.execute('TRUNCATE TABLE raw_payloads')
    node.start()
    assert.deepEqual([await node.look(), node.gaps().length], [[], 1])
  })
})
