-- What moved to or from a bridge makes a transaction one of a bridge only where it is the coin or a listed token, as with mixers (0077_mixers_by_listed_tokens.sql): one that is not listed says what
-- it likes of anybody. A call of the bridge itself is one whatever it moves. What each rule says, and sort keys, stand in 0011_compliance.sql.
CREATE OR REPLACE VIEW transaction_intents AS
SELECT hash, block_number, tx_index, block_time, sender, creates_contract, receiver_hex, target.1 AS to_label, input_size, called, state, usd,
    multiIf(
      creates_contract, ('contract_creation', 'no receiver'),
      target.2 = 'mixer', ('mixer', 'the receiver is labelled as a mixer'),
      mixed > 0, ('mixer', 'value moved to or from a mixer'),
      target.2 = 'bridge', ('bridge', 'the receiver is labelled as a bridge'),
      bridged > 0, ('bridge', 'value moved to or from a bridge'),
      traded > 0, ('swap', 'a swap event was decoded'),
      called IN ('095ea7b3', 'a22cb465', '39509351', 'd505accf', '8fcbaf0c', '87517c45', '2b67b570') AND input_size >= 4, ('approval', 'selector of an approval or permit'),
      wrapped > 0 AND receiver = toFixedString(unhex('c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'), 20), ('wrap', 'the coin was wrapped or unwrapped'),
      minted > 0, ('mint', 'tokens came from the zero address'),
      called IN ('a9059cbb', '23b872dd', '42842e0e', 'b88d4fde', 'f242432a', '2eb2c2d6') AND input_size >= 4, ('transfer', 'selector of a transfer'),
      input_size = 0 AND value > 0, ('transfer', 'coin without a call'),
      moved > 0 AND movers = [sender], ('transfer', 'only the sender\'s tokens moved'),
      ('other', 'no rule fits')) AS verdict
FROM (
  SELECT p.tx_hash AS hash, p.block_number AS block_number, p.tx_index AS tx_index, p.block_time AS block_time, p.from_address AS sender, p.to_address AS receiver,
    concat('0x', lower(hex(p.to_address))) AS receiver_hex, p.creates_contract AS creates_contract, lower(hex(p.selector)) AS called, p.input_size AS input_size, p.value AS value, p.status AS state,
    dictGet('label_of', ('label', 'category'), ({chain:String}, receiver_hex)) AS target, s.swaps AS traded,
    m.mixed AS mixed, m.bridged AS bridged, m.minted AS minted, m.wrapped AS wrapped, m.moved AS moved, m.movers AS movers, m.usd AS usd
  FROM (
    SELECT * FROM transactions AS t
    WHERE t.chain = {chain:String} AND t.block_number IN {blocks:Array(UInt64)} AND has({hashes:Array(String)}, lower(hex(t.tx_hash)))
  ) AS p
  LEFT JOIN (
    SELECT block_number, tx_index, count() AS swaps FROM swaps WHERE chain = {chain:String} AND block_number IN {blocks:Array(UInt64)} GROUP BY block_number, tx_index
  ) AS s ON s.block_number = p.block_number AND s.tx_index = p.tx_index
  LEFT JOIN (
    SELECT block_number, tx_index, countIf((from_class = 'mixer' OR to_class = 'mixer') AND (token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(token))))))) AS mixed,
      countIf((from_class = 'bridge' OR to_class = 'bridge') AND (token = toFixedString('', 20) OR dictGet('token_of', 'listed', ({chain:String}, concat('0x', lower(hex(token))))))) AS bridged,
      countIf(kind IN ('erc20', 'erc721', 'erc1155') AND from_address = toFixedString('', 20)) AS minted, countIf(kind IN ('wrap', 'unwrap')) AS wrapped,
      countIf(kind IN ('erc20', 'erc721', 'erc1155')) AS moved, groupUniqArrayIf(from_address, kind IN ('erc20', 'erc721', 'erc1155')) AS movers, max(t.value_usd) AS usd
    FROM transfers AS t WHERE chain = {chain:String} AND block_number IN {blocks:Array(UInt64)} AND kind != 'withdrawal' GROUP BY block_number, tx_index
  ) AS m ON m.block_number = p.block_number AND m.tx_index = p.tx_index
);
