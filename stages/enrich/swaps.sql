-- Swaps with their trader and their value in dollars. Grain: one swap event. Parameters: chain, from, to, floor, generation.
-- The side in a trusted token (the coin, its wrapped token, a stablecoin, a token an oracle prices) gives the value, bought before sold;
-- then any priced side, bought before sold. Sort keys: swap_legs and transactions (chain, block_number, …), prices (chain, token, block_number).
INSERT INTO swaps (chain, block_number, log_index, block_hash, block_time, tx_index, tx_hash, protocol, aggregator, pool, trusted, trader, sender, recipient,
  token_sold, token_sold_known, token_sold_symbol, token_sold_decimals, amount_sold,
  token_bought, token_bought_known, token_bought_symbol, token_bought_decimals, amount_bought, value_usd, price_method, price_side, generation)
WITH
  toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20) AS wrapped,
  toFixedString('', 20) AS coin,
  -- WBTC and stETH, which oracles price: trades between two answers take nothing from that.
  (unhex('2260fac5e5542a773aa44fbcfedf7c193bc2c599'), unhex('ae7ab96520de3a18e5e111b5eaab095312d7fe84')) AS fed,
  greatest({floor:UInt64}, if({from:UInt64} > 3600, {from:UInt64} - 3600, 0)) AS lowest,
  (SELECT min(block_time) FROM blocks WHERE chain = {chain:String} AND block_number = {from:UInt64} AND generation = {generation:UInt32}) AS starts,
  priced AS (
    SELECT token, block_number, block_time, usd, method FROM prices
    WHERE chain = {chain:String} AND block_number BETWEEN lowest AND {to:UInt64} AND (block_number < {from:UInt64} OR generation = {generation:UInt32}) AND block_time >= starts - INTERVAL 3600 SECOND
      AND token IN (SELECT arrayJoin([token_sold, token_bought]) FROM swap_legs WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32})
  ),
  sides AS (
    SELECT l.*, s.usd AS sold_price, s.method AS sold_method, b.usd AS bought_price, b.method AS bought_method,
      dictGet('token_of', ('symbol', 'decimals', 'stable'), ({chain:String}, concat('0x', lower(hex(l.token_sold))))) AS sold,
      dictGet('token_of', ('symbol', 'decimals', 'stable'), ({chain:String}, concat('0x', lower(hex(l.token_bought))))) AS bought,
      l.token_sold_known AND l.token_bought_known AS known,
      if(known AND sold.2 IS NOT NULL AND s.usd > 0 AND s.block_time >= l.block_time - INTERVAL 3600 SECOND,
        toFloat64(l.amount_sold) / pow(10, assumeNotNull(sold.2)) * s.usd, NULL) AS sold_usd,
      if(known AND bought.2 IS NOT NULL AND b.usd > 0 AND b.block_time >= l.block_time - INTERVAL 3600 SECOND,
        toFloat64(l.amount_bought) / pow(10, assumeNotNull(bought.2)) * b.usd, NULL) AS bought_usd,
      l.token_sold IN (coin, wrapped) OR l.token_sold IN fed OR sold.3 = 1 OR s.method = 'chainlink' AS sold_trusted,
      l.token_bought IN (coin, wrapped) OR l.token_bought IN fed OR bought.3 = 1 OR b.method = 'chainlink' AS bought_trusted,
      multiIf(bought_usd IS NOT NULL AND bought_trusted, 'bought', sold_usd IS NOT NULL AND sold_trusted, 'sold',
        bought_usd IS NOT NULL, 'bought', sold_usd IS NOT NULL, 'sold', '') AS side
    FROM swap_legs AS l
    ASOF LEFT JOIN priced AS s ON s.token = l.token_sold AND s.block_number <= l.block_number
    ASOF LEFT JOIN priced AS b ON b.token = l.token_bought AND b.block_number <= l.block_number
    WHERE l.chain = {chain:String} AND l.block_number BETWEEN {from:UInt64} AND {to:UInt64} AND l.generation = {generation:UInt32}
  )
SELECT {chain:String}, l.block_number, l.log_index, l.block_hash, l.block_time, l.tx_index, l.tx_hash, l.protocol, l.aggregator, l.pool, l.trusted,
  t.from_address, l.sender, l.recipient,
  l.token_sold, l.token_sold_known, if(l.token_sold_known, l.sold.1, ''), if(l.token_sold_known, l.sold.2, NULL), l.amount_sold,
  l.token_bought, l.token_bought_known, if(l.token_bought_known, l.bought.1, ''), if(l.token_bought_known, l.bought.2, NULL), l.amount_bought,
  multiIf(l.side = 'bought', l.bought_usd, l.side = 'sold', l.sold_usd, NULL), multiIf(l.side = 'bought', l.bought_method, l.side = 'sold', l.sold_method, ''),
  l.side, {generation:UInt32}
FROM sides AS l
LEFT JOIN (
  SELECT block_number, tx_index, from_address FROM transactions WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND generation = {generation:UInt32}
) AS t ON t.block_number = l.block_number AND t.tx_index = l.tx_index
ORDER BY l.block_number, l.log_index
