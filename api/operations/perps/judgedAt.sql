-- As of which time of the venue traders were judged last (null: none ever were), and since when the first of what was told of accounts after that, and passed enrich, has waited for it (Unix milliseconds; null: nothing does).
-- Grain: one row. Parameters: none. Sort keys: hl_trader_runs (chain, run), small and read whole; hl_touched (chain, block_number, …), one row; batches (chain, from_block, …), read backwards to the one that has it.
WITH
  (SELECT (max(r.upto), max(r.judged_at), count()) FROM hl_trader_runs AS r WHERE r.chain = 'HL') AS done,
  (SELECT max(f.block_number) FROM (SELECT t.block_number AS block_number FROM hl_touched AS t WHERE t.chain = 'HL' AND t.block_number > done.1 ORDER BY t.chain, t.block_number LIMIT 1) AS f) AS first
SELECT if(done.3 = 0, NULL, toNullable(done.2)) AS judged_at,
  (SELECT if(count() = 0, NULL, toNullable(toFloat64(toUnixTimestamp64Milli(max(e.finished_at)))))
    FROM (SELECT b.to_block AS to_block, b.finished_at AS finished_at FROM batches AS b WHERE b.chain = 'HL' AND b.stage = 'enrich' AND b.from_block <= first ORDER BY b.chain DESC, b.from_block DESC LIMIT 1) AS e
    WHERE first > 0 AND e.to_block >= first) AS waits_since
