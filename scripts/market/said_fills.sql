-- The lines of a made market's fills as payloads, fifteen minutes of them each. Grain: one payload. Parameters: begin, from, to (Unix milliseconds, the last excluded).
INSERT INTO made_said
SELECT max(moment), 'node_fills', concat('{"file":"synthetic/', formatDateTime(max(moment), '%Y%m%d/%H'), '","from":0,"to":0}'), arrayStringConcat(arrayMap(one -> one.2, arraySort(groupArray((moment, concat(line, '\n'))))), '')
FROM made_lines(begin = {begin:UInt64}, from = {from:UInt64}, to = {to:UInt64}) GROUP BY intDiv(toUnixTimestamp(moment), 900)
