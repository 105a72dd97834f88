-- Tags of one key, newest first, deleted ones too. Grain: one tag, its newest version. Parameters: key (public id), tag (0 for all).
-- Sort key: (key_id, tag_id); one key has few.
SELECT toFloat64(t.tag_id) AS tag_id, event_id, label, note, toString(t.chain) AS chain, address, created_at, deleted, toFloat64(t.version) AS version
FROM tags AS t FINAL
WHERE t.key_id = {key:String} AND ({tag:UInt64} = 0 OR t.tag_id = {tag:UInt64})
ORDER BY t.created_at DESC, t.tag_id DESC
