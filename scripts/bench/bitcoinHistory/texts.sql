-- Texts of the made addresses. Grain: one address. Parameters: addresses. Nothing is read.
INSERT INTO btc_addresses (id, address, script_type)
SELECT toFixedString(substring(SHA256(concat('made', toString(number))), 1, 20), 20), concat('made', toString(number)), 'pubkeyhash' FROM numbers({addresses:UInt64})
