-- How many addresses one owner watches. Grain: one row. Parameters: owner. Sort key: (owner, list_id, key).
SELECT toFloat64(count()) AS watched FROM watched_addresses FINAL WHERE owner = {owner:String} AND NOT removed
