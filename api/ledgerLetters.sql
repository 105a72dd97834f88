-- How often a job of a chain with blocks gave up or was redriven, and when last: it changes with every letter. Grain: one row. Parameters: venues, which have no blocks. All of dead_letters is read, which is small.
SELECT toFloat64(count()) AS letters, toString(max(d.at)) AS newest FROM dead_letters AS d WHERE d.chain NOT IN {venues:Array(String)}
SETTINGS max_threads = 1
