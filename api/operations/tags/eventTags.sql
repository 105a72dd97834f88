-- Tags on one event of one key that stand, newest first, strictly below a sort position. Grain: one tag, its newest version.
-- Parameters: key (public id), event, the position: before (time) and below (tag_id), limit. Sort key: (key_id, tag_id); one key has few.
SELECT toFloat64(t.tag_id) AS tag_id, event_id, label, note, chain, address, created_at
FROM tags AS t FINAL
WHERE t.key_id = {key:String} AND t.event_id = {event:String} AND NOT t.deleted AND (t.created_at, t.tag_id) < ({before:DateTime64(3, 'UTC')}, {below:UInt64})
ORDER BY t.created_at DESC, t.tag_id DESC
LIMIT {limit:UInt32}
