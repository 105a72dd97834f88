-- What labels that name clusters are chosen by: sure, precedence, valid_from, source and label, as everywhere (labels_now). Rows of before have no more than the confidence until clusters look again, which is soon.
ALTER TABLE btc_cluster_names ADD COLUMN IF NOT EXISTS label String DEFAULT '', ADD COLUMN IF NOT EXISTS sure UInt8 DEFAULT confidence,
  ADD COLUMN IF NOT EXISTS precedence UInt8 DEFAULT 0, ADD COLUMN IF NOT EXISTS valid_from DateTime64(3, 'UTC') DEFAULT 0;
