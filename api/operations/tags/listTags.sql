-- Tags of one key that stand, newest first; or one tag by its id, also where it is deleted. Grain: one tag, its newest version. Parameters: key (public id), tag (0 for all that stand).
-- Sort key: (key_id, tag_id); one key has few.
SELECT toFloat64(t.tag_id) AS tag_id, event_id, label, note, toString(t.chain) AS chain, address, created_at, deleted, toFloat64(t.version) AS version
FROM tags AS t FINAL
WHERE t.key_id = {key:String} AND if({tag:UInt64} = 0, NOT t.deleted, t.tag_id = {tag:UInt64})
ORDER BY t.created_at DESC, t.tag_id DESC
