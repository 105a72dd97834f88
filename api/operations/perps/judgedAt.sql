-- As of which time of the venue traders were judged last. Grain: one row, null where none ever were. Parameters: none. Sort key: hl_trader_runs (chain, run), small and read whole.
SELECT if(count() = 0, NULL, toNullable(max(r.judged_at))) AS judged_at FROM hl_trader_runs AS r WHERE r.chain = 'HL'
