-- Attempts to send to one webhook, the newest first. Grain: one attempt. Parameters: webhook, at and message (position of the last one given), attempt, limit. Sort keys: webhook_attempts (webhook_id, …), webhook_messages (webhook_id, …).
SELECT t.message_id AS message_id, toFloat64(m.alerts) AS alerts, toFloat64(m.from_seq) AS after, toFloat64(m.to_seq) AS to_position, toFloat64(t.attempt) AS attempt, toString(t.outcome) AS outcome,
  if(t.status = 0, NULL, toNullable(t.status)) AS status, t.error AS error, toFloat64(t.milliseconds) AS milliseconds, t.at AS at, if(t.outcome = 'failed', toNullable(t.next_at), NULL) AS next_at
FROM (SELECT * FROM webhook_attempts AS a WHERE a.webhook_id = {webhook:String}) AS t
LEFT JOIN (SELECT message_id, alerts, from_seq, to_seq FROM webhook_messages WHERE webhook_id = {webhook:String}) AS m ON m.message_id = t.message_id
WHERE (toUnixTimestamp64Milli(t.at), t.message_id, t.attempt) < ({at:Int64}, {message:String}, {attempt:UInt32})
ORDER BY t.at DESC, t.message_id DESC, t.attempt DESC
LIMIT {limit:UInt32}
