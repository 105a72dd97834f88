-- How many chunks there are, by chain and topic, and which blocks and times they cover.
-- Grain: one topic of one chain. Parameters: none. Sort key: (chain, block_number, topic); every row is counted.
SELECT toString(chain) AS chain, toString(topic) AS topic, toFloat64(count()) AS chunks, toFloat64(min(block_number)) AS first_block, toFloat64(max(block_number)) AS last_block, min(c.block_time) AS oldest, max(c.block_time) AS newest
FROM chunks AS c
GROUP BY chain, topic
ORDER BY chain, topic
