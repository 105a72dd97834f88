-- The plan of a made market. Grain: one batch of 64 segments. Parameters: count (segments).
INSERT INTO plans
SELECT 'HL', 1 + number, 'plan', 1 + 64 * number AS lowest, least(lowest + 63, {count:UInt64}), 'made', '', 0, 'bench', 1, 'bench', now64(3) FROM numbers(intDiv({count:UInt64} + 63, 64))
