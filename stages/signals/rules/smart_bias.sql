-- Long share of what leaders of the 30 days before hold, against that of all accounts whose fills are heard: towards the side on which leaders stand more. By dollars and by accounts, both
-- towards that side, and the smaller difference counts: neither one large account nor many small ones speak alone. The evidence: both shares, accounts on both sides, what leaders traded in four hours.
-- Grain: one coin at one time. Parameters: chain, from_time, to_time (Unix seconds). Sort keys: hl_stances, hl_features (chain, time, coin). Least values of measures are those of the mildest version.
INSERT INTO hl_sightings (chain, kind, coin, time, side, strength, measures, detail, px, reconstructed)
SELECT chain, 'smart_bias', coin, time, towards, least(100, round(100 * bias, 2)), measures, detail, px, reconstructed FROM (
  SELECT s.chain AS chain, s.coin AS coin, s.time AS time, f.px AS px, f.reconstructed AS reconstructed, s.smart_long_usd + s.smart_short_usd AS usd, s.smart_long_usd / usd AS share, s.tracked_long_usd / (s.tracked_long_usd + s.tracked_short_usd) AS all_share,
    s.smart_long_accounts / s.smart_accounts AS accounts_share, s.tracked_long_accounts / s.tracked_accounts AS all_accounts_share, if(share > all_share, 'long', 'short') AS towards, if(towards = 'long', 1, -1) AS sense,
    round(least(sense * (share - all_share), sense * (accounts_share - all_accounts_share)), 9) AS bias,
    mapConcat(map('bias', bias, 'usd', usd, 'accounts', toFloat64(s.smart_accounts), 'tracked', toFloat64(s.tracked_accounts), 'long_accounts', toFloat64(s.smart_long_accounts), 'tracked_long_accounts', toFloat64(s.tracked_long_accounts),
      'long_share', share, 'tracked_long_share', all_share, 'flow', sense * ifNull(f.flow, 0)), mapSort(s.flows)) AS measures,
    concat('Long are ', toString(round(share * 100, 1)), ' % of the $', toString(round(usd)), ' and ', toString(s.smart_long_accounts), ' of the ', toString(s.smart_accounts), ' accounts with which leaders of the 30 days before stand; of all tracked ', toString(round(all_share * 100, 1)), ' % and ',
      toString(s.tracked_long_accounts), ' of ', toString(s.tracked_accounts), if(empty(s.flows), '; leaders traded nothing in four hours', concat('; leaders in four hours: ', arrayStringConcat(arrayMap((name, value) -> concat(replaceAll(replaceOne(name, '_usd', ''), '_', ' '), ' $', toString(round(value))), mapKeys(mapSort(s.flows)), mapValues(mapSort(s.flows))), ', ')))) AS detail
  FROM hl_stances AS s INNER JOIN hl_features AS f ON f.chain = s.chain AND f.time = s.time AND f.coin = s.coin
  WHERE s.chain = {chain:String} AND s.time > toDateTime({from_time:UInt32}, 'UTC') AND s.time <= toDateTime({to_time:UInt32}, 'UTC') AND f.chain = {chain:String} AND f.time > toDateTime({from_time:UInt32}, 'UTC') AND f.time <= toDateTime({to_time:UInt32}, 'UTC') AND s.smart_long_usd + s.smart_short_usd > 0
)
WHERE measures['bias'] >= (SELECT min(least['bias']) FROM hl_signal_rules WHERE kind = 'smart_bias') AND measures['accounts'] >= (SELECT min(least['accounts']) FROM hl_signal_rules WHERE kind = 'smart_bias')
  AND measures['tracked'] >= (SELECT min(least['tracked']) FROM hl_signal_rules WHERE kind = 'smart_bias') AND measures['usd'] >= (SELECT min(least['usd']) FROM hl_signal_rules WHERE kind = 'smart_bias')
