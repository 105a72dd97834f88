-- How long what only shows how things stood is kept, by when it was heard; what was dealt, paid and listed stays. Measured on made rows of usual coins (bytes on disk a row), and at
-- the pace of the venue: a book 494 (ten coins twice a second: 0.9 GB a day), a context 89 (200 coins every three seconds: 0.5 GB), a middle price 11 (500 coins every second: 0.5 GB).
-- Parts go whole, when the last of a month is old enough: no row is ever written anew for it, and a table keeps up to a month more than it has to.

-- As long as the payloads they were read from: so far back anything can be worked out anew. Questions look back hours, bars of signals a day; the extremes and last prices of all minutes stand in hl_prices.
ALTER TABLE hl_books MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE hl_books MODIFY TTL toDateTime(heard_at) + INTERVAL 30 DAY;
ALTER TABLE hl_mids MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE hl_mids MODIFY TTL toDateTime(heard_at) + INTERVAL 30 DAY;

-- Signals compare with 31 days before. What they compare stands in hl_bars and hl_funding_rates; should the bars have to be made anew, the contexts they are made of reach back as far, and the stretch judged too.
ALTER TABLE hl_contexts MODIFY SETTING ttl_only_drop_parts = 1;
ALTER TABLE hl_contexts MODIFY TTL toDateTime(heard_at) + INTERVAL 62 DAY;
