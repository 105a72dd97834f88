-- Whether a batch may hold extracted value, so that statements with nothing to write are not run. Grain: one row; each column counts.
-- Parameters: chain, from, to. Sort keys: swap_legs and logs (chain, block_number, …). A column may count too much, never too little.
-- sandwiched: pools traded both ways by three transactions of a block. cycled: transactions whose trades give and take the same
-- tokens. served: positions that were both made and taken down in a block (in V4: changed twice by one owner).
SELECT sandwiched, cycled, served FROM (
  SELECT countIf(txs >= 3 AND directions >= 2) AS sandwiched FROM (
    SELECT uniqExact(tx_index) AS txs, uniqExact(token_sold) AS directions FROM swap_legs
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND NOT aggregator GROUP BY block_number, pool)
) AS pools CROSS JOIN (
  SELECT countIf(traded > 1) AS cycled FROM (
    SELECT count() AS traded FROM swap_legs
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64} AND NOT aggregator GROUP BY block_number, tx_index)
) AS txs CROSS JOIN (
  SELECT countIf(made > 0 AND undone > 0 OR changed > 1) AS served FROM (
    SELECT countIf(topic0 = unhex('7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde')) AS made,
      countIf(topic0 = unhex('0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c')) AS undone,
      countIf(topic0 = unhex('f208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec')) AS changed
    FROM logs
    WHERE chain = {chain:String} AND block_number BETWEEN {from:UInt64} AND {to:UInt64}
      AND topic0 IN (unhex('7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde'), unhex('0c396cd989a39f4459b5fa1aed6a9a8dcdbc45908acfd67e028cd568da98982c'),
        unhex('f208f4912782fd25c7f114ca3723a2d5dd6f3bcc3ac8db5af63baa85f711d5ec'))
    GROUP BY block_number, address, topic1, topic2, topic3)
) AS positions
