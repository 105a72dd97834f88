-- A page of the tags of one key that stand, newest first, strictly below a sort position. Grain: one tag, its newest version.
-- Parameters: key (public id), event ('': all), on_addresses (true: only those about an address), the position: before (Unix milliseconds) and after (tag_id), limit. Sort key: (key_id, tag_id); one key has few.
SELECT toFloat64(t.tag_id) AS tag_id, event_id, label, note, toString(t.chain) AS chain, address, created_at, deleted, toFloat64(t.version) AS version
FROM tags AS t FINAL
WHERE t.key_id = {key:String} AND NOT t.deleted AND ({event:String} = '' OR t.event_id = {event:String}) AND (NOT {on_addresses:Bool} OR (t.chain != '' AND t.address != ''))
  AND (t.created_at < fromUnixTimestamp64Milli({before:Int64}) OR (t.created_at = fromUnixTimestamp64Milli({before:Int64}) AND t.tag_id > {after:UInt64}))
ORDER BY t.created_at DESC, t.tag_id
LIMIT {limit:UInt32}
