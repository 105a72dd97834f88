-- What a model trained in the store expects of prices, and what came of it. Everything but prediction_features is append-only: a prediction once made stays.
-- version: the hour (Unix seconds) as of which a model was trained; the same hour trains the same model.

-- Grain: one run of the training on one chain. tokens: those that were tested; speaking: those whose model beat the base rate.
CREATE TABLE IF NOT EXISTS prediction_runs (
  chain LowCardinality(String), version UInt64, trained_at DateTime64(3, 'UTC'), from_hour DateTime('UTC'), to_hour DateTime('UTC'), rows UInt64, tokens UInt32, speaking UInt32
) ENGINE = MergeTree ORDER BY (chain, version)
SETTINGS non_replicated_deduplication_window = 1000;

-- What a model sees of one token at the end of one hour; emptied after the run. place counts a token's hours from 1, total is how many there are.
-- x1…x6: return of the hour, of the hour before, of six hours; volume against the day; net flow to exchanges in the hour and in six. Each in deviations
-- from the week before it, cut at 5. up: whether the price was higher an hour later, null where that is not known.
CREATE TABLE IF NOT EXISTS prediction_features (
  version UInt64, chain LowCardinality(String), token FixedString(20), hour DateTime('UTC'), place UInt32, total UInt32, price Float64,
  x1 Float64, x2 Float64, x3 Float64, x4 Float64, x5 Float64, x6 Float64, up Nullable(Bool)
) ENGINE = MergeTree PARTITION BY version ORDER BY (chain, token, hour)
SETTINGS non_replicated_deduplication_window = 1000;

-- Grain: one model of one token. fold 1…4: trained on what lay before a part of the hours, to be tested on that part; 5: trained on all.
CREATE TABLE IF NOT EXISTS prediction_models (
  chain LowCardinality(String), version UInt64, token FixedString(20), fold UInt8, rows UInt32,
  model AggregateFunction(stochasticLogisticRegression(0.05, 0.01, 16, 'Adam'), Float64, Float64, Float64, Float64, Float64, Float64, Float64)
) ENGINE = MergeTree ORDER BY (chain, version, token, fold)
SETTINGS non_replicated_deduplication_window = 1000;

-- Grain: one token's walk-forward test. base_rate: the hits of always naming the more frequent direction of the tested hours themselves.
CREATE TABLE IF NOT EXISTS prediction_tests (
  chain LowCardinality(String), version UInt64, token FixedString(20), tested UInt32, hits UInt32, hit_rate Float64, base_rate Float64, speaks Bool
) ENGINE = MergeTree ORDER BY (chain, version, token)
SETTINGS non_replicated_deduplication_window = 1000;

-- Grain: one prediction: will the price at the end of target_hour be above price. features: what the model saw.
CREATE TABLE IF NOT EXISTS predictions (
  chain LowCardinality(String), target_hour DateTime('UTC'), token FixedString(20), version UInt64, horizon_hours UInt16, made_at DateTime64(3, 'UTC'), probability_up Float64, price Float64,
  features Map(String, Float64), tested UInt32, hit_rate Float64, base_rate Float64
) ENGINE = MergeTree ORDER BY (chain, target_hour, token, version)
SETTINGS non_replicated_deduplication_window = 1000;

-- Grain: what came of one prediction, once its hour was over.
CREATE TABLE IF NOT EXISTS prediction_outcomes (
  chain LowCardinality(String), target_hour DateTime('UTC'), token FixedString(20), version UInt64, price Float64, is_up Bool, hit Bool, found_at DateTime64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (chain, target_hour, token, version)
SETTINGS non_replicated_deduplication_window = 1000;
