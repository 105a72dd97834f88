-- Webhooks of one owner, the oldest first, with the newest attempt to send. Grain: one webhook. Parameters: owner, webhook ('': all). Sort keys: (owner, webhook_id), webhook_attempts (webhook_id, …).
SELECT w.webhook_id AS webhook_id, w.url AS url, w.list_ids AS list_ids, toString(w.state) AS state, w.reason AS reason, w.secret_no AS secret_no, w.previous_until AS previous_until, w.earlier_until AS earlier_until, toFloat64(w.from_seq) AS from_seq, toFloat64(w.version) AS version, w.created_at AS created_at,
  t.outcome AS last_outcome, t.last_at AS last_attempt_at
FROM (SELECT * FROM webhooks FINAL WHERE owner = {owner:String} AND ({webhook:String} = '' OR webhook_id = {webhook:String}) AND NOT deleted) AS w
LEFT JOIN (
  SELECT webhook_id, toNullable(toString(argMax(a.outcome, a.at))) AS outcome, toNullable(max(a.at)) AS last_at FROM webhook_attempts AS a
  WHERE a.webhook_id IN (SELECT webhook_id FROM webhooks WHERE owner = {owner:String}) GROUP BY webhook_id
) AS t ON t.webhook_id = w.webhook_id
ORDER BY w.created_at, w.webhook_id
