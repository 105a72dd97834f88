-- Which labels a load wrote: a load that was ended in the middle leaves labels of a higher version and no row here, and what was loaded before it does not stand any more.
-- 0, of loads before this was noted: not known, so that what they loaded is taken once more.
ALTER TABLE register_loads ADD COLUMN IF NOT EXISTS labels_version UInt64 DEFAULT 0;
