-- The ledger's word that a made history landed in every stage. Grain: one stage of one batch of 256 blocks. Parameters: first, count (blocks).
INSERT INTO batches
SELECT 'ETH', stage, {first:UInt64} + 256 * number AS lowest, least(lowest + 255, {first:UInt64} + {count:UInt64} - 1), 'made', 0, 1, 1, 1, 'bench', now64(3)
FROM numbers(intDiv({count:UInt64} + 255, 256)) ARRAY JOIN ['ingest', 'normalize', 'enrich', 'index', 'alert'] AS stage
