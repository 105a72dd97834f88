-- Whether a source ever changed a label, asked where a list of its changes is empty. Grain: one row where it did, none where it did not. Parameters: source.
-- Sort key: label_changes (chain, address, source, label, version) does not begin with it: the column of names is read until one is found.
SELECT 1 AS changes FROM label_changes AS c WHERE c.source = {source:String} LIMIT 1
