-- Coins of a made market. Their names say that they are made: the venue's own have no hyphen. Grain: one coin. sd, pd: decimals of sizes and of prices.
INSERT INTO made_coins VALUES
  (0, 'SYN-BTC', 60000, 5, 0, 40, 1), (1, 'SYN-ETH', 3000, 4, 1, 25, 1.2), (2, 'SYN-SOL', 150, 2, 3, 20, 1.5),
  (3, 'SYN-XRP', 2, 0, 4, 20, 1.3), (4, 'SYN-DOGE', 0.2, 0, 5, 10, 1.8), (5, 'SYN-LINK', 15, 1, 3, 10, 1.4)
