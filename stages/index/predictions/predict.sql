-- What each model that speaks expects of the hour after the newest: one prediction per token. Grain: one token. Parameters: chain, version.
-- Sort keys: prediction_features, prediction_models and prediction_tests, of the version.
INSERT INTO predictions (chain, target_hour, token, version, horizon_hours, made_at, probability_up, price, features, tested, hit_rate, base_rate)
SELECT {chain:String}, f.hour + INTERVAL 1 HOUR, f.token, {version:UInt64}, 1, now64(3), evalMLMethod(m.model, f.x1, f.x2, f.x3, f.x4, f.x5, f.x6), f.price,
  map('return_1h', f.x1, 'return_1h_before', f.x2, 'return_6h', f.x3, 'volume_vs_day', f.x4, 'exchange_flow_1h', f.x5, 'exchange_flow_6h', f.x6), t.tested, t.hit_rate, t.base_rate
FROM (SELECT * FROM prediction_features WHERE version = {version:UInt64} AND chain = {chain:String} AND hour = toDateTime({version:UInt64}, 'UTC')) AS f
INNER JOIN (SELECT token, model FROM prediction_models WHERE chain = {chain:String} AND version = {version:UInt64} AND fold = 5) AS m ON m.token = f.token
INNER JOIN (SELECT token, tested, hit_rate, base_rate FROM prediction_tests WHERE chain = {chain:String} AND version = {version:UInt64} AND speaks) AS t ON t.token = f.token
