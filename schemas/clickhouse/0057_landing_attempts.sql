-- Which attempt to land a batch brought an answer: a number drawn by the process that made it, 0 where it drew none. By it a process knows whether what stands is what it holds itself.
ALTER TABLE raw_payloads ADD COLUMN IF NOT EXISTS attempt UInt64 DEFAULT 0;
