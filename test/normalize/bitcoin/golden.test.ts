/** Rows of recorded blocks against what nodes and another program say of them. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Store } from '../../../schemas/clickhouse.js'
import { jsonAnswer, normalizeAnswers, rawAnswer, recordedHeights, recordedJson } from '../../support/bitcoin.js'
import { freshStore } from '../../support/servers.js'
import { satoshis, spentOf, withTexts } from './madeUp.js'

interface Script { readonly hex: string; readonly type: string; readonly address?: string }
interface Block { readonly hash: string; readonly size: number; readonly weight: number; readonly tx: readonly { readonly txid: string; readonly size: number; readonly weight: number; readonly fee?: string; readonly vin: readonly { readonly prevout?: { readonly value: string; readonly scriptPubKey: Script } }[]; readonly vout: readonly { readonly value: string; readonly scriptPubKey: Script }[] }[] }

const parsed = (height: number): Block => JSON.parse(withTexts(recordedJson(height) ?? '')) as Block
const Text = z.object({ row: z.string() })

describe('rows of recorded Bitcoin blocks', function () {
  this.timeout(120_000)
  let store: Store
  const rows = async (sql: string, params: Record<string, unknown> = {}): Promise<string[]> => (await store.query(sql, params, Text)).map(({ row }) => row)
  before(async () => {
    store = (await freshStore()).store
    await normalizeAnswers(store, recordedHeights.map((height) => rawAnswer(height, undefined, height === 277_647 ? spentOf(recordedJson(height) ?? '') : undefined)))
  })

  for (const height of recordedHeights) {
    it(`has the txids, sizes, amounts, scripts, types and addresses of the node: ${height}`, async () => {
      const block = parsed(height)
      assert.deepEqual(await rows(`SELECT concat(lower(hex(txid)), ' ', toString(size), ' ', toString(weight)) AS row FROM btc_transactions WHERE block_number = {height:UInt64} ORDER BY tx_index`, { height }),
        block.tx.map(({ txid, size, weight }) => `${txid} ${size} ${weight}`))
      assert.deepEqual(await rows(`SELECT concat(toString(value), ' ', lower(hex(script)), ' ', script_type, ' ', address) AS row FROM btc_outputs WHERE block_number = {height:UInt64} ORDER BY tx_index, vout`, { height }),
        block.tx.flatMap(({ vout }) => vout.map(({ value, scriptPubKey: { hex, type, address = '' } }) => `${satoshis(value)} ${hex} ${type} ${address}`)))
      assert.deepEqual(await rows(`SELECT concat(lower(hex(block_hash)), ' ', toString(size), ' ', toString(weight)) AS row FROM btc_blocks WHERE block_number = {height:UInt64}`, { height }), [`${block.hash} ${block.size} ${block.weight}`])
    })
  }

  it('balances where the node says what is spent: value in is value out and fee, a coinbase is subsidy and fees', async () => {
    const { tx } = parsed(277_647)
    assert.deepEqual(await rows(`SELECT concat(toString(value), ' ', script_type, ' ', address) AS row FROM btc_inputs WHERE block_number = 277647 AND prevout = 'node' ORDER BY tx_index, vin`),
      tx.slice(1).flatMap(({ vin }) => vin.map(({ prevout }) => `${satoshis(prevout?.value ?? '')} ${prevout?.scriptPubKey.type ?? ''} ${prevout?.scriptPubKey.address ?? ''}`)))
    assert.deepEqual(await rows(`SELECT toString(fee) AS row FROM btc_transactions WHERE block_number = 277647 AND NOT coinbase AND input_value = output_value + fee AND unresolved_inputs = 0 ORDER BY tx_index`),
      tx.slice(1).map(({ fee = '' }) => String(satoshis(fee))))
    assert.deepEqual(await rows(`SELECT concat(toString(b.subsidy + b.fees), ' ', toString(t.output_value), ' ', toString(b.unresolved_inputs), ' ', b.miner) AS row
      FROM btc_blocks AS b INNER JOIN btc_transactions AS t ON t.block_number = b.block_number AND t.tx_index = 0 WHERE b.block_number = 277647`), ['2504737355 2504737355 0 BTC Guild'])
    assert.deepEqual(await rows('SELECT id AS row FROM incidents'), [])
  })

  it('guesses nothing where nobody says what is spent', async () => {
    assert.deepEqual(await rows(`SELECT concat(toString(block_number), ' ', toString(sum(unresolved_inputs)), ' ', toString(countIf(unresolved_inputs > 0 AND (fee IS NOT NULL OR input_value IS NOT NULL)))) AS row
      FROM btc_transactions WHERE block_number IN (482683, 514485) GROUP BY block_number ORDER BY block_number`), ['482683 51 0', '514485 4398 0'])
    assert.deepEqual(await rows(`SELECT DISTINCT concat(script_type, address, toString(isNull(value)), toString(isNull(prev_block))) AS row FROM btc_inputs WHERE prevout = 'unresolved'`), ['11'])
    // What is spent inside its own block is known.
    assert.deepEqual(await rows(`SELECT toString(count()) AS row FROM btc_inputs AS i INNER JOIN btc_outputs AS o ON o.txid = i.prev_txid AND o.vout = i.prev_vout
      WHERE i.prevout = 'own' AND i.value = o.value AND i.address = o.address AND i.prev_block = i.block_number AND o.tx_index < i.tx_index AND i.block_number = 514485`), ['232'])
  })

  it('has the payment to an address that a list of sanctions named three years later', async () => {
    assert.deepEqual(await rows(`SELECT concat(toString(value), ' ', toString(count())) AS row FROM btc_outputs WHERE block_number = 574200 AND startsWith(lower(hex(txid)), '41f366c2') AND value = 38796959 GROUP BY value`), ['38796959 1'])
  })

  describe('of an old node', () => {
    const folder = new URL('../../fixtures/bitcoin/bitcoin-etl/', import.meta.url)
    const lines = (path: string): Record<string, never>[] => readFileSync(new URL(path, folder), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Record<string, never>)
    const folders = readdirSync(folder)
    before(async () => {
      for (const name of folders) {
        const answers = readdirSync(new URL(`${name}/`, folder)).filter((file) => file.startsWith('rpc_')).map((file) => readFileSync(new URL(`${name}/${file}`, folder), 'utf8'))
        await normalizeAnswers(store, answers.map((text) => jsonAnswer((JSON.parse(text) as { height: number }).height, text)))
      }
    })

    it('are what another program made of the same answers', async () => {
      for (const name of folders) {
        const blocks = lines(`${name}/expected_blocks.json`), transactions = lines(`${name}/expected_transactions.json`)
        for (const block of blocks as unknown as { hash: string; number: number; size: number; weight: number; version: number; merkle_root: string; timestamp: number; nonce: string; bits: string; coinbase_param: string; transaction_count: number }[]) {
          assert.deepEqual(await rows(`SELECT concat_ws(' ', lower(hex(block_hash)), toString(size), toString(weight), toString(version), lower(hex(merkle_root)), toString(toUnixTimestamp(block_time)), toString(nonce), toString(bits), lower(hex(coinbase_text)), toString(tx_count)) AS row
            FROM btc_blocks WHERE block_number = {height:UInt64}`, { height: block.number }),
            [[block.hash, block.size, block.weight, block.version, block.merkle_root, block.timestamp, parseInt(block.nonce, 16), parseInt(block.bits, 16), block.coinbase_param, block.transaction_count].join(' ')])
        }
        for (const tx of transactions as unknown as { hash: string; size: number; version: number; lock_time: number; is_coinbase: boolean; output_value: number; inputs: { spent_transaction_hash: string; spent_output_index: number; sequence: number }[]; outputs: { script_hex: string; type: string; addresses: string[]; value: number }[] }[]) {
          assert.deepEqual(await rows(`SELECT concat_ws(' ', toString(size), toString(version), toString(locktime), toString(coinbase), toString(output_value)) AS row FROM btc_transactions WHERE lower(hex(txid)) = {txid:String}`, { txid: tx.hash }),
            [[tx.size, tx.version, tx.lock_time, tx.is_coinbase, tx.output_value].join(' ')])
          assert.deepEqual(await rows(`SELECT concat_ws(' ', lower(hex(prev_txid)), toString(prev_vout), toString(sequence)) AS row FROM btc_inputs WHERE lower(hex(txid)) = {txid:String} AND prevout != 'coinbase' ORDER BY vin`, { txid: tx.hash }),
            tx.inputs.map((one) => `${one.spent_transaction_hash} ${one.spent_output_index} ${one.sequence}`))
          // That program gives a public key the address of its hash; Bitcoin Core now gives it none, and so do we.
          assert.deepEqual(await rows(`SELECT concat_ws(' ', lower(hex(script)), script_type, toString(value), address) AS row FROM btc_outputs WHERE lower(hex(txid)) = {txid:String} ORDER BY vout`, { txid: tx.hash }),
            tx.outputs.map((one) => [one.script_hex, one.type, one.value, one.type === 'pubkey' ? '' : one.addresses.join()].join(' ')))
        }
      }
    })
  })
})
