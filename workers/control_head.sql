-- The newest head a node has shown in the last week, and when: what it was before bounds no order. Grain: one row, absent when none was. Parameters: chain. Sort key (chain, observed_at).
SELECT h.number AS number, toString(h.observed_at) AS seen FROM heads AS h WHERE h.chain = {chain:String} AND h.observed_at > now64(3) - INTERVAL 7 DAY ORDER BY h.observed_at DESC LIMIT 1
