-- Gas of leaders that has no price: it counts as 0 in gas_usd and net_usd, and boards say of how many transactions. Boards of before did not count them: null.
ALTER TABLE leader_scores ADD COLUMN IF NOT EXISTS gas_unpriced Nullable(UInt32);

ALTER TABLE published_{{database}}.leader_scores COMMENT COLUMN gas_usd 'Gas; what has no price counts as 0', COMMENT COLUMN net_usd 'By average cost, after gas; gas without a price counts as 0';

-- Depth of a pool of concentrated liquidity is L and its price, no balance.
ALTER TABLE published_{{database}}.prices COMMENT COLUMN depth_usd 'Depth behind it; of pools with concentrated liquidity virtual (L and price), which may be far more than they hold';
