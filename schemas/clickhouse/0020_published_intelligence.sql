-- More of what analysts may read by SQL of their own, as 0016 has it: classes and the changes of labels, trades and leaders, extracted value, predictions, prices by the hour.

CREATE OR REPLACE VIEW published_{{database}}.classes (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', address String COMMENT 'Address', label String COMMENT 'Label that the rule gives',
  entity String COMMENT 'Owner, where the rule tells', category LowCardinality(String) COMMENT 'Class', rule LowCardinality(String) COMMENT 'Rule: GET /v1/labels/rules has its words',
  rule_version UInt16 COMMENT 'Version of the rule', level LowCardinality(String) COMMENT 'How sure, in words', confidence UInt8 COMMENT '0 to 100',
  valid_from DateTime64(3, 'UTC') COMMENT 'Since, on the chain', at DateTime64(3, 'UTC') COMMENT 'Known here since', height UInt64 COMMENT 'Newest block the rule saw',
  evidence_rows UInt64 COMMENT 'Rows of the ledger it rests on', first_block UInt64 COMMENT 'Oldest of them', last_block UInt64 COMMENT 'Newest of them',
  value_usd Nullable(Float64) COMMENT 'USD of them; null while unknown', facts Map(String, String) COMMENT 'Numbers the rule looked at'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.address, s.label, s.entity, s.category, s.rule, s.rule_version, s.level, s.confidence, s.valid_from, s.at, s.height, s.evidence_rows, s.first_block, s.last_block,
  s.value_usd, s.facts
FROM {{database}}.derived_labels AS s
WHERE NOT s.cut
COMMENT 'Classes of addresses that rules derived; labels has what registers and imports say. Grain: one label of one address. Sort key chain, address.';

CREATE OR REPLACE VIEW published_{{database}}.label_changes (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', address String COMMENT 'Address', source LowCardinality(String) COMMENT 'Register, import, or rules',
  label String COMMENT 'Label', version UInt64 COMMENT 'Run that noted it; the newest counts', action String COMMENT 'added, changed, removed',
  at DateTime64(3, 'UTC') COMMENT 'Known here since', entity String COMMENT 'Owner', category LowCardinality(String) COMMENT 'Class',
  rule LowCardinality(String) COMMENT 'Rule, where one decided', level LowCardinality(String) COMMENT 'How sure, in words', confidence UInt8 COMMENT '0 to 100',
  valid_from DateTime64(3, 'UTC') COMMENT 'Since, on the chain', valid_to Nullable(DateTime64(3, 'UTC')) COMMENT 'Until, on the chain; null while it holds'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.address, s.source, s.label, s.version, toString(s.action) AS action, s.at, s.entity, s.category, s.rule, s.level, s.confidence, s.valid_from, s.valid_to
FROM {{database}}.label_changes AS s
WHERE s.version <= (SELECT max(r.version) FROM {{database}}.label_runs AS r WHERE r.step = 'landed')
COMMENT 'Every change of every statement about an address, in order of version. Sort key chain, address, source, label, version.';

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
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'What accounts bought and sold, net of each transaction. Grain: one token of one account in one transaction. Sort key chain, account: of one, ask trades_of(account = 0x…); block_number is indexed.';

CREATE OR REPLACE VIEW published_{{database}}.trades_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.account))) AS account, s.block_number, s.position, s.block_time, concat('0x', lower(hex(s.tx_hash))) AS tx_hash,
  concat('0x', lower(hex(s.token))) AS token, toString(s.side) AS side, toString(s.role) AS role, s.basis, s.amount, s.usd, s.gas_wei, s.gas_usd
FROM {{database}}.wallet_trades AS s
WHERE s.account = toFixedString(unhex(substring({account:String}, 3, 40)), 20) AND toUInt8(if(match({account:String}, '^0x[0-9a-fA-F]{40}$'), '1', 'account: 0x and 40 hex digits')) AND (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Trades of one account, through the sort key: SELECT * FROM trades_of(account = 0x…). Columns as wallet_trades.';

CREATE OR REPLACE VIEW published_{{database}}.leaders (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', rule LowCardinality(String) COMMENT 'Rule', rule_version UInt16 COMMENT 'Version of the rule',
  as_of UInt64 COMMENT 'Height the board is of', in_force_from UInt64 COMMENT 'Height from which it speaks; the newest counts', days UInt16 COMMENT '30, 90 or 180 days',
  account String COMMENT 'Leader', rank UInt32 COMMENT 'Rank by result after gas', net_usd Float64 COMMENT 'Realised USD after gas'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.rule, s.rule_version, s.as_of, s.in_force_from, s.days, concat('0x', lower(hex(s.account))) AS account, s.rank, s.net_usd
FROM {{database}}.leaders AS s
WHERE (s.chain, s.in_force_from) IN (SELECT r.chain, r.in_force_from FROM {{database}}.leader_runs AS r)
COMMENT 'Leaders of every board so far. Grain: one account of one board. Sort key chain, in_force_from, account.';

CREATE OR REPLACE VIEW published_{{database}}.leader_scores (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', rule LowCardinality(String) COMMENT 'Rule', rule_version UInt16 COMMENT 'Version of the rule',
  as_of UInt64 COMMENT 'Height the board is of', days UInt16 COMMENT '30, 90 or 180 days', account String COMMENT 'Account, winners and losers',
  realised_usd Float64 COMMENT 'By average cost, before gas', fifo_usd Float64 COMMENT 'By FIFO, before gas', gas_usd Float64 COMMENT 'Gas',
  net_usd Float64 COMMENT 'By average cost, after gas', volume_usd Float64 COMMENT 'Traded', trades UInt32 COMMENT 'Trades', closed UInt32 COMMENT 'Sales with a known cost',
  wins UInt32 COMMENT 'Of them with a gain', tokens UInt32 COMMENT 'Different tokens', best_token String COMMENT 'Token that brought most', best_usd Float64 COMMENT 'What it brought',
  unknown_share Float64 COMMENT 'Of what was sold, without a known cost or price', hold_hours Float64 COMMENT 'Hours held, weighted'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.rule, s.rule_version, s.as_of, s.days, concat('0x', lower(hex(s.account))) AS account, s.realised_usd, s.fifo_usd, s.gas_usd, s.net_usd, s.volume_usd, s.trades, s.closed,
  s.wins, s.tokens, concat('0x', lower(hex(s.best_token))) AS best_token, s.best_usd, s.unknown_share, s.hold_hours
FROM {{database}}.leader_scores AS s
COMMENT 'Scored accounts of every board, losers kept. Grain: one account of one board. Sort key chain, as_of, days, account.';

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
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
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
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Legs of extracted value. Grain: one leg of one find. Sort key chain, block_number, mev_id.';

CREATE OR REPLACE VIEW published_{{database}}.predictions (
  chain LowCardinality(String) COMMENT 'Chain id: ETH', target_hour DateTime('UTC') COMMENT 'The hour at whose end it is judged', token String COMMENT 'Token',
  model_version DateTime('UTC') COMMENT 'Hour as of which the model was trained', horizon_hours UInt16 COMMENT 'Hours ahead', made_at DateTime64(3, 'UTC') COMMENT 'When it was made',
  probability_up Float64 COMMENT 'That the price will be above price', price Float64 COMMENT 'USD then', features Map(String, Float64) COMMENT 'What the model saw',
  tested UInt32 COMMENT 'Hours the model was tested on', hit_rate Float64 COMMENT 'Right in the test', base_rate Float64 COMMENT 'Right by always naming the more frequent direction',
  price_later Nullable(Float64) COMMENT 'USD at the end; null while it is not over', hit Nullable(Bool) COMMENT 'Whether it was right; null while it is not over'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, s.target_hour, concat('0x', lower(hex(s.token))) AS token, toDateTime(s.version, 'UTC') AS model_version, s.horizon_hours, s.made_at, s.probability_up, s.price, s.features,
  s.tested, s.hit_rate, s.base_rate, if(o.version = 0, NULL, toNullable(o.price)) AS price_later, if(o.version = 0, NULL, toNullable(o.hit)) AS hit
FROM {{database}}.predictions AS s LEFT JOIN {{database}}.prediction_outcomes AS o ON o.chain = s.chain AND o.target_hour = s.target_hour AND o.token = s.token AND o.version = s.version
COMMENT 'Predictions and what came of them. Grain: one prediction. Sort key chain, target_hour, token.';

CREATE OR REPLACE VIEW published_{{database}}.price_hours_of DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.token))) AS token, toStartOfHour(toDateTime(s.block_time, 'UTC')) AS hour, argMin(s.usd, s.block_number) AS open, max(s.usd) AS high,
  min(s.usd) AS low, argMax(s.usd, s.block_number) AS close, count() AS priced_blocks
FROM {{database}}.prices AS s
WHERE s.token = toFixedString(unhex(substring({token:String}, 3, 40)), 20) AND toUInt8(if(match({token:String}, '^0x[0-9a-fA-F]{40}$'), '1', 'token: 0x and 40 hex digits')) AND (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
GROUP BY chain, token, hour
COMMENT 'Candles of one token by the hour, of the prices that blocks were valued at: SELECT * FROM price_hours_of(token = 0x…). An hour that is not there had no price. list_candles makes them from single swaps.';
