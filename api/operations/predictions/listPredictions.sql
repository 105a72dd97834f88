-- Predictions, the newest hour first, each with what came of it (null while its hour is not over, or had no price) and how the token's earlier ones fared.
-- Grain: one prediction. Parameters: chain, token (hex without 0x, '' for all), hour, below (Unix seconds and hex of the last row given), limit.
-- Sort key: predictions (chain, target_hour, token, version), backwards; prediction_outcomes has the same.
WITH past AS (
  SELECT o.token AS token, count() AS judged, countIf(o.hit) AS hits, greatest(countIf(o.is_up), countIf(NOT o.is_up)) AS usual FROM prediction_outcomes AS o WHERE o.chain = {chain:String} GROUP BY o.token
)
SELECT concat('0x', lower(hex(p.token))) AS token, dictGet('token_of', 'symbol', ({chain:String}, token)) AS symbol, p.target_hour AS target_hour, toFloat64(toUnixTimestamp(p.target_hour)) AS at, p.horizon_hours AS horizon_hours, p.made_at AS made_at,
  p.probability_up AS probability_up, p.price AS price_then, p.features AS features, toDateTime(p.version, 'UTC') AS model_version, p.tested AS tested, p.hit_rate AS hit_rate, p.base_rate AS base_rate,
  if(o.version = 0, NULL, toNullable(o.price)) AS price_later, if(o.version = 0, NULL, toNullable(o.hit)) AS hit,
  toFloat64(k.judged) AS realised, if(k.judged > 0, toNullable(k.hits / k.judged), NULL) AS realised_hit_rate, if(k.judged > 0, toNullable(k.usual / k.judged), NULL) AS realised_base_rate
FROM (
  SELECT * FROM predictions
  WHERE chain = {chain:String} AND target_hour <= toDateTime({hour:UInt64}, 'UTC') AND ({token:String} = '' OR token = toFixedString(unhex({token:String}), 20)) AND (target_hour < toDateTime({hour:UInt64}, 'UTC') OR lower(hex(predictions.token)) > {below:String})
  ORDER BY target_hour DESC, token
  LIMIT {limit:UInt32}
) AS p
LEFT JOIN (SELECT * FROM prediction_outcomes WHERE chain = {chain:String} AND target_hour <= toDateTime({hour:UInt64}, 'UTC')) AS o ON o.target_hour = p.target_hour AND o.token = p.token AND o.version = p.version
LEFT JOIN past AS k ON k.token = p.token
ORDER BY target_hour DESC, token
