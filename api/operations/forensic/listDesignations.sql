-- Listings of one address in the sanctions registers that stand today.
-- Grain: one listing. Parameters: key (the address in lower case). Sort key: (key, register, list_id).
SELECT toString(d.register) AS source, d.list_id AS list_id, d.entity_name AS entity_name, d.confidence AS confidence, formatDateTime(d.verified_at, '%Y-%m-%dT%H:%i:%S.%f+00:00') AS last_verified_at,
  d.aggregator AS aggregator, d.designating_authority AS designating_authority, d.programme AS programme, toString(d.listed_on) AS listed_on, d.address AS listed_address, toString(d.ticker) AS ticker
FROM designations AS d FINAL
WHERE d.key = {key:String} AND NOT d.removed
ORDER BY d.register, d.list_id
