-- Signed reports of one owner, newest first. Grain: one report. Parameters: owner, before (Unix milliseconds), last (content hash of the last one given), limit.
-- Sort key: none used: owners are looked through in their own column, and only hashes, subjects and times are read.
SELECT r.content_hash AS content_hash, toString(r.kind) AS kind, r.subject AS subject, toString(r.chain) AS chain, r.created_at AS created_at
FROM reports AS r
WHERE r.owner = {owner:String} AND (r.created_at, r.content_hash) < (fromUnixTimestamp64Milli({before:Int64}), {last:String})
ORDER BY r.created_at DESC, r.content_hash DESC
LIMIT 1 BY r.content_hash
LIMIT {limit:UInt32}
