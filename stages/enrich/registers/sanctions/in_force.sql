-- The content of a list that is in force. Grain: one row, none before the first load. Parameters: register. Sort key: (register, version).
SELECT f.content AS content, f.list_version AS list_version, f.sha256 AS sha256, f.source AS source, toString(toDate(f.published_at)) AS published_on, toFloat64(f.version) AS version
FROM sanctions_in_force AS f WHERE f.register = {register:String}
