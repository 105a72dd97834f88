-- Three things that were told as known, or as paid to others, and are not.
-- Published sums of dollars (of 0016, 0085) were 0 where nothing of what moved has a price: they are null there. Of classes and pairs, as of tokens, how many have one is kept, and told; of owners and addresses it is
-- not kept, so a sum of nothing is null where something moved. What an owner received on Bitcoin where an input is not known is in no other sum: published entity_hours says how much that is.
-- And what all goes to addresses of who paid, or of the same owner as known when the row was enriched (btc_flows: internal), is no payment and no payout: btc_transaction_intents (of 0074) says so. The other rules stay.

CREATE OR REPLACE VIEW published_{{database}}.wallets (
  chain LowCardinality(String) COMMENT 'Chain id: ETH, BTC', address String COMMENT 'Address; of Bitcoin its id, whose text btc_addresses has', transfers_in UInt64 COMMENT 'Transfers received', usd_in Nullable(Float64) COMMENT 'USD received, as far as priced; null: something moved, and none of it is known to be worth anything',
  transfers_out UInt64 COMMENT 'Transfers sent', usd_out Nullable(Float64) COMMENT 'USD sent, the same', first_block UInt64 COMMENT 'First seen', last_block UInt64 COMMENT 'Last seen',
  first_seen DateTime64(3, 'UTC') COMMENT 'First seen', last_seen DateTime64(3, 'UTC') COMMENT 'Last seen'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.address))) AS address, s.transfers_in, if(s.transfers_in > 0 AND s.usd_in = 0, NULL, s.usd_in) AS usd_in, s.transfers_out, if(s.transfers_out > 0 AND s.usd_out = 0, NULL, s.usd_out) AS usd_out, s.first_block, s.last_block, s.first_seen, s.last_seen
FROM {{database}}.wallets AS s
COMMENT 'Addresses. Grain: one address. All of them are summed: of one, ask wallet_of(address = …).';

CREATE OR REPLACE VIEW published_{{database}}.wallet_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.address))) AS address, s.transfers_in, if(s.transfers_in > 0 AND s.usd_in = 0, NULL, s.usd_in) AS usd_in, s.transfers_out, if(s.transfers_out > 0 AND s.usd_out = 0, NULL, s.usd_out) AS usd_out, s.first_block, s.last_block, s.first_seen, s.last_seen
FROM {{database}}.wallets AS s
WHERE s.address = toFixedString(if(startsWith({address:String}, '0x'), unhex(substring({address:String}, 3, 40)), substring(SHA256(if(match({address:String}, '^(BC|TB|BCRT|LTC|RLTC)1'), lower({address:String}), {address:String})), 1, 20)), 20)
  AND toUInt8(if(match({address:String}, '^(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{26,35}|(bc|tb|bcrt|ltc|rltc)1[02-9ac-hj-np-z]{6,87}|(BC|TB|BCRT|LTC|RLTC)1[02-9AC-HJ-NP-Z]{6,87}|script[0-9a-f]{64})$'), '1', 'address: 0x and 40 hex digits, or an address of Bitcoin'))
COMMENT 'One address, through the sort key: SELECT * FROM wallet_of(address = …), 0x… or as Bitcoin writes it. Columns as wallets.';

CREATE OR REPLACE VIEW published_{{database}}.token_hours (
  chain LowCardinality(String) COMMENT 'Chain id: ETH, BTC', hour DateTime('UTC') COMMENT 'Start of the hour; sort key after chain', token String COMMENT 'Contract; zero for the coin of the chain', transfers UInt64 COMMENT 'Transfers',
  amount Nullable(UInt256) COMMENT 'Smallest unit; null: not known', value_usd Nullable(Float64) COMMENT 'USD, as far as priced; null: nothing is priced', priced_transfers UInt64 COMMENT 'Of them priced',
  senders UInt64 COMMENT 'Different senders, about', receivers UInt64 COMMENT 'Different receivers, about'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.hour, concat('0x', lower(hex(s.token))) AS token, s.transfers, s.amount, if(s.priced_transfers = 0, NULL, s.value_usd) AS value_usd, s.priced_transfers, s.senders, s.receivers
FROM {{database}}.token_hours AS s
COMMENT 'Transfers per token and hour.';

CREATE OR REPLACE VIEW published_{{database}}.pair_hours (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', hour DateTime('UTC') COMMENT 'Start of the hour; sort key after chain', token_a String COMMENT 'Token', token_b String COMMENT 'Token',
  protocol LowCardinality(String) COMMENT 'Protocol', swaps UInt64 COMMENT 'Swaps', amount_a Nullable(UInt256) COMMENT 'Smallest unit', amount_b Nullable(UInt256) COMMENT 'Smallest unit',
  value_usd Nullable(Float64) COMMENT 'USD, as far as priced; null: nothing is priced', priced_swaps UInt64 COMMENT 'Of them priced', traders UInt64 COMMENT 'Different traders, about'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.hour, concat('0x', lower(hex(s.token_a))) AS token_a, concat('0x', lower(hex(s.token_b))) AS token_b, s.protocol, s.swaps, s.amount_a, s.amount_b, if(s.priced_swaps = 0, NULL, s.value_usd) AS value_usd, s.priced_swaps, s.traders
FROM {{database}}.pair_hours AS s
COMMENT 'Swaps per pair, protocol and hour.';

CREATE OR REPLACE VIEW published_{{database}}.class_hours (
  chain LowCardinality(String) COMMENT 'Chain id: ETH, BTC', hour DateTime('UTC') COMMENT 'Start of the hour; sort key after chain', from_class LowCardinality(String) COMMENT 'Class of senders',
  to_class LowCardinality(String) COMMENT 'Class of receivers', token String COMMENT 'Contract; zero for the coin of the chain', transfers UInt64 COMMENT 'Transfers', amount Nullable(UInt256) COMMENT 'Smallest unit',
  value_usd Nullable(Float64) COMMENT 'USD, as far as priced; null: nothing is priced', priced_transfers UInt64 COMMENT 'Of them priced'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.hour, s.from_class, s.to_class, concat('0x', lower(hex(s.token))) AS token, s.transfers, s.amount, if(s.priced_transfers = 0, NULL, s.value_usd) AS value_usd, s.priced_transfers
FROM {{database}}.class_hours AS s
COMMENT 'Flows between classes of addresses per hour.';

CREATE OR REPLACE VIEW published_{{database}}.entity_hours (
  chain LowCardinality(String) COMMENT 'Chain id: ETH, BTC', hour DateTime('UTC') COMMENT 'Start of the hour; sort key after entity', entity LowCardinality(String) COMMENT 'Owner', token String COMMENT 'Contract; zero for the coin of the chain',
  transfers_in UInt64 COMMENT 'Received', amount_in Nullable(UInt256) COMMENT 'Smallest unit', usd_in Nullable(Float64) COMMENT 'USD, as far as priced; null: something moved, and none of it is known to be worth anything', transfers_out UInt64 COMMENT 'Sent',
  amount_out Nullable(UInt256) COMMENT 'Smallest unit', usd_out Nullable(Float64) COMMENT 'USD, the same', transfers_internal UInt64 COMMENT 'Among its own addresses',
  transfers_unknown UInt64 COMMENT 'BTC: received where an input is not known, so it may be its own change: in no other sum', amount_unknown UInt256 COMMENT 'Smallest unit of these', usd_unknown Nullable(Float64) COMMENT 'USD of these, as usd_in'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.hour, s.entity, concat('0x', lower(hex(s.token))) AS token, s.transfers_in, s.amount_in, if(s.transfers_in > 0 AND s.usd_in = 0 AND ifNull(s.amount_in, 1) > 0, NULL, s.usd_in) AS usd_in, s.transfers_out,
  s.amount_out, if(s.transfers_out > 0 AND s.usd_out = 0 AND ifNull(s.amount_out, 1) > 0, NULL, s.usd_out) AS usd_out, s.transfers_internal,
  s.transfers_unknown, s.amount_unknown, if(s.transfers_unknown > 0 AND s.usd_unknown = 0 AND ifNull(s.amount_unknown, 1) > 0, NULL, s.usd_unknown) AS usd_unknown
FROM (
  SELECT e.chain AS chain, e.hour AS hour, e.entity AS entity, e.token AS token, sum(e.transfers_in) AS transfers_in, if(sum(e.oversized) = 0, sum(e.amount_in), NULL) AS amount_in, toFloat64(sum(e.usd_in)) AS usd_in,
    sum(e.transfers_out) AS transfers_out, if(sum(e.oversized) = 0, sum(e.amount_out), NULL) AS amount_out, toFloat64(sum(e.usd_out)) AS usd_out, sum(e.transfers_internal) AS transfers_internal,
    sum(e.transfers_unknown) AS transfers_unknown, sum(e.amount_unknown) AS amount_unknown, toFloat64(sum(e.usd_unknown)) AS usd_unknown
  FROM {{database}}.entity_token_segments AS e FINAL GROUP BY chain, hour, entity, token
) AS s
COMMENT 'Flows of known owners per hour.';

CREATE OR REPLACE VIEW btc_transaction_intents AS
WITH page AS (
  SELECT * FROM btc_transactions AS t
  WHERE t.chain = {chain:String} AND t.block_number IN {blocks:Array(UInt64)} AND has({hashes:Array(String)}, lower(hex(t.txid)))
)
SELECT p.txid AS hash, p.block_number AS block_number, p.tx_index AS tx_index, p.block_time AS block_time, f.sender AS sender, f.receiver AS receiver, i.senders AS senders, f.usd AS usd,
  arrayFilter(o -> o.4 = '' AND NOT has(i.senders, o.3), s.outs) AS others, arrayCount(o -> o.4 = '', s.outs) AS spendable, arrayMax(arrayMap(o -> o.2, others)) AS largest, arrayFirst(o -> o.4 != '', s.outs).4 AS said,
  multiIf(
    p.coinbase, ('coinbase', 'the first of its block, which pays the miner'),
    j.confidence >= 50, ('coinjoin', concat('detector ', j.detector)),
    f.mixed, ('mixer', 'value moved to or from a mixer'),
    startsWith(said, concat('omni', unhex('00000000'))), ('token_transfer', 'an OP_RETURN says a simple send of Omni'),
    said != '' AND largest <= 2730, ('data', 'an OP_RETURN, and no more than dust for others'),
    p.input_count >= 5 AND spendable = 1, ('consolidation', 'five inputs or more into one output'),
    empty(others) AND p.input_count > spendable AND p.unresolved_inputs = 0, ('consolidation', 'fewer outputs than inputs, all back to who paid'),
    empty(others), ('internal', 'every output goes back to who paid'),
    f.flow = 'internal', ('internal', 'all of it stays with its owner'),
    p.unresolved_inputs > 0, ('other', 'an input is not known, so what is change is not'),
    length(others) >= 5, ('batch_payout', 'five outputs or more to others'),
    largest > 2730, ('payment', 'up to four outputs to others'),
    ('other', 'no rule fits')) AS verdict
FROM page AS p
LEFT JOIN (
  SELECT block_number, tx_index, arraySort(groupArray((o.vout, o.value, if(o.party = '', toFixedString('', 20), toFixedString(substring(SHA256(o.party), 1, 20), 20)), if(o.script_type = 'nulldata', if(o.data = '', ' ', o.data), '')))) AS outs
  FROM btc_outputs AS o WHERE o.chain = {chain:String} AND (o.block_number, o.tx_index) IN (SELECT page.block_number, page.tx_index FROM page)
  GROUP BY block_number, tx_index
) AS s ON s.block_number = p.block_number AND s.tx_index = p.tx_index
LEFT JOIN (
  SELECT block_number, tx_index, groupUniqArrayIf(toFixedString(substring(SHA256(v.party), 1, 20), 20), v.party != '') AS senders
  FROM btc_inputs AS v WHERE v.chain = {chain:String} AND (v.block_number, v.tx_index) IN (SELECT page.block_number, page.tx_index FROM page)
  GROUP BY block_number, tx_index
) AS i ON i.block_number = p.block_number AND i.tx_index = p.tx_index
LEFT JOIN (
  SELECT block_number, tx_index, flow, from_address AS sender, to_address AS receiver, if(flow = 'unknown', NULL, value_usd) AS usd, from_class = 'mixer' OR to_class = 'mixer' OR arrayExists(one -> one.2 = 'mixer', named) AS mixed
  FROM btc_flows WHERE chain = {chain:String} AND block_number IN {blocks:Array(UInt64)}
) AS f ON f.block_number = p.block_number AND f.tx_index = p.tx_index
LEFT JOIN (
  SELECT block_number, tx_index, argMax(c.detector, c.confidence) AS detector, max(c.confidence) AS confidence FROM btc_coinjoins AS c WHERE c.chain = {chain:String} AND c.block_number IN {blocks:Array(UInt64)} GROUP BY block_number, tx_index
) AS j ON j.block_number = p.block_number AND j.tx_index = p.tx_index;
