-- Writes down what was decided about one name, after all that was decided of it before, whatever the clocks of those who did so said. Grain: one row of controls. Parameters: name, state, reason, by.
INSERT INTO controls (name, state, reason, changed_by, changed_at)
SELECT {name:String}, {state:String}, {reason:String}, {by:String}, greatest(now64(6, 'UTC'), max(changed_at) + toIntervalMicrosecond(1)) FROM controls WHERE name = {name:String}
