-- Switches a webhook off. Grain: one webhook. Parameters: owner, webhook, reason. Sort key: (owner, webhook_id).
INSERT INTO webhooks SELECT owner, webhook_id, url, list_ids, secret_no, previous_until, 'disabled', {reason:String}, from_seq, created_at, deleted, version + 1, earlier_until
FROM webhooks FINAL WHERE owner = {owner:String} AND webhook_id = {webhook:String} AND state = 'active' AND NOT deleted
