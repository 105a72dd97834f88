-- Whether a job of this id ever gave up, whatever has become of it. Grain: one row. Parameters: id. dead_letters is a table of a few rows.
SELECT count() > 0 AS written FROM dead_letters WHERE id = {id:String}
