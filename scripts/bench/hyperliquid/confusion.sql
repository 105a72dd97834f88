-- How the traders of a made market were judged, by the style they were made with. Grain: one made and one told style ('' none). Reads made_traders, hl_traders.
SELECT t.role AS role, t.style AS made, if(j.judged, j.style, '(not judged)') AS told, count() AS traders
FROM made_traders AS t LEFT JOIN (SELECT account, style, true AS judged FROM hl_traders FINAL WHERE chain = 'HL') AS j ON j.account = t.account
WHERE t.role != 'backstop' AND t.trader IN (SELECT trader FROM made_fills)
GROUP BY role, made, told ORDER BY role, made, traders DESC
