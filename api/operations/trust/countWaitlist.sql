-- How many addresses are on the waiting list. Grain: one row. Parameters: none. Sort key: email (read whole; a write may stand twice for a while).
SELECT toFloat64(uniqExact(email)) AS count FROM waitlist
