/** Another file in the place of one that was read: it is read from its start, and its places are kept apart from those of the one before. */
import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { packed } from '../../support/lz4.js'
import { lines, openFolder } from '../../support/nodeFiles.js'
import { freshStore } from '../../support/servers.js'

const [plain, lz4] = ['node_fills/hourly/20260924/7', 'node_fills/hourly/20260924/8.lz4']

describe('files of a node that become shorter', function () {
  this.timeout(60_000)
  let store: Store, node: ReturnType<typeof openFolder>
  before(async () => { store = (await freshStore()).store })
  beforeEach(async () => { for (const table of ['raw_payloads', 'hl_file_places']) await store.execute(`TRUNCATE TABLE ${table}`); node = openFolder(store); node.start() })
  afterEach(() => { node.close() })

  for (const restarts of [false, true]) {
    const again = (): void => { if (restarts) node.start() }
    it(`they are read from their start, and on from there${restarts ? ', also by the next worker' : ''}`, async () => {
      node.write(plain, lines(1, 9))
      node.write(lz4, packed(lines(11, 19)))
      assert.deepEqual(await node.look(), ['node_fills: 1,2,3,4,5,6,7,8,9', 'node_fills: 11,12,13,14,15,16,17,18,19'])
      again()
      node.write(plain, lines(21, 22))
      node.write(lz4, packed(lines(31, 32)))
      assert.deepEqual([await node.look(), node.warned.length], [['node_fills: 21,22', 'node_fills: 31,32'], 2])
      again()
      // Grown past where the ones before were read to.
      node.append(plain, lines(23, 40))
      node.append(lz4, packed(lines(33, 50)))
      assert.deepEqual(await node.look(), [`node_fills: ${Array.from({ length: 18 }, (_, nth) => nth + 23).join()}`, `node_fills: ${Array.from({ length: 18 }, (_, nth) => nth + 33).join()}`])
      again()
      assert.deepEqual([await node.look(), node.warned.length, node.gaps()], [[], 2, []])
      node.write(plain, '')
      assert.deepEqual([await node.look(), node.warned.length], [[], 3])
      node.append(plain, lines(41, 41))
      assert.deepEqual(await node.look(), ['node_fills: 41'])
    })
  }

  it('one that grew past it unseen is known by a line that does not begin where reading stopped', async () => {
    node.write(plain, lines(1, 3))
    assert.deepEqual(await node.look(), ['node_fills: 1,2,3'])
    node.write(plain, lines(10, 19))
    assert.deepEqual([await node.look(), node.warned.length], [['node_fills: 10,11,12,13,14,15,16,17,18,19'], 1])
  })

  it('what the store refuses of it is read from its start again', async () => {
    node.write(plain, `${lines(1, 3)}{"nth":4`)
    await node.look()
    // Longer than what was read, shorter than what was there.
    node.write(plain, lines(5, 7) + '{"')
    node.fail(true)
    await node.look()
    node.fail(false)
    assert.deepEqual(await node.look(), ['node_fills: 5,6,7'])
  })
})
