-- Two things of what analysts read (0016, 0020, 0059). Rows are left out where the rollback of their own chain begins: it was where that of any chain did, so that with two at once one of lower heights
-- (Bitcoin's) hid nearly all of the other. And Bitcoin: views that hold it say so, its addresses have a view that tells text and id from each other, and views of one address take its text.
-- Columns stay those that were there. What is no view of rows by block (sums, pools) is not cut: their rows follow when a rollback is carried out.

CREATE OR REPLACE VIEW published_{{database}}.blocks (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', block_hash String COMMENT 'Hash',
  parent_hash String COMMENT 'Hash of the block before', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', miner String COMMENT 'Who was paid for the block', gas_used UInt64 COMMENT 'Gas used',
  gas_limit UInt64 COMMENT 'Gas possible', base_fee_per_gas Nullable(UInt256) COMMENT 'Wei; null before London', size UInt64 COMMENT 'Bytes', tx_count UInt32 COMMENT 'Transactions',
  log_count UInt32 COMMENT 'Logs', withdrawal_count UInt32 COMMENT 'Beacon withdrawals', blob_gas_used Nullable(UInt64) COMMENT 'Blob gas',
  internal_complete Bool COMMENT 'false: movements inside transactions are not known'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, concat('0x', lower(hex(s.block_hash))) AS block_hash, concat('0x', lower(hex(s.parent_hash))) AS parent_hash, s.block_time, concat('0x', lower(hex(s.miner))) AS miner, s.gas_used,
  s.gas_limit, s.base_fee_per_gas, s.size, s.tx_count, s.log_count, s.withdrawal_count, s.blob_gas_used, s.internal_complete
FROM {{database}}.blocks AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Blocks. Grain: one block. Sort key chain, block_number.';

CREATE OR REPLACE VIEW published_{{database}}.transactions (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', tx_index UInt32 COMMENT 'Place in the block',
  block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction', tx_type UInt8 COMMENT 'EIP-2718 type', from_address String COMMENT 'Sender',
  to_address Nullable(String) COMMENT 'Receiver; null where a contract is created', contract_address Nullable(String) COMMENT 'Contract created', value UInt256 COMMENT 'Wei', nonce UInt64 COMMENT 'Nonce',
  gas_limit UInt64 COMMENT 'Gas allowed', gas_used UInt64 COMMENT 'Gas used', gas_price UInt256 COMMENT 'Wei paid per gas', max_priority_fee_per_gas Nullable(UInt256) COMMENT 'Wei offered',
  status Nullable(UInt8) COMMENT '1 success, 0 failed, null unknown', selector String COMMENT 'First four bytes of the input', input_size UInt32 COMMENT 'Bytes of input'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, s.tx_index, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, s.tx_type, concat('0x', lower(hex(s.from_address))) AS from_address,
  if(s.creates_contract, NULL, concat('0x', lower(hex(s.to_address)))) AS to_address, if(s.creates_contract, concat('0x', lower(hex(s.contract_address))), NULL) AS contract_address, s.value, s.nonce,
  s.gas_limit, s.gas_used, s.gas_price, s.max_priority_fee_per_gas, s.status, concat('0x', lower(hex(s.selector))) AS selector, s.input_size
FROM {{database}}.transactions AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Transactions. Grain: one transaction. Sort key chain, block_number, tx_index; of one hash: transaction_of(hash = 0x…).';

CREATE OR REPLACE VIEW published_{{database}}.transaction_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, s.tx_index, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, s.tx_type, concat('0x', lower(hex(s.from_address))) AS from_address,
  if(s.creates_contract, NULL, concat('0x', lower(hex(s.to_address)))) AS to_address, if(s.creates_contract, concat('0x', lower(hex(s.contract_address))), NULL) AS contract_address, s.value, s.nonce,
  s.gas_limit, s.gas_used, s.gas_price, s.max_priority_fee_per_gas, s.status, concat('0x', lower(hex(s.selector))) AS selector, s.input_size
FROM {{database}}.transactions AS s
WHERE s.tx_hash = toFixedString(unhex(substring({hash:String}, 3, 64)), 32) AND toUInt8(if(match({hash:String}, '^0x[0-9a-fA-F]{64}$'), '1', 'hash: 0x and 64 hex digits')) AND NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'One transaction by its hash, through an index: SELECT * FROM transaction_of(hash = 0x…). Columns as transactions.';

CREATE OR REPLACE VIEW published_{{database}}.logs (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', log_index UInt32 COMMENT 'Place in the block',
  block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction', address String COMMENT 'Contract that spoke', topic0 Nullable(String) COMMENT 'Signature of the event',
  topic1 Nullable(String) COMMENT 'Topic; null where there is none', topic2 Nullable(String) COMMENT 'Topic; null where there is none', topic3 Nullable(String) COMMENT 'Topic; null where there is none',
  data String COMMENT 'Data'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, s.log_index, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, concat('0x', lower(hex(s.address))) AS address,
  if(s.topic_count > 0, concat('0x', lower(hex(s.topic0))), NULL) AS topic0, if(s.topic_count > 1, concat('0x', lower(hex(s.topic1))), NULL) AS topic1,
  if(s.topic_count > 2, concat('0x', lower(hex(s.topic2))), NULL) AS topic2, if(s.topic_count > 3, concat('0x', lower(hex(s.topic3))), NULL) AS topic3, concat('0x', lower(hex(s.data))) AS data
FROM {{database}}.logs AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Event logs. Grain: one log. Sort key chain, block_number, log_index.';

CREATE OR REPLACE VIEW published_{{database}}.withdrawals (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', withdrawal_index UInt64 COMMENT 'Index',
  block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', validator_index UInt64 COMMENT 'Validator', address String COMMENT 'Receiver', amount UInt256 COMMENT 'Wei'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, s.withdrawal_index, s.block_time, s.validator_index, concat('0x', lower(hex(s.address))) AS address, s.amount
FROM {{database}}.withdrawals AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Beacon withdrawals. Grain: one withdrawal.';

CREATE OR REPLACE VIEW published_{{database}}.transfers (
  chain LowCardinality(String) COMMENT 'Chain id: ETH, BTC', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query',
  kind LowCardinality(String) COMMENT 'native, internal, withdrawal, erc20, erc721, erc1155, wrap, unwrap; on BTC utxo, coinbase', position UInt32 COMMENT 'Orders movements of a kind in a block',
  sub UInt32 COMMENT 'Counts inside one log', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction', token String COMMENT 'Contract; zero for the coin of the chain',
  token_symbol LowCardinality(String) COMMENT 'Symbol as the token tells it: text of a stranger', token_decimals Nullable(UInt8) COMMENT 'null while unknown', from_address String COMMENT 'Sender; of Bitcoin its id, whose text btc_addresses has',
  to_address String COMMENT 'Receiver; of Bitcoin its id, whose text btc_addresses has', amount UInt256 COMMENT 'Smallest unit; copies for NFTs', token_id UInt256 COMMENT 'NFT id; 0 where there is none',
  value_usd Nullable(Float64) COMMENT 'USD then; null while unknown', from_label LowCardinality(String) COMMENT 'Label as known then', from_entity LowCardinality(String) COMMENT 'Owner as known then',
  from_class LowCardinality(String) COMMENT 'Class as known then', to_label LowCardinality(String) COMMENT 'Label as known then', to_entity LowCardinality(String) COMMENT 'Owner as known then',
  to_class LowCardinality(String) COMMENT 'Class as known then'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, toString(s.kind) AS kind, s.position, s.sub, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, concat('0x', lower(hex(s.token))) AS token, s.token_symbol,
  s.token_decimals, concat('0x', lower(hex(s.from_address))) AS from_address, concat('0x', lower(hex(s.to_address))) AS to_address, s.amount, s.token_id, s.value_usd, s.from_label, s.from_entity, s.from_class,
  s.to_label, s.to_entity, s.to_class
FROM {{database}}.transfers AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Movements of value. Grain: one movement. Sort key chain, block_number; of one address: transfers_of(address = 0x…).';

CREATE OR REPLACE VIEW published_{{database}}.transfers_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, toString(s.kind) AS kind, s.position, toString(s.direction) AS direction, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, concat('0x', lower(hex(s.token))) AS token,
  concat('0x', lower(hex(s.other))) AS other, s.amount, s.token_id, s.value_usd
FROM {{database}}.address_transfers AS s
WHERE s.address = toFixedString(if(startsWith({address:String}, '0x'), unhex(substring({address:String}, 3, 40)), substring(SHA256(if(match({address:String}, '^(BC|TB|BCRT|LTC|RLTC)1'), lower({address:String}), {address:String})), 1, 20)), 20)
  AND toUInt8(if(match({address:String}, '^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{26,35}|(bc|tb|bcrt|ltc|rltc)1[02-9ac-hj-np-z]{6,87}|(BC|TB|BCRT|LTC|RLTC)1[02-9AC-HJ-NP-Z]{6,87}|script[0-9a-f]{64})$'), '1', 'address: 0x and 40 hex digits, or an address of Bitcoin')) AND NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Movements of one address, through its index: SELECT * FROM transfers_of(address = …), 0x… or as Bitcoin writes it. Two rows where it pays itself.';

CREATE OR REPLACE VIEW published_{{database}}.swaps (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', log_index UInt32 COMMENT 'Place in the block',
  block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction', protocol LowCardinality(String) COMMENT 'Protocol', aggregator Bool COMMENT 'true: repeats rows of pools',
  pool String COMMENT 'Address, or the 32-byte id in a singleton', trusted Bool COMMENT 'The pool provably is what it says', trader String COMMENT 'Who sent the transaction',
  recipient String COMMENT 'Who was paid', token_sold Nullable(String) COMMENT 'Given; null while unknown', token_sold_symbol LowCardinality(String) COMMENT 'Text of a stranger',
  amount_sold UInt256 COMMENT 'Smallest unit', token_bought Nullable(String) COMMENT 'Received; null while unknown', token_bought_symbol LowCardinality(String) COMMENT 'Text of a stranger',
  amount_bought UInt256 COMMENT 'Smallest unit', value_usd Nullable(Float64) COMMENT 'USD then; null while unknown'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, s.log_index, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, s.protocol, s.aggregator,
  if(substring(s.pool, 1, 12) = toFixedString('', 12), concat('0x', substring(lower(hex(s.pool)), 25)), concat('0x', lower(hex(s.pool)))) AS pool, s.trusted, concat('0x', lower(hex(s.trader))) AS trader,
  concat('0x', lower(hex(s.recipient))) AS recipient, if(s.token_sold_known, concat('0x', lower(hex(s.token_sold))), NULL) AS token_sold, s.token_sold_symbol, s.amount_sold,
  if(s.token_bought_known, concat('0x', lower(hex(s.token_bought))), NULL) AS token_bought, s.token_bought_symbol, s.amount_bought, s.value_usd
FROM {{database}}.swaps AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Swaps on exchanges. Grain: one swap event. Sort key chain, block_number, log_index. Rows with aggregator repeat rows of pools: never add the two up.';

CREATE OR REPLACE VIEW published_{{database}}.prices (
  chain LowCardinality(String) COMMENT 'Chain id: ETH, BTC', token String COMMENT 'Contract; zero for the coin of the chain', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query',
  block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', usd Float64 COMMENT 'USD per whole token',
  method LowCardinality(String) COMMENT 'chainlink, peg, vwap, two_hop; on BTC wbtc_ and one of these (of wrapped bitcoin on Ethereum), or hyperliquid_oracle (of the perps venue)',
  trades UInt32 COMMENT 'Trades behind it', depth_usd Float64 COMMENT 'Depth behind it'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.token))) AS token, s.block_number, s.block_time, s.usd, s.method, s.trades, s.depth_usd
FROM {{database}}.prices AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Prices. Grain: one token priced at one block. Of one token: prices_of(token = 0x…).';

CREATE OR REPLACE VIEW published_{{database}}.prices_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.token))) AS token, s.block_number, s.block_time, s.usd, s.method, s.trades, s.depth_usd
FROM {{database}}.prices AS s
WHERE s.token = toFixedString(unhex(substring({token:String}, 3, 40)), 20) AND toUInt8(if(match({token:String}, '^0x[0-9a-fA-F]{40}$'), '1', 'token: 0x and 40 hex digits')) AND NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Prices of one token, through the sort key: SELECT * FROM prices_of(token = 0x…). Columns as prices.';

CREATE OR REPLACE VIEW published_{{database}}.wallet_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.address))) AS address, s.transfers_in, s.usd_in, s.transfers_out, s.usd_out, s.first_block, s.last_block, s.first_seen, s.last_seen
FROM {{database}}.wallets AS s
WHERE s.address = toFixedString(if(startsWith({address:String}, '0x'), unhex(substring({address:String}, 3, 40)), substring(SHA256(if(match({address:String}, '^(BC|TB|BCRT|LTC|RLTC)1'), lower({address:String}), {address:String})), 1, 20)), 20)
  AND toUInt8(if(match({address:String}, '^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{26,35}|(bc|tb|bcrt|ltc|rltc)1[02-9ac-hj-np-z]{6,87}|(BC|TB|BCRT|LTC|RLTC)1[02-9AC-HJ-NP-Z]{6,87}|script[0-9a-f]{64})$'), '1', 'address: 0x and 40 hex digits, or an address of Bitcoin'))
COMMENT 'One address, through the sort key: SELECT * FROM wallet_of(address = …), 0x… or as Bitcoin writes it. Columns as wallets.';

CREATE OR REPLACE VIEW published_{{database}}.stablecoin_events (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block',
  tx_hash String COMMENT 'Transaction', kind String COMMENT 'mint, burn, freeze', token String COMMENT 'Contract', account String COMMENT 'Who received, gave or was frozen',
  amount UInt256 COMMENT 'Smallest unit'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, s.kind, concat('0x', lower(hex(s.token))) AS token, concat('0x', lower(hex(s.account))) AS account, s.amount
FROM {{database}}.stablecoin_events AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Mints, burns and freezes of stablecoins. Grain: one event. Bound block_number.';

CREATE OR REPLACE VIEW published_{{database}}.alerts (
  chain LowCardinality(String) COMMENT 'Chain id: ETH, BTC', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', id String COMMENT 'Id, the same for ever',
  rule LowCardinality(String) COMMENT 'Rule', severity LowCardinality(String) COMMENT 'low, medium, high', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction',
  summary String COMMENT 'In words', value_usd Nullable(Float64) COMMENT 'USD', from_address String COMMENT 'From; of Bitcoin its id, whose text btc_addresses has', to_address String COMMENT 'To; of Bitcoin its id, whose text btc_addresses has'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, lower(hex(s.id)) AS id, s.rule, s.severity, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, s.summary, s.value_usd,
  concat('0x', lower(hex(s.from_address))) AS from_address, concat('0x', lower(hex(s.to_address))) AS to_address
FROM {{database}}.alerts AS s FINAL
WHERE NOT s.retracted AND NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'What rules named. Grain: one event; events of blocks that are gone are not there.';

CREATE OR REPLACE VIEW published_{{database}}.wallet_trades (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', account String COMMENT 'Who traded', block_number UInt64 COMMENT 'Height',
  position UInt32 COMMENT 'Log index of the first swap', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction',
  token String COMMENT 'Token; the coin, its wrapped token and stablecoins are money and no rows', side String COMMENT 'buy, sell', role String COMMENT 'sender, owner, party',
  basis LowCardinality(String) COMMENT 'netted, or legs where traces are missing', amount UInt256 COMMENT 'Smallest unit',
  usd Nullable(Float64) COMMENT 'USD then; null while unknown', gas_wei UInt256 COMMENT 'Wei; on the first row of a transaction only', gas_usd Nullable(Float64) COMMENT 'USD of it'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.account))) AS account, s.block_number, s.position, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash,
  concat('0x', lower(hex(s.token))) AS token, toString(s.side) AS side, toString(s.role) AS role, s.basis, s.amount, s.usd, s.gas_wei, s.gas_usd
FROM {{database}}.wallet_trades AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'What accounts bought and sold, net of each transaction. Grain: one token of one account in one transaction. Sort key chain, account: of one, ask trades_of(account = 0x…); block_number is indexed.';

CREATE OR REPLACE VIEW published_{{database}}.trades_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.account))) AS account, s.block_number, s.position, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash,
  concat('0x', lower(hex(s.token))) AS token, toString(s.side) AS side, toString(s.role) AS role, s.basis, s.amount, s.usd, s.gas_wei, s.gas_usd
FROM {{database}}.wallet_trades AS s
WHERE s.account = toFixedString(unhex(substring({account:String}, 3, 40)), 20) AND toUInt8(if(match({account:String}, '^0x[0-9a-fA-F]{40}$'), '1', 'account: 0x and 40 hex digits')) AND NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Trades of one account, through the sort key: SELECT * FROM trades_of(account = 0x…). Columns as wallet_trades.';

CREATE OR REPLACE VIEW published_{{database}}.mev (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query',
  mev_id String COMMENT 'Id of the find, the same for ever', kind String COMMENT 'sandwich, arbitrage, liquidation, jit', rule LowCardinality(String) COMMENT 'Rule that found it',
  rule_version UInt16 COMMENT 'Version of the rule', grade LowCardinality(String) COMMENT 'high, medium, low', searcher String COMMENT 'Who took it',
  account String COMMENT 'Who sent the transaction', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction',
  tx_hashes Array(String) COMMENT 'All its transactions', protocols Array(LowCardinality(String)) COMMENT 'Protocols', legs UInt16 COMMENT 'Legs: mev_legs has them',
  victims UInt16 COMMENT 'Victims', losses_known UInt16 COMMENT 'Victims whose loss is known', victim_loss_usd Nullable(Float64) COMMENT 'Of those with a price; null while unknown',
  nets Array(Tuple(token String, amount String)) COMMENT 'What the searcher gained by token, signed, smallest unit',
  gross_usd Nullable(Float64) COMMENT 'Before costs; null while a price is unknown', gas_cost UInt256 COMMENT 'Wei',
  builder_payment Nullable(UInt256) COMMENT 'Wei; null without traces', gas_usd Nullable(Float64) COMMENT 'Gas in USD', builder_usd Nullable(Float64) COMMENT 'Payment in USD',
  net_usd Nullable(Float64) COMMENT 'After gas and payment; null while one is unknown', internal_complete Bool COMMENT 'false: movements inside transactions are not known'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, concat('0x', lower(hex(s.mev_id))) AS mev_id, toString(s.kind) AS kind, s.rule, s.rule_version, s.grade, concat('0x', lower(hex(s.searcher))) AS searcher,
  concat('0x', lower(hex(s.account))) AS account, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash,
  arrayMap(one -> concat('0x', lower(hex(one))), s.tx_hashes) AS tx_hashes, s.protocols, s.legs, s.victims, s.losses_known, s.victim_loss_usd,
  arrayMap(one -> CAST((concat('0x', lower(hex(one.1))), toString(one.2)), 'Tuple(token String, amount String)'), s.nets) AS nets, s.gross_usd, s.gas_cost, s.builder_payment,
  s.gas_usd, s.builder_usd, s.net_usd, s.internal_complete
FROM {{database}}.mev AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Extracted value. Grain: one find. Sort key chain, block_number.';

CREATE OR REPLACE VIEW published_{{database}}.mev_legs (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query',
  mev_id String COMMENT 'Id of the find, the same for ever', kind String COMMENT 'sandwich, arbitrage, liquidation, jit', rule LowCardinality(String) COMMENT 'Rule that found it',
  rule_version UInt16 COMMENT 'Version of the rule', grade LowCardinality(String) COMMENT 'high, medium, low', searcher String COMMENT 'Who took it',
  role LowCardinality(String) COMMENT 'front, victim, back, swap, repay, seize, mint, burn', own Bool COMMENT 'true: the searcher; false: a stranger',
  position UInt32 COMMENT 'Log index', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction',
  protocol LowCardinality(String) COMMENT 'Protocol', pool String COMMENT 'Address, or the 32-byte id in a singleton', account String COMMENT 'Who sent the transaction',
  token_in Nullable(String) COMMENT 'Given; null: none or not known', amount_in UInt256 COMMENT 'Smallest unit',
  token_out Nullable(String) COMMENT 'Received; null: none or not known', amount_out UInt256 COMMENT 'Smallest unit',
  loss Nullable(UInt256) COMMENT 'What the victim lost of token_out; null: not known', loss_reason LowCardinality(String) COMMENT 'Why not'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, concat('0x', lower(hex(s.mev_id))) AS mev_id, toString(s.kind) AS kind, s.rule, s.rule_version, s.grade, concat('0x', lower(hex(s.searcher))) AS searcher,
  s.role, s.own, s.position, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, s.protocol,
  if(substring(s.pool, 1, 12) = toFixedString('', 12), concat('0x', substring(lower(hex(s.pool)), 25)), concat('0x', lower(hex(s.pool)))) AS pool,
  concat('0x', lower(hex(s.account))) AS account, if(s.token_in_known, concat('0x', lower(hex(s.token_in))), NULL) AS token_in, s.amount_in,
  if(s.token_out_known, concat('0x', lower(hex(s.token_out))), NULL) AS token_out, s.amount_out, s.loss, s.loss_reason
FROM {{database}}.mev_legs AS s
WHERE NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
COMMENT 'Legs of extracted value. Grain: one leg of one find. Sort key chain, block_number, mev_id.';

CREATE OR REPLACE VIEW published_{{database}}.price_hours_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.token))) AS token, toStartOfHour(toDateTime(s.block_time, 'UTC')) AS hour, argMin(s.usd, s.block_number) AS open, max(s.usd) AS high,
  min(s.usd) AS low, argMax(s.usd, s.block_number) AS close, count() AS priced_blocks
FROM {{database}}.prices AS s
WHERE s.token = toFixedString(unhex(substring({token:String}, 3, 40)), 20) AND toUInt8(if(match({token:String}, '^0x[0-9a-fA-F]{40}$'), '1', 'token: 0x and 40 hex digits')) AND NOT arrayExists(one -> one.1 = s.chain AND one.2 <= s.block_number, (SELECT groupArray((u.chain, u.ceiling)) FROM {{database}}.unsettled AS u))
GROUP BY chain, token, hour
COMMENT 'Candles of one token by the hour, of the prices that blocks were valued at: SELECT * FROM price_hours_of(token = 0x…). An hour that is not there had no price. list_candles makes them from single swaps.';

CREATE OR REPLACE VIEW published_{{database}}.btc_addresses (
  chain LowCardinality(String) COMMENT 'Chain id: BTC', id String COMMENT 'What stands for the address in other views: 0x and the first 20 bytes of SHA-256 of its text',
  address String COMMENT 'As Bitcoin writes it; of a script without one the word script and the SHA-256 of it', script_type LowCardinality(String) COMMENT 'Kind of script',
  has_address Bool COMMENT 'false: a script without an address', id_bytes FixedString(20) COMMENT 'id as bytes; sort key: compare it with unhex(…) or substring(SHA256(text), 1, 20) for a cheap query'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  toLowCardinality('BTC') AS chain, concat('0x', lower(hex(s.id))) AS id, s.address, s.script_type, toBool(NOT match(s.address, '^script[0-9a-f]{64}$')) AS has_address, s.id AS id_bytes
FROM {{database}}.btc_parties AS s FINAL
COMMENT 'Addresses of Bitcoin by the ids that stand for them in other views. Grain: one address or script. Sort key id_bytes: id_bytes IN (SELECT toFixedString(unhex(substring(from_address, 3)), 20) FROM …); one alone: btc_address_of(address = …).';

CREATE OR REPLACE VIEW published_{{database}}.btc_address_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  toLowCardinality('BTC') AS chain, concat('0x', lower(hex(s.id))) AS id, s.address, s.script_type, toBool(NOT match(s.address, '^script[0-9a-f]{64}$')) AS has_address, s.id AS id_bytes
FROM {{database}}.btc_parties AS s FINAL
WHERE s.id = toFixedString(if(startsWith({address:String}, '0x'), unhex(substring({address:String}, 3, 40)), substring(SHA256(if(match({address:String}, '^(BC|TB|BCRT|LTC|RLTC)1'), lower({address:String}), {address:String})), 1, 20)), 20)
  AND toUInt8(if(match({address:String}, '^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{26,35}|(bc|tb|bcrt|ltc|rltc)1[02-9ac-hj-np-z]{6,87}|(BC|TB|BCRT|LTC|RLTC)1[02-9AC-HJ-NP-Z]{6,87}|script[0-9a-f]{64})$'), '1', 'address: 0x and 40 hex digits, or an address of Bitcoin'))
COMMENT 'One address of Bitcoin by its text or its id, through the sort key: SELECT * FROM btc_address_of(address = …). Columns as btc_addresses. No row: no block and no label named it.';

ALTER TABLE published_{{database}}.tokens COMMENT COLUMN chain 'Chain id: ETH, BTC';
ALTER TABLE published_{{database}}.entity_hours COMMENT COLUMN chain 'Chain id: ETH, BTC';
ALTER TABLE published_{{database}}.labels COMMENT COLUMN chain 'Chain id: ETH, BTC', COMMENT COLUMN address 'Address; of Bitcoin its id, whose text btc_addresses has';
ALTER TABLE published_{{database}}.label_changes COMMENT COLUMN chain 'Chain id: ETH, BTC', COMMENT COLUMN address 'Address; of Bitcoin its id, whose text btc_addresses has';
ALTER TABLE published_{{database}}.wallets COMMENT COLUMN chain 'Chain id: ETH, BTC', COMMENT COLUMN address 'Address; of Bitcoin its id, whose text btc_addresses has';
