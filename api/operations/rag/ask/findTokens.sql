-- The token that a symbol in a question stands for: of those on lists, never of those that only call themselves so. A symbol that several of the same standing bear stands for none.
-- Grain: one symbol. Parameters: chain, symbols (as they are written in the question, upper case). Sort key: tokens (chain, address); its rows of the chain are read by three columns.
SELECT upper(t.symbol) AS symbol, concat('0x', lower(hex(if(countIf(t.source = 'curated') > 0, anyIf(t.address, t.source = 'curated'), any(t.address))))) AS token
FROM (SELECT address, symbol, toString(source) AS source FROM tokens FINAL WHERE chain = {chain:String} AND source != 'node' AND has({symbols:Array(String)}, upper(symbol))) AS t
GROUP BY upper(t.symbol)
HAVING if(countIf(t.source = 'curated') > 0, countIf(t.source = 'curated'), count()) = 1
ORDER BY symbol
