-- What is known of addresses and tokens, as Postgres is to have it. Grain: one address. Reads labels and tokens whole, which are small.
SELECT concat('\\x', substring(address, 3)), label, entity, category, '', 0, false FROM labels_now WHERE chain = 'ETH' AND match(address, '^0x[0-9a-f]{40}$')
UNION ALL
SELECT concat('\\x', lower(hex(address))), '', '', '', symbol, ifNull(decimals, 255), true FROM tokens FINAL WHERE chain = 'ETH'
