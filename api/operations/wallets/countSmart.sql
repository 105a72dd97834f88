-- How many addresses are labelled fund or whale, lead on the leaderboards of one run, or are whales by a run of the rules, each once; and those runs. Grain: one row.
-- Parameters: chain, run (the height from which it is in force), as_of (the height it is of), rule_version and rule (those it went by) and labels (version of the run of rules); '': the newest of each.
-- label_of is in memory; leaders of one run are few; of label_changes (chain, address, source, label, version) one label of each address is read.
WITH
  if({run:String} = '', (SELECT max((r.in_force_from, r.as_of, r.rule_version, toString(r.rule))) FROM leader_runs AS r WHERE r.chain = {chain:String}), (toUInt64OrZero({run:String}), {as_of:UInt64}, {rule_version:UInt16}, {rule:String})) AS led,
  if({labels:String} = '', (SELECT max(r.version) FROM label_runs AS r WHERE r.step = 'landed'), toUInt64OrZero({labels:String})) AS found
SELECT uniqExact(address) AS count, toString(led.1) AS run, toString(led.2) AS as_of, led.3 AS rule_version, led.4 AS rule, toString(found) AS labels
FROM (
  SELECT d.address AS address FROM dictionary(label_of) AS d WHERE d.chain = {chain:String} AND d.category IN ('fund', 'whale')
  UNION ALL
  SELECT concat('0x', lower(hex(l.account))) FROM leaders AS l WHERE l.chain = {chain:String} AND l.in_force_from = led.1 AND l.as_of = led.2 AND l.rule_version = led.3 AND l.rule = led.4
  UNION ALL
  SELECT k.address FROM addresses_by_rule(chain = {chain:String}, label = 'whale', run = found) AS k
)
