-- What an address gave (source) or got in the same transaction for what a trail found: the trail goes on with that. A swap mixes: the weights go over in proportion, by dollars where there are several tokens.
-- The giver is the address itself; where it gave nothing, the sender of a swap. Where the transaction is no trade (findTraded.sql), or has several tokens without a price, there is no row.
-- Grain: one move of the other side, for one branch. Parameters: chain, source, found ([branch, address, token, root, block, tx_hash, fifo, haircut, mask, lifo, trader];
-- hex without 0x; '': unknown, or no swap), and of them all: addresses (traders too), blocks and hashes. Sort key: address_transfers (chain, address, block_number, …).
WITH
  sides AS MATERIALIZED (
    SELECT a.address AS address, a.block_number AS block_number, a.tx_hash AS tx_hash, a.token AS token, CAST(a.kind, 'Int8') AS kind, a.position AS position, a.sub AS sub, a.amount AS amount, a.value_usd AS usd,
      (a.direction = 'out') = {source:Bool} AS other_side
    FROM address_transfers AS a
    WHERE a.chain = {chain:String} AND a.address IN (SELECT toFixedString(unhex(arrayJoin({addresses:Array(String)})), 20)) AND a.block_number IN {blocks:Array(UInt64)}
      AND a.tx_hash IN (SELECT toFixedString(unhex(arrayJoin({hashes:Array(String)})), 32)) AND a.kind NOT IN ('erc721', 'erc1155') AND a.other != a.address AND a.amount > 0 AND a.amount < bitShiftLeft(toUInt256(1), 127)
  ),
  givers AS (
    SELECT f.*, if((f.address, f.block_number, f.tx_hash) IN (SELECT address, block_number, tx_hash FROM sides WHERE other_side), f.address, f.trader) AS giver FROM (
      SELECT branch, address, token, root, block_number, tx_hash, sum(w.fifo) AS fifo, sum(w.haircut) AS haircut, countIf(w.fifo IS NULL) > 0 AS no_fifo, countIf(w.haircut IS NULL) > 0 AS no_haircut, groupBitOr(w.mask) AS mask, sum(w.lifo) AS lifo, countIf(w.lifo IS NULL) > 0 AS no_lifo, any(w.trader) AS trader
      FROM (
        SELECT toUInt32(f[1]) AS branch, toFixedString(unhex(f[2]), 20) AS address, toFixedString(unhex(f[3]), 20) AS token, f[4] AS root, toUInt64(f[5]) AS block_number, toFixedString(unhex(f[6]), 32) AS tx_hash,
          toInt256OrNull(f[7]) AS fifo, toInt256OrNull(f[8]) AS haircut, toUInt256(f[9]) AS mask, toInt256OrNull(f[10]) AS lifo, toFixedString(unhex(f[11]), 20) AS trader
        FROM (SELECT arrayJoin({found:Array(Array(String))}) AS f)
      ) AS w
      GROUP BY branch, address, token, root, block_number, tx_hash
    ) AS f
  )
SELECT toFloat64(branch) AS branch, concat('0x', lower(hex(giver))) AS giver, concat('0x', lower(hex(gave))) AS token, concat('0x', root) AS root,
  [toString(block_number), toString(kind), toString(position), toString(sub), lower(hex(tx_hash)), toString(mask), toString(amount), if(no_haircut, '', toString(intDiv(haircut * upto, whole) - intDiv(haircut * before, whole))),
    if(no_lifo, '', toString(intDiv(lifo * upto, whole) - intDiv(lifo * before, whole))), '', '0', toString(amount), if(no_fifo, '', toString(intDiv(fifo * upto, whole) - intDiv(fifo * before, whole)))] AS item
FROM (
  SELECT *, sum(part) OVER (PARTITION BY branch, root, block_number, tx_hash ORDER BY gave, kind, position, sub) AS upto, upto - part AS before, sum(part) OVER one AS whole,
    countIf(usd IS NULL) OVER one = 0 OR uniqExact(gave) OVER one = 1 AS splits
  FROM (
    SELECT g.branch AS branch, g.root AS root, g.block_number AS block_number, g.tx_hash AS tx_hash, g.giver AS giver, g.fifo AS fifo, g.haircut AS haircut, g.no_fifo AS no_fifo, g.no_haircut AS no_haircut, g.mask AS mask, g.lifo AS lifo, g.no_lifo AS no_lifo,
      s.token AS gave, s.kind AS kind, s.position AS position, s.sub AS sub, s.amount AS amount, s.usd AS usd,
      if(countIf(s.usd IS NULL) OVER (PARTITION BY g.branch, g.root, g.block_number, g.tx_hash) = 0, toInt256(greatest(round(s.usd * 1000000), 1)), toInt256(s.amount)) AS part
    FROM givers AS g INNER JOIN sides AS s ON s.address = g.giver AND s.block_number = g.block_number AND s.tx_hash = g.tx_hash
    WHERE s.other_side AND s.token != g.token
  )
  WINDOW one AS (PARTITION BY branch, root, block_number, tx_hash)
)
WHERE splits
ORDER BY branch, block_number, kind, position, sub
-- Moves of many traders lie in as many places: a second thread takes half of them, and of few there is none.
SETTINGS enable_materialized_cte = 1, max_threads = 2, merge_tree_min_rows_for_concurrent_read = 16384, merge_tree_min_bytes_for_concurrent_read = 1048576
