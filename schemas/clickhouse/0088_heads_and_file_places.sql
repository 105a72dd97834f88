-- The newest head of each chain stays for ever: that a node, or a venue, was heard once is known however long it has been silent. Of older ones a week is kept, as before: what is older becomes one row of each chain, the newest of them.
ALTER TABLE heads MODIFY TTL toDateTime(observed_at) + INTERVAL 7 DAY GROUP BY chain SET number = argMax(number, observed_at), hash = argMax(hash, observed_at), block_time = argMax(block_time, observed_at),
  finalized = argMax(finalized, observed_at), endpoint = argMax(endpoint, observed_at), observed_at = max(observed_at);

