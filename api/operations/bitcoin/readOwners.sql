-- Whose some addresses of Bitcoin are by their clusters, as known now. Grain: one address, no row where its cluster has no name. Parameters: chain, addresses (hex without 0x).
-- Sort key: btc_cluster_members (chain, address). Names of clusters are few and read whole.
SELECT concat('0x', lower(hex(o.address))) AS address, lower(hex(o.cluster)) AS cluster, o.entity AS entity, o.category AS classification, o.sure AS sure
FROM btc_owners_now AS o
WHERE o.chain = {chain:String} AND o.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20))
