/** What rights and limits of the server alone do not hold: other databases' views, exact numbers in JSON, calls that no limit ends. */
import assert from 'node:assert/strict'
import { z } from 'zod'
import { ending } from '../../support/endings.js'
import { clickhouseUrl } from '../../support/servers.js'
import { startService, type Service } from '../support/service.js'

const Detail = z.object({ detail: z.string() })
const Process = z.object({ elapsed: z.number() })

describe('SQL for analysts: bounds', function () {
  this.timeout(120_000)
  let service: Service
  let other: Service
  before(async () => { service = await startService(); other = await startService() })
  after(ending(() => service, () => other))
  const rows = (query: string) => service.call('POST /v1/sql/rows', { body: { query } })

  it('IN looks into the published views of this installation only', async () => {
    const foreign = `published_${other.database}.blocks`
    for (const query of [`SELECT 1 IN ${foreign}`, `SELECT 1 IN (${foreign})`, `SELECT in(1, ${foreign})`, `SELECT 1 NOT IN ${foreign}`, `SELECT 1 GLOBAL IN ${foreign}`, `SELECT count() FROM blocks WHERE tuple(*) IN ${foreign}`,
      `SELECT arrayMap(x -> x IN ${foreign}, [1])`, 'SELECT 1 IN default.x', 'SELECT 1 IN nosuch.x']) {
      const { status, body } = await rows(query)
      assert.deepEqual([status, body.error?.code], [403, 'SQL_REFUSED'], query)
      assert.ok(!JSON.stringify(body).includes('exist'), 'says nothing of what there is')
    }
    for (const query of ["SELECT b.block_number IN (1, 2), b.chain IN ('ETH') FROM blocks AS b", 'SELECT count() FROM blocks AS b WHERE b.block_number IN (SELECT c.block_number FROM blocks AS c)', `SELECT 1 FROM numbers(1) WHERE number IN (SELECT 0)`]) {
      assert.equal((await rows(query)).status, 200, query)
    }
  })

  it('states of aggregates are not read from bytes, nor names of databases from views', async () => {
    for (const query of ["SELECT CAST('x' AS AggregateFunction(sum, UInt8))", "SELECT unhex('00')::AggregateFunction(groupBitmap, UInt64)", "SELECT CAST('x', concat('Aggregate', 'Function(sum, UInt8)'))", "SELECT CAST('x', lower('UInt8'))", "SELECT * FROM values('a AggregateFunction(sum, UInt8)', 'x')",
      "SELECT accurateCast('x', concat('aggregate', 'function(sum, UInt8)'))", 'SELECT _database FROM blocks', 'SELECT b._table FROM blocks AS b']) assert.equal((await rows(query)).body.error?.code, 'SQL_REFUSED', query)
    assert.deepEqual((await rows("SELECT CAST('7' AS UInt8), '7'::UInt16, CAST(concat('7', ''), 'UInt32'), accurateCastOrNull('x', 'UInt8'), finalizeAggregation(sumState(1))")).body.rows, [[7, 7, 7, null, '1']])
    assert.ok(!/[0-9a-f]{8}-[0-9a-f]{4}/.test((await rows('SELECT chain FROM transfers PREWHERE 1')).body.error.message))
  })

  it('a name that breaks the line writes nothing into what is checked', async () => {
    const hides = (line: string): string => `\`q)\n${line} (alias r\``
    for (const query of [`SELECT accurateCast('x' AS ${hides('Literal 1')}, concat('Aggregate','Function(groupBitmap, UInt64)'))`,
      `SELECT position(lower(a) AS ${hides('Literal 1')}, b) FROM (SELECT toString(number) AS a, toString(number) AS b FROM numbers(2))`,
      `SELECT position(lower(a) AS ${hides('Identifier z')}, b) FROM (SELECT toString(number) AS a, toString(number) AS b FROM numbers(2))`,
      // With the indent that the next line asks for, the name of a column, an escape, and quotes of the other kind.
      `SELECT accurateCast('x' AS ${hides("      Literal 'UInt8'\n     Function concat")}, concat('Aggregate','Function(groupBitmap, UInt64)'))`,
      `SELECT position(\`a\n   Literal 1\`, b) FROM (SELECT toString(number) AS \`a\n   Literal 1\`, toString(number) AS b FROM numbers(2))`,
      `SELECT position(lower(a) AS \`q)\\nLiteral 1 (alias r\`, b) FROM (SELECT toString(number) AS a, toString(number) AS b FROM numbers(2))`,
      `SELECT position(lower(a) AS \`q)\\x0aLiteral 1 (alias r\`, b) FROM (SELECT toString(number) AS a, toString(number) AS b FROM numbers(2))`,
      `SELECT position(lower(a) AS "q)\nLiteral 1 (alias r", b) FROM (SELECT toString(number) AS a, toString(number) AS b FROM numbers(2))`,
      // Children that nobody has.
      `SELECT position(\`a (children 1)\`, 'b') FROM (SELECT toString(number) AS \`a (children 1)\` FROM numbers(2))`]) {
      const { status, body } = await rows(query)
      assert.deepEqual([status, body.error?.code], [403, 'SQL_REFUSED'], query)
    }
    for (const query of ['SELECT 1 AS `a (b) c`', "SELECT 'a\nLiteral 1' AS x,\n  2 AS y", 'SELECT now() AS t, count(*), tuple(), [] AS l', 'SELECT * EXCEPT number, 1 FROM numbers(1)', 'SELECT * REPLACE (number + 1 AS number) FROM numbers(1)', "SELECT COLUMNS('num') FROM numbers(1)",
      'WITH x AS (SELECT 1 AS a) SELECT b.a, sum(b.a) OVER w, row_number() OVER (PARTITION BY b.a ORDER BY b.a ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM x AS b JOIN x AS c ON b.a = c.a ARRAY JOIN [1, 2] AS d WINDOW w AS (ORDER BY b.a)',
      'SELECT 1 UNION ALL SELECT 2 UNION DISTINCT SELECT 3', '(SELECT 1) INTERSECT SELECT 1 EXCEPT SELECT 2', 'SELECT number FROM numbers(3) ORDER BY number WITH FILL FROM 0 TO 5 INTERPOLATE LIMIT 1 BY number LIMIT 2 OFFSET 1', "SELECT CASE WHEN 1 THEN 'a' ELSE 'b' END, 1 BETWEEN 0 AND 2, x -> x + 1 IS NULL FROM (SELECT 1 AS x)",
      'SELECT number % 2 AS k, count() FROM numbers(5) GROUP BY GROUPING SETS ((k), ()) HAVING count() > 0', 'SELECT quantile(0.5)(number), sumIf(number, number > 1), INTERVAL 1 DAY, CAST(1 AS Array(Nullable(UInt8))) FROM numbers(3)']) {
      const { body, text } = await rows(query)
      assert.notEqual(body.error?.code, 'SQL_REFUSED', `${query} ${text.slice(0, 300)}`)
    }
  })

  it('numbers with a decimal point stay exact', async () => {
    const { body } = await rows("SELECT toDecimal256('123456789012345678901234567890.123', 3), [toDecimal64('1.10', 2)]")
    assert.deepEqual(body.rows, [['123456789012345678901234567890.123', ['1.1']]])
  })

  it('functions whose single call may run for hours are no functions here', async () => {
    for (const call of ["editDistance('a', 'b')", "editDistanceUTF8('a', 'b')", "levenshteinDistance('a', 'b')", "damerauLevenshteinDistance('a', 'b')", "jaroWinklerSimilarity('a', 'b')", 'arraySimilarity([1], [2], [1], [1])', 'arrayAutocorrelation([1, 2])',
      "multiFuzzyMatchAny('a', 1, ['b'])", 'h3PolygonToCells([(0., 0.)], 1)', 'polygonsUnionCartesian([], [])', 'kolmogorovSmirnovTest(1, 1)', 'kolmogorovSmirnovTestIf(1, 1, 1)']) {
      const { body } = await rows(`SELECT ${call}`)
      assert.equal(body.error?.code, 'SQL_REFUSED', call)
    }
    assert.equal((await rows('SELECT length(range(20000000))')).body.error?.code, 'SQL_INVALID')
  })

  it('no call makes much out of little, or seeks what is computed in what is computed', async () => {
    const doubled = `WITH concat('a', toString(number)) AS s0, ${Array.from({ length: 25 }, (_, n) => `concat(s${n}, s${n}) AS s${n + 1}`).join(', ')}`
    for (const query of ["SELECT repeat('a', 1000000)", "SELECT REPEAT('a', 9)", 'SELECT space(1000000)', 'SELECT arrayWithConstant(1000000, 1)', 'SELECT arrayResize([1], 1000000)', 'SELECT arrayFold((a, x) -> a + x, [1], 0)', "SELECT leftPad('a', 1000000)", "SELECT rpad('a', 1001)",
      "SELECT rightPadUTF8('a', number) FROM numbers(3)", `${doubled} SELECT position(s25, s20) FROM numbers(10)`, `${doubled} SELECT replaceAll(s25, s20, '') FROM numbers(10)`, `${doubled} SELECT s25 LIKE concat('%', s20) FROM numbers(10)`, "SELECT countSubstrings(toString(number), toString(number)) FROM numbers(2)",
      "SELECT match(toString(number), toString(number)) FROM numbers(2)", `SELECT position(toString(number), '${'a'.repeat(1_100)}') FROM numbers(2)`, 'SELECT hasAll(range(number), range(number)) FROM numbers(9)', 'WITH (SELECT groupArray(number) FROM numbers(9)) AS big SELECT has(big, number) FROM numbers(9)', "SELECT base58Encode('a')", "SELECT punycodeEncode('a')",
      "SELECT arrayReduce('kolmogorovSmirnovTest', [1], [1])", "SELECT arrayReduce(concat('s', 'um'), [1])", "SELECT initializeAggregation('kolmogorovSmirnovTest', 1, 1)", `SELECT ${'sin('.repeat(250)}1${')'.repeat(250)}`]) {
      const { body, text } = await rows(query)
      assert.ok(['SQL_REFUSED', 'SQL_INVALID'].includes(body.error?.code), `${query.slice(0, 80)} → ${text.slice(0, 200)}`)
    }
    assert.deepEqual((await rows("SELECT position('abc', 'b'), 'abc' LIKE '%b%', replaceAll('a-b', '-', ''), splitByChar(',', 'a,b'), leftPad('7', 3, '0'), has([1, 2], 2), hasAny(['a'], ['a', 'b']), arrayReduce('quantileExact(0.5)', [1, 2, 3]), arrayReduce('sumIf', [1, 2], [1, 0]), length(range(24)), format('{}-{}', toString(number), toString(number)), arrayStringConcat([toString(number)], '') FROM numbers(1)")).body.rows,
      [['2', 1, 'ab', ['a', 'b'], '007', 1, 1, 2, '1', '24', '0-0', '0']])
  })

  it('what takes long ends at its limit', async () => {
    for (const query of ['SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 1', 'SELECT sum(a.number * b.number) FROM numbers(1000000) AS a CROSS JOIN numbers(10000000) AS b',
      'SELECT max(s) FROM (SELECT sum(number) OVER (ORDER BY number ROWS BETWEEN 300000 PRECEDING AND 300000 FOLLOWING) AS s FROM numbers(1000000))',
      'SELECT max(s) FROM (SELECT sum(number) OVER (ORDER BY number ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS s FROM numbers(1000000))',
      "SELECT count() FROM numbers(90000000) WHERE match(toString(sipHash64(number)), '((0|1|2|3|4)*[5-9]?){50}x')",
      'WITH (SELECT groupArray(number) FROM numbers(1000000)) AS big SELECT count() FROM numbers(90000000) WHERE arrayExists(x -> x = number, big)']) {
      const { status, body, text } = await rows(query)
      assert.deepEqual([status, body.error?.code], [422, 'SQL_LIMIT'], `${query.slice(0, 80)} ${text.slice(0, 200)}`)
      assert.deepEqual([typeof body.error.hint, body.error.details], ['string', [{ type: 'sql_limit', loc: ['body', 'query'], msg: body.error.message }]])
      // The free tier's own time, not the 20 seconds after which nobody waits any more.
      assert.ok(!body.error.message.includes('20 s'), body.error.message)
    }
  })

  it('who left a statement behind that the server cannot end waits for it', async () => {
    assert.equal((await rows('SELECT 7')).status, 200)
    const [line] = await service.store.query("SELECT detail FROM audit WHERE action = 'run_sql' AND outcome = 'ok' ORDER BY at DESC LIMIT 1", {}, Detail)
    const id = (JSON.parse(line?.detail ?? '{}') as { query_id: string }).query_id.replace(/[^-]+$/, service.database)
    const left = fetch(`${await clickhouseUrl()}/?query_id=${id}&max_block_size=1&function_sleep_max_microseconds_per_block=0`, { method: 'POST', body: 'SELECT count() FROM numbers(600) WHERE sleepEachRow(0.1) = 0' }).then((answer) => answer.text())
    const elapsed = async (): Promise<number | undefined> => (await service.store.query('SELECT elapsed FROM system.processes WHERE query_id = {id:String}', { id }, Process))[0]?.elapsed
    while ((await elapsed() ?? 0) < 7.2) await new Promise((resolve) => setTimeout(resolve, 100))
    const { status, body, headers } = await rows('SELECT 1')
    assert.deepEqual([status, body.error?.code], [429, 'RATE_LIMITED'])
    assert.equal(headers.get('ratelimit'), '"statements_at_once";r=0;t=30')
    await service.store.execute('KILL QUERY WHERE query_id = {id:String} SYNC', { id })
    await left
    assert.equal((await rows('SELECT 1')).status, 200)
  })
})
