-- Whether an operator took a load although much of the list was gone: what a later one may lose is measured against contents from there on.
ALTER TABLE sanctions_loads ADD COLUMN IF NOT EXISTS taken Bool;
