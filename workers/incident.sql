-- Opens an incident, or records one that is over already (closed), after all that was written of it before, whatever clocks said then; one that is open stays opened when it was. Grain: one row of incidents.
-- Parameters: id, chain, kind, severity, summary, detail, closed. The table is small.
INSERT INTO incidents (id, chain, kind, severity, summary, detail, opened_at, closed_at, at)
SELECT {id:String}, {chain:String}, {kind:String}, {severity:String}, {summary:String}, {detail:String}, if(before.open, before.opened, before.next), if({closed:Bool}, toNullable(before.next), NULL), before.next
FROM (
  SELECT greatest(now64(6, 'UTC'), max(i.at) + toIntervalMicrosecond(1)) AS next, argMax(i.opened_at, i.at) AS opened, count() > 0 AND isNull(argMax(tuple(i.closed_at), i.at).1) AS open
  FROM incidents AS i WHERE i.id = {id:String}
) AS before
