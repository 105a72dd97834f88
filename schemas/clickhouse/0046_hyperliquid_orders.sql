-- By which order an account traded, so that what one order did in many fills is judged as one. 0: written before this was kept.
ALTER TABLE hl_account_fills ADD COLUMN IF NOT EXISTS oid UInt64;

ALTER TABLE hl_fills_by_account MODIFY QUERY
SELECT chain, block_number, account, coin, market, time, tid, extra, side, px, sz, start_position, dir, closed_pnl, fee, crossed,
  startsWith(dir, 'Liquidated') OR (liquidation_method != '' AND liquidated_account = account) AS forced, twap_id IS NOT NULL AS twap, generation, oid
FROM hl_fills;
