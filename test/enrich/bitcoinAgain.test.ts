/** Bitcoin's enrich once more, after what it asks has changed: what a block was worth then, and who a transaction's parties were then, stays. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { priceWbtc } from '../api/support/bitcoin.js'
import { bitcoinBatch, bitcoinContext } from '../support/bitcoin.js'
import { addressOf, idOf, insertBlocks } from '../support/btcLedger.js'
import { freshStore } from '../support/servers.js'

const height = 20, time = Date.UTC(2019, 0, 1) / 1_000 + height * 600, batch = bitcoinBatch(height, height, 0)

describe('enrich of Bitcoin that is run again', function () {
  this.timeout(60_000)
  let store: Store
  const enrich = (again: boolean, only: readonly string[] = []): Promise<unknown> =>
    runStatements(listsOf('BTC').enrich.map((group) => group.filter(({ writes }) => only.length === 0 || only.includes(writes))), batch, bitcoinContext(store, again))
  const rows = async (sql: string): Promise<unknown[]> => (await store.query(sql, {}, z.record(z.string(), z.unknown()))).map((row) => Object.values(row))
  const label = async (address: string, entity: string): Promise<void> => {
    await store.execute("INSERT INTO labels (chain, address, label, entity, category, source, rule, confidence, valid_from, version) SELECT 'BTC', {id:String}, {entity:String}, {entity:String}, 'exchange', 'test', '', 100, now64(3), 1", { id: `0x${idOf(address)}`, entity })
    await store.execute('SYSTEM RELOAD DICTIONARY label_of')
  }

  beforeEach(async () => {
    ({ store } = await freshStore())
    await insertBlocks(store, [{ number: height, txs: [
      { coinbase: true, ins: [{ address: '', value: 0 }], outs: [{ address: addressOf('m'), value: 5_000_000_000 }] },
      { ins: [{ address: addressOf('a'), value: 900 }], outs: [{ address: addressOf('b'), value: 500 }, { address: addressOf('c'), value: 300 }] },
    ] }])
    await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
    await store.insert('hl_contexts', [{ chain: 'HL', block_number: 1, source: 'ws', heard_at: new Date().toISOString(), coin: 'BTC', market: 'perp', dex: '', place: 0, time: new Date((time - 10) * 1_000).toISOString(), mark_px: '1', oracle_px: '97000', prev_day_px: '1', day_notional: '1', generation: 0 }])
  })

  for (const reached of [['prices'], []]) {
    it(`leaves a block the one price it has, though a better one is there by then${reached.length > 0 ? ', and values by that' : ''}`, async () => {
      await enrich(false, reached)
      assert.deepEqual(await rows("SELECT usd, method FROM prices WHERE chain = 'BTC'"), [[97_000, 'hyperliquid_oracle']])
      await priceWbtc(store, time - 5, 70_000)
      await enrich(true)
      await runStatements(listsOf('BTC').index, batch, bitcoinContext(store))
      assert.deepEqual(await rows("SELECT usd, method FROM prices WHERE chain = 'BTC'"), [[97_000, 'hyperliquid_oracle']])
      assert.deepEqual(await rows("SELECT tx_index, price_method, count() AS n FROM btc_flows GROUP BY ALL ORDER BY ALL"), [[0, 'hyperliquid_oracle', 1], [1, 'hyperliquid_oracle', 1]].map(([index, method, n]) => [index, method, String(n)]))
      assert.deepEqual(await rows("SELECT position, sub, count() AS n FROM transfers WHERE chain = 'BTC' GROUP BY ALL HAVING n > 1"), [])
      assert.deepEqual(await rows("SELECT address, position, direction, count() AS n FROM address_transfers WHERE chain = 'BTC' GROUP BY ALL HAVING n > 1"), [])
    })
  }

  it('leaves a transaction the one flow it has, though labels say by then that what was paid went back', async () => {
    await label(addressOf('a'), 'Kraken')
    await enrich(false)
    const flows = "SELECT tx_index, toString(net), from_entity, to_entity FROM btc_flows ORDER BY ALL", nets = 'SELECT tx_index, entity, toString(net) FROM btc_entity_nets ORDER BY ALL'
    const before = [await rows(flows), await rows(nets)]
    assert.deepEqual(before, [[[0, '5000000000', '', ''], [1, '800', 'Kraken', '']], [[1, 'Kraken', '-900']]])
    await label(addressOf('c'), 'Kraken')
    await label(addressOf('b'), 'Bitstamp')
    await enrich(true)
    assert.deepEqual([await rows(flows), await rows(nets)], before)
    await store.execute('DELETE FROM btc_flows WHERE 1')
    await enrich(true)
    assert.deepEqual((await rows(flows))[1], [1, '500', 'Kraken', 'Bitstamp'], 'what is lost comes back as it is known by then')
  })
})
