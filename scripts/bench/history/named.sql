-- The busiest addresses carry labels, as they do on mainnet: of services, every class in turn. Grain: one address by its rank from 1.
-- Parameter: named (how many). Reads labels whole.
INSERT INTO bench_named
SELECT row_number() OVER (ORDER BY turn, category), who, label, entity, category
FROM (
  SELECT unhex(substring(n.address, 3)) AS who, n.label AS label, n.entity AS entity, toString(n.category) AS category, row_number() OVER (PARTITION BY n.category ORDER BY cityHash64(n.address)) AS turn
  FROM labels_now AS n WHERE n.chain = 'ETH' AND match(n.address, '^0x[0-9a-f]{40}$') AND n.category IN ('exchange', 'dex', 'bridge', 'lending', 'mixer', 'stablecoin', 'contract')
)
ORDER BY turn, category
LIMIT {named:UInt32}
