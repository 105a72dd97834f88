/** Blocks of Bitcoin made by hand, as far as answers about wallets need them: beside what normalize leaves, parties, prices, and what enrich and index make of them. */
import type { Store } from '../../schemas/clickhouse.js'
import { listsOf } from '../../stages/lists.js'
import { runStatements } from '../../stages/stage.js'
import { bitcoinBatch, bitcoinContext } from './bitcoin.js'
import { insertBlocks, txidOf, type Block, type In } from './btcLedger.js'

const written = new Set(['prices', 'transfers', 'btc_flows', 'address_transfers', 'address_segments'])

/** An input that spends output `vout` of the transaction at `index` of `block`. */
export const spending = (block: Block, index: number, vout: number): In => {
  const { address, value } = block.txs[index]?.outs[vout] ?? { address: '', value: 0 }
  return { address, value, type: 'pubkeyhash', spends: { txid: txidOf(block, index), vout, block: block.number } }
}

/** Puts in `blocks`, with a bitcoin at 50,000 dollars in each. */
export const insertPriced = async (store: Store, blocks: readonly Block[]): Promise<void> => {
  await insertBlocks(store, blocks)
  await store.execute('INSERT INTO btc_parties SELECT toFixedString(substring(SHA256(party), 1, 20), 20), party, script_type FROM (SELECT party, script_type FROM btc_outputs UNION ALL SELECT party, script_type FROM btc_inputs) WHERE party != \'\'')
  await store.execute('INSERT INTO blocks (chain, block_number, block_hash, block_time, internal_complete, tx_count) SELECT chain, block_number, block_hash, block_time, true, tx_count FROM btc_blocks')
  await store.execute("INSERT INTO prices (chain, token, block_number, block_time, block_hash, usd, method, trades, depth_usd, generation) SELECT 'ETH', unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599'), block_number, block_time, '', 50000, 'chainlink', 1, 0, 1 FROM btc_blocks")
}

/** Makes of blocks 1 to `to` what wallets are told by; labels count from then on as they are now. */
export const indexWallets = async (store: Store, to: number): Promise<void> => {
  const statements = [...listsOf('BTC').enrich, ...listsOf('BTC').index].map((group) => group.filter(({ writes }) => written.has(writes)))
  await runStatements(statements, { ...bitcoinBatch(1, to, 0), hash: 'x' }, bitcoinContext(store))
}
