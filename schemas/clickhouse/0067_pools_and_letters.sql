-- Whether a pool is known is looked up: of one that nobody saw the column of pools was read whole. A piece holds some hundred pools, so that the index is small beside it.
ALTER TABLE swaps ADD INDEX IF NOT EXISTS by_pool pool TYPE bloom_filter(0.01) GRANULARITY 1;
ALTER TABLE swaps MATERIALIZE INDEX by_pool;
