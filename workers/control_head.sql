-- The newest head a node has shown lately, and when. Grain: one row, absent when none was. Parameters: chain. Sort key (chain, observed_at).
SELECT number, toString(observed_at) AS seen FROM heads WHERE chain = {chain:String} ORDER BY observed_at DESC LIMIT 1
