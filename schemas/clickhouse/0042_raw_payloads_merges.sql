-- Small parts of raw_payloads (a segment of a venue ten times a second, a block at the tip) are merged when there are some sixteen alike and not five: each row is written again half as often.
-- At seventeen segments a second, landing and merging cost 29 ms CPU a segment with this and 42 without (medians of seven turns of each). Older and more numerous parts are still merged sooner, as the server does.
ALTER TABLE raw_payloads MODIFY SETTING merge_selector_base = 16;
