-- Jobs that gave up and wait for the operator. Grain: one job. Parameters: chain.
SELECT id FROM dead_letters FINAL WHERE chain = {chain:String} AND state = 'dead'
