-- What the operator and the pipeline last decided. Grain: one name (pipeline, stage:<name>, chain:<id>). A table of a few rows.
SELECT name, state, reason FROM controls FINAL
