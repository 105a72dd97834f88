-- Texts of the made addresses, as the outputs have them. Grain: one address. Parameters: addresses. Nothing is read.
INSERT INTO btc_parties (id, address, script_type)
WITH (k -> concat(char(5), substring(SHA256(concat('made', toString(k))), 1, 20))) AS script, (k -> base58Encode(concat(script(k), substring(SHA256(SHA256(script(k))), 1, 4)))) AS address_text
SELECT toFixedString(substring(SHA256(text), 1, 20), 20), text, 'scripthash' FROM (SELECT if(number % 64 = 0, address_text(number), concat('made', toString(number))) AS text FROM numbers({addresses:UInt64}))
