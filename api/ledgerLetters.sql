-- How many jobs of chains with blocks gave up before alert, and how many at it, and were not redriven, and when the newest letter of any was written: it changes with every letter. Grain: one row. Parameters: venues, which have no blocks. All of dead_letters is read, which is small.
SELECT toFloat64(countIf(d.state = 'dead' AND d.stage != 'alert')) AS letters, toFloat64(countIf(d.state = 'dead' AND d.stage = 'alert')) AS unalerted, toString(max(d.at)) AS newest FROM dead_letters AS d FINAL WHERE d.chain NOT IN {venues:Array(String)}
SETTINGS max_threads = 1
