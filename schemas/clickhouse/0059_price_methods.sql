-- What analysts read of prices names every method there is, also those of Bitcoin.
CREATE OR REPLACE VIEW published_{{database}}.prices (
  chain LowCardinality(String) COMMENT 'Chain id: ETH, BTC', token String COMMENT 'Contract; zero for the coin of the chain', block_number UInt64 COMMENT 'Height; sort key after chain: bound it for a cheap query',
  block_time DateTime64(3, 'UTC') COMMENT 'Time of the block', usd Float64 COMMENT 'USD per whole token',
  method LowCardinality(String) COMMENT 'chainlink, peg, vwap, two_hop; on BTC wbtc_ and one of these (of wrapped bitcoin on Ethereum), or hyperliquid_oracle (of the perps venue)',
  trades UInt32 COMMENT 'Trades behind it', depth_usd Float64 COMMENT 'Depth behind it'
) DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
  s.chain, concat('0x', lower(hex(s.token))) AS token, s.block_number, s.block_time, s.usd, s.method, s.trades, s.depth_usd
FROM {{database}}.prices AS s
WHERE (s.chain NOT IN (SELECT chain FROM {{database}}.unsettled) OR s.block_number < (SELECT min(ceiling) FROM {{database}}.unsettled))
COMMENT 'Prices. Grain: one token priced at one block. Of one token: prices_of(token = 0x…).';
