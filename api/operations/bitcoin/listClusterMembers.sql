-- Addresses of a cluster in the order of their ids, after one. Grain: one address. Parameters: cluster and after (hex), limit.
-- Sort key: btc_cluster_lists (chain, cluster, address), read in order. The newest version says whether the address still is in it.
SELECT concat('0x', lower(hex(address))) AS address FROM (
  SELECT address, present FROM btc_cluster_lists
  WHERE chain = 'BTC' AND cluster = toFixedString(unhex({cluster:String}), 20) AND address > toFixedString(unhex({after:String}), 20)
  ORDER BY chain, cluster, address, version DESC LIMIT 1 BY address
) WHERE present ORDER BY address LIMIT {limit:UInt32}
