-- When the made market of a store begins, and up to when it was heard, Unix milliseconds; 0: there is none. Grain: one row. Parameters: none.
-- Its payloads say so for as long as they are kept, after that the money that its first trader began with. Reads raw_payloads by (chain, kind), hl_ledger_updates by chain.
SELECT least(if(said.3 = 0, paid.1, said.1), if(paid.2 = 0, said.1, paid.1)) AS begin, said.2 AS last FROM (
  SELECT (SELECT (toUnixTimestamp64Milli(min(fetched_at)), toUnixTimestamp64Milli(max(fetched_at)), count()) FROM raw_payloads WHERE chain = 'HL' AND kind IN ('ws', 'info', 'node_fills') AND endpoint = 'synthetic') AS said,
    (SELECT (toUnixTimestamp64Milli(min(time)), count()) FROM hl_ledger_updates WHERE chain = 'HL' AND source = 'synthetic') AS paid
)
