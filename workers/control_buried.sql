-- How many dead letters of each stage stand (standing_letters), and how many of them are of batches of the plan. Grain: one stage that has some. Parameters: none.
SELECT s.stage AS stage, count() AS letters, countIf(s.hash != '') AS batches FROM standing_letters AS s GROUP BY s.stage
