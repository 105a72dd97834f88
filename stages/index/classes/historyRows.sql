-- Rows that a rule over all history reads of one chain: logs, and movements by address.
-- Grain: one row. Parameters: chain. Sort keys: logs and address_transfers (chain, …): counted from their indexes.
SELECT toFloat64((SELECT count() FROM logs AS l WHERE l.chain = {chain:String})) + toFloat64((SELECT count() FROM address_transfers AS a WHERE a.chain = {chain:String})) AS rows
