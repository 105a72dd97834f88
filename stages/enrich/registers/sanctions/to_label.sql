-- Listings of the content in force. Grain: one listing. Parameters: register. Sort key: designations (register, content, …).
SELECT d.address AS address, d.list_id AS list_id, d.entity_name AS entity_name, toString(d.listed_on) AS listed_on FROM designations AS d FINAL
WHERE d.register = {register:String} AND d.content = (SELECT f.content FROM sanctions_in_force AS f WHERE f.register = {register:String})
