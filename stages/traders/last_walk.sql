-- The last run of traders that began, landed or not. Walks go a day after the time that is a run's number, so one whose number has yet to come is among them. 0 where there is none.
-- Grain: one row. Parameters: chain. Sort key: hl_walks (chain, run).
SELECT toFloat64(max(w.run)) AS run FROM hl_walks AS w WHERE w.chain = {chain:String}
