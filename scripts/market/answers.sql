-- What the venue of a made market answers, by what is asked: everything said as an answer, and the newest fills of the accounts it knows of. Grain: one answer or a part of one.
-- Parameters: begin, until (Unix milliseconds). Reads made_said, made_lines.
SELECT JSONExtractString(request, 'type') AS type, coalesce(nullIf(JSONExtractString(request, 'coin'), ''), JSONExtractString(request, 'req', 'coin')) AS coin, JSONExtractString(request, 'user') AS user, payload
FROM (SELECT * FROM made_said WHERE kind = 'info' ORDER BY at) WHERE type NOT IN ('metaAndAssetCtxs', 'l2Book')
UNION ALL
SELECT JSONExtractString(request, 'type') AS type, JSONExtractString(request, 'coin'), '', argMax(payload, at) FROM made_said WHERE kind = 'info' AND JSONExtractString(request, 'type') IN ('metaAndAssetCtxs', 'l2Book') GROUP BY ALL
UNION ALL
SELECT 'userFills', '', user, concat('[', arrayStringConcat(groupArray(2000)(fill), ','), ']')
FROM (
  SELECT JSONExtractString(event, 1) AS user, JSONExtractRaw(event, 2) AS fill
  FROM made_lines(begin = {begin:UInt64}, from = {begin:UInt64}, to = {until:UInt64}) ARRAY JOIN JSONExtractArrayRaw(line, 'events') AS event
  WHERE user IN (SELECT JSONExtractString(request, 'user') FROM made_said WHERE kind = 'info' AND JSONExtractString(request, 'type') = 'clearinghouseState')
  ORDER BY moment DESC
) GROUP BY user
