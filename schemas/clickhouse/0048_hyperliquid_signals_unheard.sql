-- Which look at the market was told of to its end.
-- told: that marks and results as of this run were written, whatever they are.
ALTER TABLE hl_signal_runs ADD COLUMN IF NOT EXISTS told Bool DEFAULT false;
