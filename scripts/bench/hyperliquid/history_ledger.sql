-- The ledger's word that a made market landed in every stage. Grain: one stage of one batch. Parameters: count (segments).
INSERT INTO batches
SELECT 'HL', stage, lowest, least(lowest + 63, {count:UInt64}), 'made', 0, 1, 1, 1, 'synthetic', now64(3)
FROM (SELECT 1 + 64 * number AS lowest FROM numbers(intDiv({count:UInt64} + 63, 64))) ARRAY JOIN ['ingest', 'normalize', 'enrich', 'index', 'alert'] AS stage
