-- How many dead letters of each stage stand (standing_letters). Grain: one stage that has some. Parameters: none.
SELECT stage, count() AS letters FROM standing_letters GROUP BY stage
