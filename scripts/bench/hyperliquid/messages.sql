-- Messages of trades as the venue's socket sends them, with @ where the time belongs. Grain: one message. Parameters: count. Reads made_coins, made_traders.
SELECT concat('{"channel":"trades","data":[{"coin":"', coin, '","side":"', if(n % 2 = 0, 'B', 'A'), '","px":"', toString(toDecimal128(toString(round(base * (1 + n % 97 / 100000), pd)), 6)), '","sz":"', toString(toDecimal128(toString(round((20000 + n % 1000) / base, sd)), 6)), '","time":@,"hash":"0x53594e54', lower(substring(hex(SHA256(toString(n))), 1, 56)),
  '","tid":', toString(900000000000000 + n), ',"users":["0x', lower(hex(accounts[n % length(accounts) + 1])), '","0x', lower(hex(accounts[(n + 1) % length(accounts) + 1])), '"]}]}') AS message, toString(900000000000000 + n) AS trade
FROM (SELECT number AS n, toUInt8(number % 6) AS c FROM numbers({count:UInt64})) AS m INNER JOIN made_coins USING (c) CROSS JOIN (SELECT groupArray(account) AS accounts FROM (SELECT account FROM made_traders LIMIT 500)) AS all
ORDER BY n
