-- Up to where each of a node's files was read, however long ago, to within the hour. Grain: one file of one kind. Parameters: chain. What skip, torn, told and life are, keepPlaces.sql tells. Sort key: hl_file_places (chain, kind, file).
SELECT kind, file, place.1 AS life, place.2 AS at, place.3 AS skip, place.4 AS torn, place.5 AS told
FROM (SELECT p.kind AS kind, p.file AS file, max(p.place) AS place FROM hl_file_places AS p WHERE p.chain = {chain:String} GROUP BY p.kind, p.file)
