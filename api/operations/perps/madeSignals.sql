-- Whether signals that results of strategies count are of made coins. Grain: one row. Parameters: none. Sort key: hl_signals (chain, time, …), the coins read until one is found.
SELECT CAST(count() > 0, 'Bool') AS made FROM (SELECT 1 FROM hl_signals AS s WHERE s.chain = 'HL' AND s.side != 'none' AND startsWith(s.coin, 'SYN-') LIMIT 1)
