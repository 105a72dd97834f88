-- Whether any register or import says anything of any address of a chain, sanctions lists apart: they name few, and come by themselves. Grain: one row. Parameters: chain, sanctions (their registers).
-- Sort key of labels: (chain, address, source, label), up to the first row: an older version of what is removed now counts, for then there was a register.
SELECT count() > 0 AS labelled FROM (SELECT 1 FROM labels AS l WHERE l.chain = {chain:String} AND NOT l.removed AND l.source NOT IN {sanctions:Array(String)} LIMIT 1)
