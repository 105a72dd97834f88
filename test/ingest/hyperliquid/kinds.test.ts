/** What a node's files hold is told by the folders they lie in, whichever of those is the one that is read. */
import assert from 'node:assert/strict'
import type { Store } from '../../../schemas/clickhouse.js'
import { lines, openFolder } from '../../support/nodeFiles.js'
import { freshStore } from '../../support/servers.js'

describe('kinds of a node\'s files', function () {
  this.timeout(60_000)
  let store: Store, node: ReturnType<typeof openFolder>
  before(async () => { store = (await freshStore()).store })
  beforeEach(async () => { for (const table of ['raw_payloads', 'hl_file_places']) await store.execute(`TRUNCATE TABLE ${table}`); node = openFolder(store) })
  afterEach(() => { node.close() })

  it('a folder of trades is read as trades, also where fills of the same names were read before', async () => {
    node.write('node_fills/hourly/20260924/7', lines(1, 5))
    node.write('node_trades/hourly/20260924/7', lines(6, 7))
    node.start('node_fills')
    assert.deepEqual(await node.look(), ['node_fills: 1,2,3,4,5'])
    node.start('node_trades')
    assert.deepEqual(await node.look(), ['node_trades: 6,7'])
    node.start('node_trades/hourly')
    assert.deepEqual((await node.look()).slice(0, 1), ['node_trades: 6,7'])
    node.start('node_trades')
    assert.deepEqual([await node.look(), node.warned], [[], []])
  })

  it('the nearest name counts; what else a node writes is not read, which is told once a folder', async () => {
    const written = ['node_trades/old/node_fills_by_block/20260924/1', 'node_1/20260924/2', 'node_fills/20260924/3', 'node_trades/20260924/4', 'node_twap_statuses/20260924/5', 'node_twap_statuses/20260924/6', 'node_fills/node_raw_book_diffs/7', 'hourly/2026-09-24/8', 'replica_cmds/20260924/9']
    for (const [nth, name] of written.entries()) node.write(name, lines(nth + 1, nth + 1))
    node.start()
    assert.deepEqual((await node.look()).sort(), ['node_fills: 1', 'node_fills: 2', 'node_fills: 3', 'node_fills: 8', 'node_trades: 4'])
    node.append('node_twap_statuses/20260924/6', lines(10, 10))
    assert.deepEqual(await node.look(), [])
    assert.deepEqual(node.warned.map((text) => text.split(':')[0]), ['node_fills/node_raw_book_diffs', 'node_twap_statuses', 'replica_cmds'])
  })
})
