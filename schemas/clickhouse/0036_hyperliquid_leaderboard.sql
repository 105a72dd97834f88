-- The venue's leaderboard: every account it ranks, with what it earned over each period, about once an hour. A master's row sums its sub-accounts, which are not listed.
-- Items as in 0024, in a table of their own: a leaderboard is tens of thousands of them. type: leader (an account; account is whom it names, name is 'again' where an account above it in the same
-- answer has that address) or leaderboard (what is no account; name: the key it stands under, '' for an answer without accounts).
CREATE TABLE IF NOT EXISTS hl_leader_items AS hl_items ENGINE = Null;

-- Grain: one account, period and heard segment. month is the last 30 days; perp periods leave spot out. In dollars, signed but for the volume; roi is a share: 0.01 is 1 %. place: in the venue's list, from 0.
-- display_name: a text of its account's own making, the first 256 characters of it: anybody may call himself anything. Null: none. Answers carry no time of the venue. Kept as long as
-- the answers; an account's rows of a day stand together, since most of them are the same from hour to hour.
CREATE TABLE IF NOT EXISTS hl_leaderboard (
  chain LowCardinality(String), block_number UInt64, source LowCardinality(String), heard_at DateTime64(3, 'UTC'),
  account FixedString(20), period Enum8('day' = 1, 'week' = 2, 'month' = 3, 'allTime' = 4, 'perpDay' = 5, 'perpWeek' = 6, 'perpMonth' = 7, 'perpAllTime' = 8), place UInt32,
  account_value Decimal(38, 18), pnl Decimal(38, 18), roi Decimal(38, 18), volume Decimal(38, 18), prize Nullable(Decimal(38, 18)), display_name Nullable(String), generation UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMMDD(heard_at) ORDER BY (chain, period, account, heard_at) TTL toDateTime(heard_at) + INTERVAL 30 DAY
SETTINGS non_replicated_deduplication_window = 10000, ttl_only_drop_parts = 1;

-- Amounts are texts in the answer, and stay such until they are decimals: the raw value keeps its quotes, so that a number, which would have been a float on its way, is refused.
CREATE MATERIALIZED VIEW IF NOT EXISTS hl_items_leaderboard TO hl_leaderboard AS
SELECT chain, block_number, source, heard_at, toFixedString(unhex(substring(i.account, 3)), 20) AS account, period, place,
  toDecimal128OrZero(trim(BOTH '"' FROM value), 18) AS account_value, toDecimal128OrZero(trim(BOTH '"' FROM w.2), 18) AS pnl, toDecimal128OrZero(trim(BOTH '"' FROM w.3), 18) AS roi, toDecimal128OrZero(trim(BOTH '"' FROM w.4), 18) AS volume,
  if(match(won, '^([0-9]{1,18}|"[0-9]{1,20}([.][0-9]{1,18})?")$'), toDecimal128OrNull(trim(BOTH '"' FROM won), 18), NULL) AS prize, display_name, generation
FROM (
  SELECT chain, block_number, source, heard_at, account, place, generation, JSONExtractRaw(item, 'accountValue') AS value, JSONExtractRaw(item, 'prize') AS won,
    if(JSONType(item, 'displayName') = 'String', toNullable(substringUTF8(JSONExtractString(item, 'displayName'), 1, 256)), NULL) AS display_name,
    arrayMap(one -> (JSONExtractString(one, 1), JSONExtractRaw(one, 2, 'pnl'), JSONExtractRaw(one, 2, 'roi'), JSONExtractRaw(one, 2, 'vlm')), JSONExtractArrayRaw(item, 'windowPerformances')) AS windows
  FROM hl_leader_items WHERE type = 'leader' AND name = ''
) AS i
ARRAY JOIN windows AS w, arrayMap(one -> one.1, windows) AS period, arrayEnumerateUniq(arrayMap(one -> one.1, windows)) AS nth
WHERE match(i.account, '^0x[0-9a-f]{40}$') AND match(value, '^"-?[0-9]{1,20}([.][0-9]{1,18})?"$') AND nth = 1 AND period IN ('day', 'week', 'month', 'allTime', 'perpDay', 'perpWeek', 'perpMonth', 'perpAllTime')
  AND match(concatWithSeparator(' ', w.2, w.3, w.4), '^"-?[0-9]{1,20}([.][0-9]{1,18})?" "-?[0-9]{1,20}([.][0-9]{1,18})?" "[0-9]{1,20}([.][0-9]{1,18})?"$');

-- What the view above refuses, cuts or does not read. A field that no rule reads is told once for an answer: one that the venue adds stands in every row of it. field: which part of an account's row; '' the row as a whole.
CREATE MATERIALIZED VIEW IF NOT EXISTS hl_leader_items_unknown TO hl_unknown AS
SELECT chain, block_number, source, heard_at, heard_at AS time, type, substring(told.1, 1, 64) AS field, told.2 AS reason, substring(item, 1, 500) AS example, generation
FROM (
  SELECT *, JSONExtractArrayRaw(item, 'windowPerformances') AS windows, arrayMap(one -> JSONExtractString(one, 1), windows) AS periods, JSONType(item, 'displayName') AS named,
    match(account, '^0x[0-9a-f]{40}$') AND match(JSONExtractRaw(item, 'accountValue'), '^"-?[0-9]{1,20}([.][0-9]{1,18})?"$') AND notEmpty(windows) AS stands
  FROM hl_leader_items
)
ARRAY JOIN multiIf(
  type = 'leaderboard', [(name, if(name = '', 'cannot be what it claims', 'a field that no rule reads'))],
  NOT stands, [('', 'cannot be what it claims')],
  name = 'again', [('', 'an account that is listed before')],
  arrayConcat(
    arrayMap(key -> (key, 'a field that no rule reads'), arrayFilter(key -> NOT has(['ethAddress', 'accountValue', 'windowPerformances', 'prize', 'displayName'], key), JSONExtractKeys(item))),
    if(JSONHas(item, 'prize') AND JSONType(item, 'prize') != 'Null' AND NOT match(JSONExtractRaw(item, 'prize'), '^([0-9]{1,18}|"[0-9]{1,20}([.][0-9]{1,18})?")$'), [('prize', 'cannot be what it claims')], []),
    multiIf(named = 'String' AND lengthUTF8(JSONExtractString(item, 'displayName')) > 256, [('displayName', 'longer than what is kept')], named NOT IN ('String', 'Null'), [('displayName', 'cannot be what it claims')], []),
    arrayFlatten(arrayMap((one, period, nth) -> arrayConcat(
      multiIf(period NOT IN ('day', 'week', 'month', 'allTime', 'perpDay', 'perpWeek', 'perpMonth', 'perpAllTime') AND period != '', [(concat('windowPerformances.', period), 'a field that no rule reads')],
        nth > 1 OR NOT match(concatWithSeparator(' ', JSONExtractRaw(one, 2, 'pnl'), JSONExtractRaw(one, 2, 'roi'), JSONExtractRaw(one, 2, 'vlm')), '^"-?[0-9]{1,20}([.][0-9]{1,18})?" "-?[0-9]{1,20}([.][0-9]{1,18})?" "[0-9]{1,20}([.][0-9]{1,18})?"$'), [(concat('windowPerformances.', period), 'cannot be what it claims')], []),
      arrayMap(key -> (concat('windowPerformances.', period, '.', key), 'a field that no rule reads'), arrayFilter(key -> NOT has(['pnl', 'roi', 'vlm'], key), JSONExtractKeys(one, 2))),
      if(JSONLength(one) > 2, [(concat('windowPerformances.', period, '.3'), 'a field that no rule reads')], [])), windows, periods, arrayEnumerateUniq(periods))))) AS told
LIMIT 1 BY chain, block_number, type, told, if(told.2 = 'a field that no rule reads', '', item);
