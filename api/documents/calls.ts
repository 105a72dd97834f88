/** Which calls are recorded, in order: every question that recorded blocks answer. Each is short, and the same whenever it is asked but for its ages. */
export interface Call { readonly operation: string; readonly arguments: Readonly<Record<string, unknown>> }

const swap = '0xe0ec7848bbd448b11a85dae2fd5e276dd0ea66fd774f5803578933ad0b52251e'
const weth = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'
/** An exchange's wallet that moves value in the recorded blocks. */
const exchange = '0x28c6c06298d514db089934071355e5743bf21d60'
/** Bought a token in a recorded block. */
const trader = '0x571ede348ff8c9843a5d5082f54123adda803aca'
/** On the list of OFAC and on Japan's. */
const listed = '0x098b716b8aaf21512996dc57eb0615e2383e2f96'
/** Paid by that wallet. */
const paid = '0x7e7bdf8b9bc6bdeeb936e694b3e721424c364e90'
const payment = '0xe695735b55ca190a74e8dd586f8aab5537c7d2bebb407d588f592ba06c5ffd70'
/** Spent together with others in the recorded block of Bitcoin. */
const dice = '1dice97ECuByXAvqXpaYzSaQuPVvrtmz6'
/** Found in a recorded block. */
const arbitrage = '0xa491a1450c3d4398ad0ca819bbb552f81aaf4a0e1058e2469192f3ed32361cac'
const chain = 'ETH'

const call = (operation: string, given: Readonly<Record<string, unknown>> = {}): Call => ({ operation, arguments: given })

export const calls: readonly Call[] = [
  call('get_latest_block', { chain }), call('list_recent_blocks', { chain, limit: 1 }), call('list_blocks', { chain, limit: 1 }), call('list_blocks', { chain: 'SOL' }), call('get_block', { chain, block_number: 18_000_000 }),
  call('list_whales', { chain, min_usd: 100_000, limit: 2 }), call('list_feed', { chain, limit: 1 }), call('get_feed_block', { chain, block_number: 18_000_000 }), call('list_hops', { tx_hash: swap }), call('list_swaps', { chain, limit: 1, min_usd: 0 }),
  call('list_chunks', { chain, limit: 1 }), call('get_index_stats'), call('ask_blockchain', { question: 'What happened in block 19426587?', chain }), call('get_network_summary', { chain }),
  call('get_overview'), call('get_chains'), call('list_txs', { limit: 1 }), call('list_whale_txs', { limit: 1 }), call('list_intents', { limit: 1 }), call('get_gas', { chain, hours: 1 }), call('list_exchange_flows', { chain, hours: 1 }),
  call('list_stablecoins', { chain, hours: 1 }), call('list_swap_pairs', { chain, minutes: 60, limit: 1, min_usd: 0 }), call('list_alerts', { limit: 1 }), call('list_incidents', { limit: 1 }), call('get_market', { chain }), call('list_trending', { chain, limit: 1 }),
  call('list_wallets', { chain, limit: 1 }), call('list_top_wallets', { chain, limit: 1 }), call('explore_flows', { chain, limit: 1 }), call('list_smart_money_flows', { chain }), call('get_wallet', { address: exchange, chain }),
  call('get_wallet_all_chains', { address: exchange }), call('get_wallet_compliance', { address: exchange, chain }), call('screen_address', { address: listed }), call('screen_abuse', { address: listed }), call('get_mixer_use', { address: exchange, chain }), call('trace_funds', { address: paid, chain, hops: 1, limit: 1 }), call('get_entity', { name: 'Binance' }), call('list_risky_wallets', { chain, min_risk: 30, limit: 2 }), call('list_entities', { limit: 1 }), call('list_label_rules'), call('list_copy_trades', { chain, limit: 1 }), call('get_mev', { id: arbitrage, chain }),
  call('list_emerging_tokens', { limit: 1 }), call('list_tokens_emerging', { limit: 1 }), call('list_intelligence_emerging', { limit: 1 }), call('list_agents', { chain, limit: 1 }), call('get_agents_summary'),
  call('get_public_alarm'), call('get_trust'), call('get_verification'), call('count_waitlist'), call('list_tiers'), call('get_meta'), call('list_address_labels'), call('list_event_tags', { event_id: 'example' }),
  call('get_transaction', { tx_hash: payment }), call('get_receipt', { tx_hash: payment }), call('get_receipt', { tx_hash: `0x${'ab'.repeat(32)}` }), call('get_block_raw', { block_number: 18_000_000 }),
  call('get_logs', { from_block: 19_426_587, to_block: 19_426_587, address: weth, limit: 1 }), call('call_node', { method: 'eth_chainId' }), call('list_mev', { chain, limit: 1 }), call('list_mev_searchers', { chain, days: 1, limit: 1 }), call('list_candles', { address: weth, chain, limit: 1 }), call('list_wallet_transfers', { address: exchange, chain, limit: 1 }),
  call('get_labels', { address: exchange, chain }), call('list_label_changes', { chain, limit: 1 }), call('get_token', { token: weth, chain }), call('get_wallet_pnl', { address: trader, chain, limit: 1 }), call('list_leaders', { chain, limit: 1 }), call('list_predictions', { chain, limit: 1 }),
  call('list_btc_flows', { limit: 2 }), call('get_btc_cluster', { address: dice, limit: 1 }), call('list_coinjoins', { limit: 1 }), call('trace_funds', { address: dice, chain: 'BTC', hops: 1, limit: 1 }), call('get_wallet', { address: dice, chain: 'BTC' }),
  call('get_sql_schema', { view: 'blocks' }), call('run_sql', { query: "SELECT block_number, tx_count FROM blocks WHERE chain = 'ETH' ORDER BY block_number DESC LIMIT 1" }),
]
