-- One message with its webhook and how it stands; first: when it was first sent (Unix milliseconds). retired_until: until when secrets before the current are good, the newest first. active: the webhook is on; watching: its owner has a key of a tier with monitoring now. Grain: one row. Parameters: webhook, message. Sort keys: webhook_messages (webhook_id, …), webhook_attempts (webhook_id, message_id, attempt); webhooks is small.
SELECT m.owner AS owner, m.body AS body, t.first AS first, w.url AS url, w.secret_no AS secret_no, arrayMap(until -> toFloat64(toUnixTimestamp64Milli(until)), arrayPushFront(w.earlier_until, w.previous_until)) AS retired_until, NOT w.deleted AND w.state = 'active' AS active, m.owner IN (SELECT owner FROM watching_owners) AS watching,
  t.tries AS tries, t.tries > 0 AND t.last != 'failed' AS ended
FROM (SELECT * FROM webhook_messages WHERE webhook_id = {webhook:String} AND message_id = {message:String} LIMIT 1) AS m
LEFT JOIN (SELECT * FROM webhooks FINAL WHERE webhook_id = {webhook:String}) AS w ON w.webhook_id = m.webhook_id AND w.owner = m.owner
LEFT JOIN (
  SELECT webhook_id, toFloat64(max(a.attempt)) AS tries, toNullable(toFloat64(toUnixTimestamp64Milli(min(a.at)))) AS first, argMax(a.outcome, a.attempt) AS last FROM webhook_attempts AS a WHERE a.webhook_id = {webhook:String} AND a.message_id = {message:String} GROUP BY webhook_id
) AS t ON t.webhook_id = m.webhook_id
