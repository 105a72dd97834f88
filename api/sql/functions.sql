-- Functions a statement of an analyst may call: those that compute and do nothing else. Not file(), chdb(), sleep(), dictGet(), not what
-- tells of the server or calls out: a server lets anybody call them. Not what takes the square of its input's length or fills a shape: one call of it can
-- run for hours, and the server looks for its limits between calls only; nor what makes much out of little. Grain: one name, in lower case; aggregate: may carry combinators;
-- searching: looks for one text in another, which takes the product of both lengths.
-- Parameters: none. Read from the server's own catalogue.
SELECT lower(f.name) AS name, max(f.is_aggregate) > 0 AS aggregate, max(match(concat(f.categories, ' ', o.categories), 'String (Search|Replacement|Splitting)')
  AND NOT match(lower(concat(f.name, ' ', f.alias_to)), 'format|printf|overlay|translate|arraystringconcat')) AS searching
FROM system.functions AS f LEFT JOIN system.functions AS o ON o.name = f.alias_to
WHERE f.origin = 'System' AND NOT match(lower(concat(f.name, ' ', f.alias_to)), 'levenshtein|editdistance|jaro|arraysimilarity|arrayautocorrelation|multifuzzymatch|kolmogorovsmirnov|sparsegrams|arrayfold|arraywithconstant|arrayresize|arraypartialshuffle|^repeat |^space | repeat$|punycode|idna|base58|hmac|mappopulateseries|timeslots')
GROUP BY name
HAVING min(f.is_aggregate OR f.categories != '' AND (
    match(f.categories, '^(Arithmetic|Arrays|Bit|Bitmap|Comparison|Conditional|Dates and Times|Distance|Encoding|Financial|Hash|IP Address|JSON|Logical|Map|Mathematical|Null|Random Number|Rounding|String|String Replacement|String Search|String Splitting|Time Window|Tuple|Type Conversion|URL|UUID)(, |$)')
    AND (f.deterministic = 1 OR match(f.categories, '^(Arrays|Dates and Times|Financial|Random Number|UUID)')))
  OR f.categories = '' AND f.alias_to != '' AND match(o.categories, '^(Arithmetic|Arrays|Bit|Comparison|Conditional|Dates and Times|Distance|Encoding|Hash|IP Address|JSON|Logical|Map|Mathematical|Null|Rounding|String|String Replacement|String Search|String Splitting|Tuple|Type Conversion|URL|UUID)(, |$)') AND o.deterministic = 1)
ORDER BY name
