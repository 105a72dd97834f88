-- The id of who holds an output (party) beside its text: every step after the first asks for ids alone, and text is read and hashed once. Zero where the party is not known.
-- Rows from before have it worked out where it is read.
ALTER TABLE btc_outputs ADD COLUMN IF NOT EXISTS party_id FixedString(20) MATERIALIZED
  if(script_id = '' AND address = '', toFixedString('', 20), toFixedString(substring(SHA256(if(script_id = '', address, concat('script', script_id))), 1, 20), 20));
ALTER TABLE btc_inputs ADD COLUMN IF NOT EXISTS party_id FixedString(20) MATERIALIZED
  if(script_id = '' AND address = '', toFixedString('', 20), toFixedString(substring(SHA256(if(script_id = '', address, concat('script', script_id))), 1, 20), 20));
