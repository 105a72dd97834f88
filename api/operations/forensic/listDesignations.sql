-- Listings of contents of sanctions lists. Grain: one listing of one address under one ticker. Parameters: contents. Sort key: (register, content, …); the lists are small and read whole.
SELECT d.content AS content, d.key AS key, d.also AS also, toString(d.register) AS source, d.list_id AS list_id, toString(d.ticker) AS ticker, d.address AS listed_address, toString(d.chain) AS chain, toString(d.repaired) AS repaired, d.unreadable AS unreadable,
  d.entity_name AS entity_name, d.programme AS programme, toString(d.designating_authority) AS designating_authority, toString(d.aggregator) AS aggregator, toString(d.listed_on) AS listed_on, toString(d.ends_on) AS ends_on, d.confidence AS confidence
FROM designations AS d FINAL
WHERE d.content IN {contents:Array(String)}
ORDER BY d.register, d.list_id, d.ticker, d.address
