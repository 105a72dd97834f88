-- Who trades in a made market, and how: the style each is made with. Grain: one account. Accounts begin with 0x53594e54 ('SYNT'): nobody has a key of them.
-- Parameters: seed, traders, makers. After the traders come the makers, then the backstop. style: what a rule should say ('' none).
-- slot: minutes from trip to trip; right: share of trips in the direction the price goes; cut: minutes after which a wrong one is given up.
INSERT INTO made_traders
WITH number < {traders:UInt32} AS trades, cityHash64({seed:UInt64}, number, 'trader') AS draw,
  [ -- role, style, leverage, slot, lanes, hold from, to, tries, right, cut
    ('sniper', 'SNIPER', 5, 1680, 1, 120, 480, 6, 0.8, 30), ('directional', 'DIRECTIONAL', 3, 5760, 2, 2880, 5400, 1, 0.5, 0), ('steamroller', 'STEAMROLLER', 8, 480, 1, 60, 180, 8, 0.92, 0),
    ('hedger', 'HEDGER', 2, 4320, 2, 2880, 4200, 1, 0.5, 0), ('noise', '', 5, 960, 3, 300, 900, 1, 0.5, 0), ('loser', '', 40, 720, 3, 120, 700, 1, 0.25, 0), ('leader', 'DIRECTIONAL', 3, 720, 1, 120, 600, 4, 0.68, 90), ('insider', '', 10, 8640, 1, 120, 600, 1, 1., 0)] AS roles,
  [1, 2, 3, 4, 5, 2, 4, 6, 3, 1, 7, 4, 5, 2, 3, 1, 8, 4, 6, 5] AS order_of_roles, roles[order_of_roles[number % 20 + 1]] AS r
SELECT toUInt32(number), toFixedString(unhex(concat('53594e54', hex(cityHash64({seed:UInt64}, number, 1)), hex(cityHash64({seed:UInt64}, number, 2)))), 20) AS account,
  multiIf(trades, r.1, number < {traders:UInt32} + {makers:UInt32}, 'maker', 'backstop') AS role, if(trades, r.2, '') AS style,
  multiIf(NOT trades, 10000000, role = 'insider', 50000 + draw % 100000, round(exp(7.3 + pow(draw % 10000 / 10000, 2) * 6))) AS equity, if(trades, r.3, 1),
  multiIf(role = 'insider', 8 * equity, role = 'loser', 8 * equity, 1.5 * equity), r.4, r.5, r.6, r.7, r.8, r.9, r.10
FROM numbers({traders:UInt32} + {makers:UInt32} + 1)
