-- The plan of a made history. Grain: one batch of 256 blocks. Parameters: first, count (blocks).
INSERT INTO plans
SELECT 'ETH', 1 + number, 'plan', {first:UInt64} + 256 * number AS lowest, least(lowest + 255, {first:UInt64} + {count:UInt64} - 1), 'made', '', 0, 'bench', {first:UInt64}, 'bench', now64(3)
FROM numbers(intDiv({count:UInt64} + 255, 256))
