/** Outputs to bare keys and other scripts without an address: a party like any other, so every transaction balances. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { listsOf } from '../../../stages/lists.js'
import { runStatements } from '../../../stages/stage.js'
import { bitcoinBatch, bitcoinContext, normalizeAnswers, rawAnswer } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'

const last = 255
const written = new Set(['transfers', 'btc_flows', 'address_transfers', 'address_segments'])
/** What stands for a script that has no address. */
const partyOf = (script: string): string => `script${createHash('sha256').update(Buffer.from(script, 'hex')).digest('hex')}`
/** The keys of the first payment there was: of who paid, and of who was paid. */
const [payer, payee] = [
  '410411db93e1dcdb8a016b49840f8c53bc1eb68a382e97b1482ecad7b148a6909a5cb2e0eaddfb84ccf9744464f82e160bfa9b8b64f9d4c03f999b8643f656b412a3ac',
  '4104ae1a62fe09c5f51b13905f07f06b99a2f7159b2225f374cd378d71302fa28414e7aab37397f554a7df5f142c21c1b7303b8a0626f1baded5c72a704f7e6cd84cac',
].map(partyOf)

describe('value without an address', function () {
  this.timeout(120_000)
  let store: Store
  before(async () => {
    ({ store } = await freshStore())
    await normalizeAnswers(store, Array.from({ length: last }, (_, nth) => rawAnswer(nth + 1)))
    const lists = listsOf('BTC')
    await runStatements([...lists.enrich, ...lists.index].map((group) => group.filter(({ writes }) => written.has(writes))), bitcoinBatch(1, last), bitcoinContext(store))
  })
  const rows = async (sql: string): Promise<string[]> => (await store.query(sql, {}, z.object({ row: z.string() }))).map(({ row }) => row)

  it('is somebody\'s: what comes in is what goes out and the fee, of each transaction', async () => {
    const Sums = z.object({ transactions: z.coerce.number(), unbalanced: z.coerce.number(), bare: z.coerce.number() })
    const [sums] = await store.query(`SELECT count() AS transactions, countIf(s.gone != s.come + assumeNotNull(t.fee)) AS unbalanced, countIf(s.bare > 0) AS bare
      FROM btc_transactions AS t INNER JOIN (
        SELECT block_number, position, toUInt64(sumIf(amount, direction = 'in')) AS come, toUInt64(sumIf(amount, direction = 'out')) AS gone, countIf(address IN (SELECT id FROM btc_parties WHERE script_type = 'pubkey')) AS bare
        FROM address_transfers GROUP BY block_number, position
      ) AS s ON s.block_number = t.block_number AND s.position = t.tx_index WHERE NOT t.coinbase`, {}, Sums)
    assert.ok(sums !== undefined && sums.transactions > 0 && sums.bare > 0)
    assert.equal(sums.unbalanced, 0)
    assert.deepEqual(await rows(`SELECT toString(t.block_number) AS row FROM btc_transactions AS t LEFT JOIN (SELECT block_number, tx_index, sum(amount) AS paid FROM transfers GROUP BY block_number, tx_index) AS m
      ON m.block_number = t.block_number AND m.tx_index = t.tx_index WHERE t.coinbase AND m.paid != t.output_value`), [], 'a coinbase pays all it makes to somebody')
    assert.deepEqual(await rows(`SELECT toString(f.block_number) AS row FROM btc_flows AS f INNER JOIN (
        SELECT block_number, tx_index, sum(amount) AS paid FROM transfers GROUP BY block_number, tx_index) AS m ON m.block_number = f.block_number AND m.tx_index = f.tx_index WHERE m.paid != f.net`), [], 'a flow is what its movements are')
  })

  it('has a sender and a receiver, and what goes back to the same script is change', async () => {
    assert.deepEqual(await rows(`SELECT concat_ws(' ', flow, toString(net), toString(to_amount), ifNull(a.address, ''), ifNull(b.address, '')) AS row FROM btc_flows AS f
      LEFT JOIN (SELECT id, any(address) AS address FROM btc_parties GROUP BY id) AS a ON a.id = f.from_address LEFT JOIN (SELECT id, any(address) AS address FROM btc_parties GROUP BY id) AS b ON b.id = f.to_address
      WHERE f.block_number = 170 AND f.tx_index = 1`), [`transfer 1000000000 1000000000 ${payer} ${payee}`])
    assert.deepEqual(await rows(`SELECT concat_ws(' ', toString(kind), toString(sub), toString(amount), from_class, to_class) AS row FROM transfers WHERE block_number = 170 ORDER BY position, sub`), ['coinbase 0 5000000000 unknown unknown', 'utxo 0 1000000000 unknown unknown'])
    assert.deepEqual(await rows(`SELECT toString(sum(if(direction = 'in', 1, -1) * toInt64(amount))) AS row FROM address_transfers WHERE address = toFixedString(substring(SHA256('${payee}'), 1, 20), 20)`), ['1000000000'])
  })
})
