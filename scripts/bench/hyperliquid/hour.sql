-- An hour of a made market as a file of a node. Grain: one line, a block. Parameters: begin, from, to (Unix milliseconds, the last excluded). Reads made_lines.
SELECT line FROM made_lines(begin = {begin:UInt64}, from = {from:UInt64}, to = {to:UInt64}) ORDER BY moment FORMAT TSVRaw
