-- Webhooks with something to do. Grain: one webhook that is on. Its message is the newest there is; ready: it has none under way, and alerts beyond position wait; overdue: its message should have been sent a
-- minute ago and more, or was made or tried last at a time that is yet to come (a clock was set back), so that its job may be lost. Parameters: only ('': all; else one webhook_id). Sort keys: webhooks and messages are small and read whole, watch_alerts (owner, seq).
WITH
  messages AS (SELECT webhook_id, argMax(message_id, from_seq) AS message_id, max(to_seq) AS sent, max(created_at) AS made FROM webhook_messages WHERE {only:String} = '' OR webhook_id = {only:String} GROUP BY webhook_id),
  attempts AS (
    SELECT t.webhook_id AS webhook_id, t.message_id AS message_id, max(t.attempt) AS tries, argMax(t.outcome, t.attempt) AS last, argMax(t.next_at, t.attempt) AS next, argMax(t.at, t.attempt) AS tried
    FROM webhook_attempts AS t WHERE (t.webhook_id, t.message_id) IN (SELECT webhook_id, message_id FROM messages) GROUP BY t.webhook_id, t.message_id
  )
SELECT owner, webhook_id, list_ids, toFloat64(position) AS position, message_id, toFloat64(tries) AS tries, ready, overdue
FROM (
  SELECT w.owner AS owner, w.webhook_id AS webhook_id, w.list_ids AS list_ids, greatest(w.from_seq, m.sent) AS position, m.message_id AS message_id, t.tries AS tries,
    m.message_id = '' OR (t.tries > 0 AND t.last != 'failed') AS free, free AND arraySum(arrayMap((list, top) -> top > position AND (empty(w.list_ids) OR has(w.list_ids, list)), f.lists, f.tops)) > 0 AS ready,
    NOT free AND (if(t.tries = 0, m.made, t.next) < now64(3) - INTERVAL 1 MINUTE OR if(t.tries = 0, m.made, t.tried) > now64(3) + INTERVAL 1 MINUTE) AS overdue
  FROM (SELECT * FROM webhooks FINAL WHERE NOT deleted AND state = 'active' AND owner IN (SELECT owner FROM watching_owners) AND ({only:String} = '' OR webhook_id = {only:String})) AS w
  LEFT JOIN messages AS m ON m.webhook_id = w.webhook_id
  LEFT JOIN attempts AS t ON t.webhook_id = m.webhook_id AND t.message_id = m.message_id
  LEFT JOIN (SELECT owner, groupArray(list_id) AS lists, groupArray(top) AS tops FROM (SELECT owner, list_id, max(seq) AS top FROM watch_alerts GROUP BY owner, list_id) GROUP BY owner) AS f ON f.owner = w.owner
)
WHERE ready OR overdue
