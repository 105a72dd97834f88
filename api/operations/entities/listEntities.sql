-- Entities that own labelled addresses, those with the most first, below a position, and what flowed in and out of them in the last indexed day of each chain;
-- usd_listed_*: of it, what is the coin's and listed tokens', of which token_of, in memory, is asked once for each token of an entity: of another its own pools say the price.
-- usd_unknown: what they received on Bitcoin where an input is unresolved, which may be their own change. Dollars are of what has a price; beside them how often something moved, on Bitcoin (btc_*) and elsewhere: where nothing is worth anything they say whether that is unknown.
-- btc_cluster_addresses: addresses of Bitcoin in clusters that are called by its name, less those of them that labels name, which are all of that name (others are not joined).
-- Grain: one entity. Parameters: chain and from, to (Unix milliseconds, from at a full hour) of the flows, btc_from and btc_to of those on Bitcoin (0: none), addresses and after (name; the position), limit. labels and named clusters are small and read whole.
-- Sort key: entity_token_segments (chain, entity, hour, token, segment), by the hours of each entity: of one with few rows a granule, whatever its hours.
SELECT n.name AS name, n.chains AS chains, n.classes AS classifications, toFloat64(n.addresses) AS addresses, toFloat64(c.more) AS btc_cluster_addresses, n.origins AS sources, f.gained AS usd_in, f.lost AS usd_out, f.sure_gained AS usd_listed_in, f.sure_lost AS usd_listed_out, f.unsure AS usd_unknown,
  toFloat64(f.ins) AS transfers_in, toFloat64(f.outs) AS transfers_out, toFloat64(f.btc_in) AS btc_in, toFloat64(f.btc_out) AS btc_out, toFloat64(f.btc_unsure) AS btc_unknown, toFloat64(n.all_entities) AS total
FROM (
  SELECT l.entity AS name, arraySort(groupUniqArray(toString(l.chain))) AS chains, arraySort(groupUniqArray(toString(l.category))) AS classes, uniqExact(l.chain, l.address) AS addresses,
    arraySort(groupUniqArray(toString(l.source))) AS origins, count() OVER () AS all_entities
  FROM labels AS l FINAL WHERE NOT l.removed AND l.entity != ''
  GROUP BY l.entity
) AS n
LEFT JOIN (
  SELECT u.name AS name, toFloat64(sum(u.gained)) AS gained, toFloat64(sum(u.lost)) AS lost, toFloat64(sumIf(u.gained, u.listed)) AS sure_gained, toFloat64(sumIf(u.lost, u.listed)) AS sure_lost, toFloat64(sum(u.unsure)) AS unsure, sum(u.ins) AS ins, sum(u.outs) AS outs, sum(u.btc_in) AS btc_in, sum(u.btc_out) AS btc_out, sum(u.btc_unsure) AS btc_unsure FROM (
    SELECT h.entity AS name, h.token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(h.token))))) AS listed, sum(h.usd_in) AS gained, sum(h.usd_out) AS lost, sum(h.usd_unknown) AS unsure, sum(h.transfers_in) AS ins, sum(h.transfers_out) AS outs, toUInt64(0) AS btc_in, toUInt64(0) AS btc_out, toUInt64(0) AS btc_unsure FROM entity_token_segments AS h FINAL
    WHERE h.chain = {chain:String} AND h.hour >= toStartOfHour(fromUnixTimestamp64Milli({from:Int64} + 1, 'UTC')) AND h.hour <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
    GROUP BY h.entity, h.token
    UNION ALL
    SELECT b.entity, true, b.usd_in, b.usd_out, b.usd_unknown, 0, 0, b.transfers_in, b.transfers_out, b.transfers_unknown FROM entity_token_segments AS b FINAL
    WHERE b.chain = 'BTC' AND {btc_to:Int64} > 0 AND b.hour >= toStartOfHour(fromUnixTimestamp64Milli({btc_from:Int64} + 1, 'UTC')) AND b.hour <= fromUnixTimestamp64Milli({btc_to:Int64}, 'UTC')
  ) AS u
  GROUP BY u.name
) AS f ON f.name = n.name
LEFT JOIN (
  SELECT o.entity AS key, sum(e.size - least(e.labelled, e.size)) AS more FROM btc_cluster_entities AS e FINAL
  INNER JOIN (SELECT name, entity FROM btc_cluster_called WHERE chain = 'BTC') AS o ON o.name = e.name
  WHERE e.chain = 'BTC' AND e.name != '' GROUP BY key
) AS c ON c.key = n.name
WHERE n.addresses < {addresses:UInt64} OR (n.addresses = {addresses:UInt64} AND n.name > {after:String})
ORDER BY n.addresses DESC, n.name
LIMIT {limit:UInt32}
