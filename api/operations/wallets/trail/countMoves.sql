-- How many transfers each of some addresses took part in. Grain: one address that moved something. Parameters: chain, addresses (hex without 0x).
-- Sort key: address_segments (chain, address, …).
SELECT concat('0x', lower(hex(s.address))) AS address, toFloat64(sum(s.transfers_in + s.transfers_out)) AS transfers FROM address_segments AS s FINAL
WHERE s.chain = {chain:String} AND s.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)) GROUP BY s.address
-- Each address lies elsewhere: handing each of some hundred small reads to another thread takes longer than reading.
SETTINGS optimize_move_to_prewhere_if_final = 1, local_filesystem_read_method = 'pread'
