-- Addresses that any source of labels but registers calls sanctioned, each once however many do. Grain: one chain. Parameters: registers.
-- Sort key of labels: (chain, address, source, label), read whole; the answer is kept for minutes.
SELECT toString(l.chain) AS chain, toFloat64(uniqExact(l.address)) AS addresses FROM labels AS l FINAL
WHERE NOT l.removed AND l.category = 'sanctioned' AND l.source NOT IN {registers:Array(String)}
GROUP BY chain
