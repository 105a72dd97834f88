-- Suspected positions of accounts whose money came from where that of others under suspicion came from, or from one of these: with the rule's points of a link more and the source as evidence.
-- Grain: one position a run found (version 2 · run), written again (2 · run + 1). Parameters: chain, run, slices, slice. A source is whoever sent money within the venue; one that sent
-- to more than `sent_to_most` of those under suspicion is a service and links nobody. Money from outside comes over the venue's bridge, and whose it was before, or that it came from
-- a mixer, needs the other chain's data. Sort keys: hl_insider_trades (chain, account), hl_ledger_updates (chain, account).
INSERT INTO hl_insider_trades (chain, account, coin, opened_at, tid, extra, part, side, score, entry_px, value_usd, leverage, moved, moved_hours, pnl_usd, evidence, rule_version, version, deleted)
WITH
  (SELECT argMax(numbers, version) FROM hl_trader_rules WHERE rule = 'insider') AS rule, rule['link'] AS points,
  found AS (SELECT account, max(score) AS score, max(version = {run:UInt64} * 2) AS judged FROM hl_insider_trades FINAL WHERE chain = {chain:String} GROUP BY account HAVING score >= rule['flagged'] OR judged),
  sent AS (
    SELECT l.account AS account, lower(JSONExtractString(l.delta, 'user')) AS source FROM hl_ledger_updates AS l
    WHERE l.chain = {chain:String} AND l.account IN (SELECT account FROM found) AND l.kind IN ('internalTransfer', 'subAccountTransfer', 'spotTransfer', 'send') AND lower(JSONExtractString(l.delta, 'destination')) = concat('0x', lower(hex(l.account)))
    GROUP BY account, source HAVING match(source, '^0x[0-9a-f]{40}$') AND source != concat('0x', lower(hex(account)))
  ),
  flagged AS (SELECT account FROM found WHERE score >= rule['flagged']),
  linked AS (
    SELECT account, argMin(said, (said = '', said)) AS why FROM (
      SELECT s.account AS account, multiIf(toFixedString(unhex(substring(s.source, 3)), 20) IN (SELECT account FROM flagged), concat('money came from ', s.source, ', which is suspected too'),
        notEmpty(arrayFilter(one -> one != s.account, o.others)) AND length(o.others) <= rule['sent_to_most'], concat('money came from ', s.source, ', as that of 0x', lower(hex(arrayFilter(one -> one != s.account, o.others)[1])), ', which is suspected too'), '') AS said
      FROM sent AS s LEFT ANY JOIN (SELECT source, arraySort(groupArray(account)) AS others FROM sent WHERE account IN (SELECT account FROM flagged) GROUP BY source) AS o ON o.source = s.source
    ) GROUP BY account HAVING why != ''
  )
SELECT i.chain, i.account, i.coin, i.opened_at, i.tid, i.extra, i.part, i.side, least(100, i.score + points), i.entry_px, i.value_usd, i.leverage, i.moved, i.moved_hours, i.pnl_usd,
  arrayPushBack(i.evidence, CAST(('link', points, k.why), 'Tuple(rule String, points Float64, detail String)')), i.rule_version, {run:UInt64} * 2 + 1, 0
FROM (SELECT * FROM hl_insider_trades WHERE chain = {chain:String} AND version = {run:UInt64} * 2 AND deleted = 0 AND cityHash64(account) % {slices:UInt32} = {slice:UInt32}) AS i INNER JOIN linked AS k ON k.account = i.account
