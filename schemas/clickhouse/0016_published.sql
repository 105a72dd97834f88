-- What analysts may read by SQL of their own: views in a database of their own, and nothing beside them. A view reads with the rights of who
-- made it, so its reader needs none on the tables. Hashes and addresses are texts, 0x and lower case; amounts are exact; times are UTC.
-- The comments are the schema listing. Views with a parameter reach rows through a sort key that a comparison of
-- texts would not use; a parameter of another form is an error that the server finds before it reads, and no empty answer.

-- Rollbacks whose rows are not all deleted yet: from ceiling on, rows of the chain may be those of blocks that are gone. Grain: one chain.
CREATE VIEW IF NOT EXISTS unsettled AS
SELECT chain, min(from_block) AS ceiling FROM plans
WHERE kind = 'rollback' AND (chain, seq) NOT IN (SELECT chain, seq FROM rollbacks_applied WHERE step = 'deleted') GROUP BY chain;

CREATE DATABASE IF NOT EXISTS published_{{database}};

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
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
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
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Transactions. Grain: one transaction. Sort key chain, block_number, tx_index; of one hash: transaction_of(hash = 0x…).';

CREATE OR REPLACE VIEW published_{{database}}.transaction_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, s.tx_index, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, s.tx_type, concat('0x', lower(hex(s.from_address))) AS from_address,
  if(s.creates_contract, NULL, concat('0x', lower(hex(s.to_address)))) AS to_address, if(s.creates_contract, concat('0x', lower(hex(s.contract_address))), NULL) AS contract_address, s.value, s.nonce,
  s.gas_limit, s.gas_used, s.gas_price, s.max_priority_fee_per_gas, s.status, concat('0x', lower(hex(s.selector))) AS selector, s.input_size
FROM {{database}}.transactions AS s
WHERE s.tx_hash = toFixedString(unhex(substring({hash:String}, 3, 64)), 32) AND toUInt8(if(match({hash:String}, '^0x[0-9a-fA-F]{64}$'), '1', 'hash: 0x and 64 hex digits')) AND (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
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
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Event logs. Grain: one log. Sort key chain, block_number, log_index.';

CREATE OR REPLACE VIEW published_{{database}}.withdrawals (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', withdrawal_index UInt64 COMMENT 'Index',
  block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', validator_index UInt64 COMMENT 'Validator', address String COMMENT 'Receiver', amount UInt256 COMMENT 'Wei'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, s.withdrawal_index, s.block_time, s.validator_index, concat('0x', lower(hex(s.address))) AS address, s.amount
FROM {{database}}.withdrawals AS s
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Beacon withdrawals. Grain: one withdrawal.';

CREATE OR REPLACE VIEW published_{{database}}.transfers (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query',
  kind LowCardinality(String) COMMENT 'native, internal, withdrawal, erc20, erc721, erc1155, wrap, unwrap', position UInt32 COMMENT 'Orders movements of a kind in a block',
  sub UInt32 COMMENT 'Counts inside one log', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction', token String COMMENT 'Contract; zero for the coin of the chain',
  token_symbol LowCardinality(String) COMMENT 'Symbol as the token tells it: text of a stranger', token_decimals Nullable(UInt8) COMMENT 'null while unknown', from_address String COMMENT 'Sender',
  to_address String COMMENT 'Receiver', amount UInt256 COMMENT 'Smallest unit; copies for NFTs', token_id UInt256 COMMENT 'NFT id; 0 where there is none',
  value_usd Nullable(Float64) COMMENT 'USD then; null while unknown', from_label LowCardinality(String) COMMENT 'Label as known then', from_entity LowCardinality(String) COMMENT 'Owner as known then',
  from_class LowCardinality(String) COMMENT 'Class as known then', to_label LowCardinality(String) COMMENT 'Label as known then', to_entity LowCardinality(String) COMMENT 'Owner as known then',
  to_class LowCardinality(String) COMMENT 'Class as known then'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, toString(s.kind) AS kind, s.position, s.sub, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, concat('0x', lower(hex(s.token))) AS token, s.token_symbol,
  s.token_decimals, concat('0x', lower(hex(s.from_address))) AS from_address, concat('0x', lower(hex(s.to_address))) AS to_address, s.amount, s.token_id, s.value_usd, s.from_label, s.from_entity, s.from_class,
  s.to_label, s.to_entity, s.to_class
FROM {{database}}.transfers AS s
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Movements of value. Grain: one movement. Sort key chain, block_number; of one address: transfers_of(address = 0x…).';

CREATE OR REPLACE VIEW published_{{database}}.transfers_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, toString(s.kind) AS kind, s.position, toString(s.direction) AS direction, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, concat('0x', lower(hex(s.token))) AS token,
  concat('0x', lower(hex(s.other))) AS other, s.amount, s.token_id, s.value_usd
FROM {{database}}.address_transfers AS s
WHERE s.address = toFixedString(unhex(substring({address:String}, 3, 40)), 20) AND toUInt8(if(match({address:String}, '^0x[0-9a-fA-F]{40}$'), '1', 'address: 0x and 40 hex digits')) AND (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Movements of one address, through its index: SELECT * FROM transfers_of(address = 0x…). Two rows where it pays itself.';

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
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Swaps on exchanges. Grain: one swap event. Sort key chain, block_number, log_index. Rows with aggregator repeat rows of pools: never add the two up.';

CREATE OR REPLACE VIEW published_{{database}}.prices (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', token String COMMENT 'Contract; zero for the coin of the chain', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query',
  block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', usd Float64 COMMENT 'USD per whole token', method LowCardinality(String) COMMENT 'chainlink, peg, vwap, two_hop',
  trades UInt32 COMMENT 'Trades behind it', depth_usd Float64 COMMENT 'Depth behind it'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.token))) AS token, s.block_number, s.block_time, s.usd, s.method, s.trades, s.depth_usd
FROM {{database}}.prices AS s
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Prices. Grain: one token priced at one block. Of one token: prices_of(token = 0x…).';

CREATE OR REPLACE VIEW published_{{database}}.prices_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.token))) AS token, s.block_number, s.block_time, s.usd, s.method, s.trades, s.depth_usd
FROM {{database}}.prices AS s
WHERE s.token = toFixedString(unhex(substring({token:String}, 3, 40)), 20) AND toUInt8(if(match({token:String}, '^0x[0-9a-fA-F]{40}$'), '1', 'token: 0x and 40 hex digits')) AND (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Prices of one token, through the sort key: SELECT * FROM prices_of(token = 0x…). Columns as prices.';

CREATE OR REPLACE VIEW published_{{database}}.tokens (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', address String COMMENT 'Contract', symbol String COMMENT 'Text of a stranger unless source is a list',
  name String COMMENT 'Text of a stranger unless source is a list', decimals Nullable(UInt8) COMMENT 'null while unknown', stable Bool COMMENT 'Stablecoin', source LowCardinality(String) COMMENT 'List, or node'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.address))) AS address, s.symbol, s.name, s.decimals, s.stable, s.source
FROM {{database}}.tokens AS s FINAL
COMMENT 'Tokens met so far. Grain: one token.';

CREATE OR REPLACE VIEW published_{{database}}.labels (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', address String COMMENT 'Address', label String COMMENT 'Label', entity String COMMENT 'Owner', category LowCardinality(String) COMMENT 'Class',
  source LowCardinality(String) COMMENT 'Source', rule LowCardinality(String) COMMENT 'Rule, where one decided', confidence UInt8 COMMENT '0 to 100',
  licence LowCardinality(String) COMMENT 'Licence of the source', valid_from DateTime64(3, 'UTC') COMMENT 'Since'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.address, s.label, s.entity, s.category, s.source, s.rule, s.confidence, s.licence, s.valid_from
FROM {{database}}.labels AS s FINAL
WHERE NOT s.removed
COMMENT 'What sources say about addresses. Grain: one statement of one source. Sort key chain, address: a filter on both is cheap.';

CREATE OR REPLACE VIEW published_{{database}}.pools (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', pool String COMMENT 'Address, or the 32-byte id in a singleton', protocol LowCardinality(String) COMMENT 'Protocol',
  tokens Array(String) COMMENT 'Tokens in order', trusted Bool COMMENT 'Provably what it says', accepted Bool COMMENT 'Believed', first_block UInt64 COMMENT 'First seen'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, if(substring(s.pool, 1, 12) = toFixedString('', 12), concat('0x', substring(lower(hex(s.pool)), 25)), concat('0x', lower(hex(s.pool)))) AS pool, s.protocol,
  arrayMap(one -> concat('0x', lower(hex(one))), s.tokens) AS tokens, s.trusted, s.accepted, s.first_block
FROM {{database}}.pools AS s
COMMENT 'Pools and their tokens. Grain: one pool.';

CREATE OR REPLACE VIEW published_{{database}}.wallets (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', address String COMMENT 'Address', transfers_in UInt64 COMMENT 'Transfers received', usd_in Float64 COMMENT 'USD received, as far as priced',
  transfers_out UInt64 COMMENT 'Transfers sent', usd_out Float64 COMMENT 'USD sent, as far as priced', first_block UInt64 COMMENT 'First seen', last_block UInt64 COMMENT 'Last seen',
  first_seen DateTime64(3, 'UTC') COMMENT 'First seen', last_seen DateTime64(3, 'UTC') COMMENT 'Last seen'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.address))) AS address, s.transfers_in, s.usd_in, s.transfers_out, s.usd_out, s.first_block, s.last_block, s.first_seen, s.last_seen
FROM {{database}}.wallets AS s
COMMENT 'Addresses. Grain: one address. All of them are summed: of one, ask wallet_of(address = 0x…).';

CREATE OR REPLACE VIEW published_{{database}}.wallet_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.address))) AS address, s.transfers_in, s.usd_in, s.transfers_out, s.usd_out, s.first_block, s.last_block, s.first_seen, s.last_seen
FROM {{database}}.wallets AS s
WHERE s.address = toFixedString(unhex(substring({address:String}, 3, 40)), 20) AND toUInt8(if(match({address:String}, '^0x[0-9a-fA-F]{40}$'), '1', 'address: 0x and 40 hex digits'))
COMMENT 'One address, through the sort key: SELECT * FROM wallet_of(address = 0x…). Columns as wallets.';

CREATE OR REPLACE VIEW published_{{database}}.token_hours (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', hour DateTime('UTC') COMMENT 'Start of the hour; sort key after chain', token String COMMENT 'Contract', transfers UInt64 COMMENT 'Transfers',
  amount Nullable(UInt256) COMMENT 'Smallest unit; null: not known', value_usd Float64 COMMENT 'USD, as far as priced', priced_transfers UInt64 COMMENT 'Of them priced',
  senders UInt64 COMMENT 'Different senders, about', receivers UInt64 COMMENT 'Different receivers, about'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.hour, concat('0x', lower(hex(s.token))) AS token, s.transfers, s.amount, s.value_usd, s.priced_transfers, s.senders, s.receivers
FROM {{database}}.token_hours AS s
COMMENT 'Transfers per token and hour.';

CREATE OR REPLACE VIEW published_{{database}}.pair_hours (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', hour DateTime('UTC') COMMENT 'Start of the hour; sort key after chain', token_a String COMMENT 'Token', token_b String COMMENT 'Token',
  protocol LowCardinality(String) COMMENT 'Protocol', swaps UInt64 COMMENT 'Swaps', amount_a Nullable(UInt256) COMMENT 'Smallest unit', amount_b Nullable(UInt256) COMMENT 'Smallest unit',
  value_usd Float64 COMMENT 'USD, as far as priced', traders UInt64 COMMENT 'Different traders, about'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.hour, concat('0x', lower(hex(s.token_a))) AS token_a, concat('0x', lower(hex(s.token_b))) AS token_b, s.protocol, s.swaps, s.amount_a, s.amount_b, s.value_usd, s.traders
FROM {{database}}.pair_hours AS s
COMMENT 'Swaps per pair, protocol and hour.';

CREATE OR REPLACE VIEW published_{{database}}.class_hours (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', hour DateTime('UTC') COMMENT 'Start of the hour; sort key after chain', from_class LowCardinality(String) COMMENT 'Class of senders',
  to_class LowCardinality(String) COMMENT 'Class of receivers', token String COMMENT 'Contract', transfers UInt64 COMMENT 'Transfers', amount Nullable(UInt256) COMMENT 'Smallest unit',
  value_usd Float64 COMMENT 'USD, as far as priced'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.hour, s.from_class, s.to_class, concat('0x', lower(hex(s.token))) AS token, s.transfers, s.amount, s.value_usd
FROM {{database}}.class_hours AS s
COMMENT 'Flows between classes of addresses per hour.';

CREATE OR REPLACE VIEW published_{{database}}.entity_hours (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', hour DateTime('UTC') COMMENT 'Start of the hour; sort key after chain', entity LowCardinality(String) COMMENT 'Owner', token String COMMENT 'Contract',
  transfers_in UInt64 COMMENT 'Received', amount_in Nullable(UInt256) COMMENT 'Smallest unit', usd_in Float64 COMMENT 'USD', transfers_out UInt64 COMMENT 'Sent',
  amount_out Nullable(UInt256) COMMENT 'Smallest unit', usd_out Float64 COMMENT 'USD', transfers_internal UInt64 COMMENT 'Among its own addresses'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.hour, s.entity, concat('0x', lower(hex(s.token))) AS token, s.transfers_in, s.amount_in, s.usd_in, s.transfers_out, s.amount_out, s.usd_out, s.transfers_internal
FROM {{database}}.entity_hours AS s
COMMENT 'Flows of known owners per hour.';

CREATE OR REPLACE VIEW published_{{database}}.stablecoin_events (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block',
  tx_hash String COMMENT 'Transaction', kind String COMMENT 'mint, burn, freeze', token String COMMENT 'Contract', account String COMMENT 'Who received, gave or was frozen',
  amount UInt256 COMMENT 'Smallest unit'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, s.kind, concat('0x', lower(hex(s.token))) AS token, concat('0x', lower(hex(s.account))) AS account, s.amount
FROM {{database}}.stablecoin_events AS s
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Mints, burns and freezes of stablecoins. Grain: one event. Bound block_number.';

CREATE OR REPLACE VIEW published_{{database}}.alerts (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query', id String COMMENT 'Id, the same for ever',
  rule LowCardinality(String) COMMENT 'Rule', severity LowCardinality(String) COMMENT 'low, medium, high', block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', tx_hash String COMMENT 'Transaction',
  summary String COMMENT 'In words', value_usd Nullable(Float64) COMMENT 'USD', from_address String COMMENT 'From', to_address String COMMENT 'To'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.block_number, lower(hex(s.id)) AS id, s.rule, s.severity, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash, s.summary, s.value_usd,
  concat('0x', lower(hex(s.from_address))) AS from_address, concat('0x', lower(hex(s.to_address))) AS to_address
FROM {{database}}.alerts AS s FINAL
WHERE NOT s.retracted AND (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'What rules named. Grain: one event; events of blocks that are gone are not there.';
