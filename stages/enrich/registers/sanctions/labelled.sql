-- Listed addresses that stand as labels now. Grain: one row; versions: the highest version of the source's labels. Parameters: source. A source has at most some thousands of labels.
SELECT groupArrayIf((toString(l.chain), l.address, l.label, toString(l.level)), NOT l.removed) AS labels, toFloat64(max(l.version)) AS version FROM labels AS l FINAL WHERE l.source = {source:String}
