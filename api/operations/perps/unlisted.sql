-- Which of the perps asked about no dex of the venue lists. Grain: one coin. Parameters: coins. Sort key: hl_coins (chain, dex, time, place), the last hours of it.
-- Spot pairs are in no such list, and of a dex of which no list was heard nothing is known: neither is told, nor is what a generator made. What was taken down is listed still.
WITH listed AS (SELECT DISTINCT toString(k.coin) AS coin, toString(k.dex) AS dex FROM hl_coins AS k WHERE k.chain = 'HL' AND k.time > now64(3, 'UTC') - INTERVAL 3 HOUR AND k.source != 'synthetic')
SELECT a.coin AS coin FROM (SELECT arrayJoin({coins:Array(String)}) AS coin) AS a
WHERE NOT startsWith(a.coin, 'SYN-') AND NOT startsWith(a.coin, '@') AND position(a.coin, '/') = 0 AND if(position(a.coin, ':') > 0, splitByChar(':', a.coin)[1], '') IN (SELECT dex FROM listed) AND a.coin NOT IN (SELECT coin FROM listed)
