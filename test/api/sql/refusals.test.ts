/** What an analyst may not: by the service's check, and without it by the rights of the user alone. */
import assert from 'node:assert/strict'
import { publishedIn } from '../../../schemas/analysts.js'
import { clickhouseUrl } from '../../support/servers.js'
import { startService, type Service } from '../support/service.js'

const byCheck = [
  "SELECT * FROM url('http://127.0.0.1:1/x', 'CSV', 'a String')", "SELECT * FROM file('/etc/passwd', 'LineAsString', 'a String')", "SELECT * FROM remote('127.0.0.1', 'system', 'one')",
  "SELECT * FROM s3('http://127.0.0.1:1/x', 'CSV', 'a String')", "SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')", "SELECT * FROM executable('x', 'CSV', 'a String')", "SELECT * FROM merge('system', 'one')", "SELECT * FROM cluster('default', system.one)",
  "SELECT * FROM generateRandom('a String') LIMIT 1", "SELECT * FROM input('a String')", "SELECT * FROM dictionary('label_of')", "SELECT * FROM viewExplain('EXPLAIN', '', (SELECT 1))",
  "SELECT file('/etc/passwd')", "SELECT FILE('/etc/passwd')", "SELECT `file`('/etc/passwd')", "SELECT \"file\"('/etc/passwd')", "SELECT arrayMap(x -> file(x), ['/etc/passwd'])", "WITH f AS (SELECT file('/etc/passwd') AS a) SELECT a FROM f",
  "SELECT 1 WHERE (SELECT count() FROM (SELECT file('/etc/passwd'))) > 0", "SELECT * APPLY(file) FROM (SELECT '/etc/passwd')", "SELECT COLUMNS('x') APPLY file FROM (SELECT '/etc/passwd' AS x)", "SELECT * REPLACE (file(x) AS x) FROM (SELECT '/etc/passwd' AS x)",
  "SELECT 1 ORDER BY file('/etc/passwd')", "SELECT /* file */ fi\u006ce('/etc/passwd') -- comment", "SELECT chdb('SELECT 1')", 'SELECT sleep(1)', 'SELECT hostName(), version()', 'SELECT serverUUID()', "SELECT getSetting('max_memory_usage')", "SELECT getServerSetting('path')",
  "SELECT getClientHTTPHeader('X-ClickHouse-Key')", "SELECT dictGet('label_of', 'label', ('ETH', 'x'))", "SELECT joinGet('x', 'y', 1)", "SELECT catboostEvaluate('/etc/passwd', 1)", "SELECT aiGenerate('x')", 'SELECT currentUser()', "SELECT hasColumnInTable('a', 'b', 'c')",
  'SELECT * FROM system.users', 'SELECT * FROM system.one', 'SELECT * FROM `system`.`one`', 'SELECT * FROM SYSTEM.one', 'SELECT count() FROM system.functions', 'SELECT * FROM information_schema.tables', 'SELECT 1 IN system.one', 'SELECT * FROM (SELECT * FROM system.tables)',
  'INSERT INTO blocks VALUES (1)', 'INSERT INTO blocks SELECT * FROM blocks', 'CREATE TEMPORARY TABLE x (a Int8)', 'CREATE TABLE x ENGINE = Memory AS SELECT 1', 'ALTER TABLE blocks DELETE WHERE 1', 'DROP TABLE blocks', 'TRUNCATE TABLE blocks', 'OPTIMIZE TABLE blocks',
  'SYSTEM FLUSH LOGS', 'KILL QUERY WHERE 1', 'SET max_threads = 9', 'SHOW TABLES', 'SHOW CREATE TABLE blocks', 'DESCRIBE TABLE blocks', 'EXPLAIN SELECT 1', 'USE system', 'GRANT ALL ON *.* TO analyst_pro', "BACKUP TABLE blocks TO Disk('a', 'b')",
  'SELECT 1; SELECT 2', 'SELECT 1; DROP TABLE blocks', 'SELECT 1 SETTINGS max_execution_time = 1000', 'SELECT * FROM (SELECT 1 SETTINGS max_threads = 9)', 'SELECT 1 FORMAT JSON', 'SELECT 1 FORMAT Null', "SELECT 1 INTO OUTFILE '/tmp/x'", "SELECT 1 INTO OUTFILE '/tmp/x' FORMAT CSV",
  'SELECT {x:String}', 'SELECT * FROM {x:Identifier}',
]
/** Asked of the server itself as the analyst: what rights and settings refuse without any check of ours. */
const byRights: readonly (readonly [string, number])[] = [
  ["SELECT * FROM url('http://127.0.0.1:1/x', 'CSV', 'a String')", 497], ["SELECT * FROM file('/etc/passwd', 'LineAsString', 'a String')", 497], ["SELECT * FROM remote('127.0.0.1', 'system', 'one')", 497], ['INSERT INTO blocks SELECT * FROM blocks', 497],
  ['CREATE TEMPORARY TABLE x (a Int8)', 497], ['SELECT * FROM system.users', 497], ['SELECT * FROM system.processes', 497], ['SELECT 1 SETTINGS max_execution_time = 1000', 164], ['SET max_threads = 9', 164], ["SELECT 1 INTO OUTFILE '/tmp/x'", 358], ['SELECT 1; SELECT 2', 62],
  ['SELECT {x:String}', 456], ['DROP TABLE blocks', 497], ['SYSTEM FLUSH LOGS', 497], ['KILL QUERY WHERE 1', 497], ["SELECT * FROM executable('x', 'CSV', 'a String')", 497], ["SELECT * FROM dictionary('label_of')", 497], ['GRANT ALL ON *.* TO analyst_pro', 497],
]

describe('SQL for analysts: refusals', function () {
  this.timeout(120_000)
  let service: Service
  before(async () => { service = await startService() })
  after(() => service.stop())
  const rows = (query: string, key = service.adminKey) => service.call('POST /v1/sql/rows', { key, body: { query } })

  for (const query of byCheck) {
    it(`refuses ${query.slice(0, 90)}`, async () => {
      for (const path of ['/v1/sql/rows', '/v1/sql']) for (const preview of [false, true]) {
        const { status, body, text } = await service.call(`POST ${path}`, { key: service.adminKey, body: { query, preview } })
        // What the parser itself does not take is no SELECT either.
        assert.ok((status === 403 && body.error.code === 'SQL_REFUSED') || (status === 422 && body.error.code === 'SQL_INVALID'), `${status} ${text}`)
        assert.ok(!/root:|analyst_|26\.\d|DB::|t_[0-9a-f]{12}/.test(text), text)
      }
    })
  }

  it('without any check the user of the lowest and the highest tier has no more rights', async () => {
    const url = await clickhouseUrl()
    const ask = async (user: string, text: string, more = '') => (await fetch(`${url}/?user=${user}&database=${publishedIn(service.database)}${more}`, { method: 'POST', body: text })).text()
    for (const user of ['analyst_free', 'analyst_enterprise']) {
      for (const [text, code] of byRights) assert.match(await ask(user, text), new RegExp(`^Code: ${code}\\.`), text)
      for (const table of ['transfers', 'secrets', 'access_keys', 'audit', 'migrations']) assert.match(await ask(user, `SELECT * FROM ${service.database}.${table}`), /^Code: 497\./, table)
      assert.equal(await ask(user, `SELECT count() FROM system.tables WHERE database != '${publishedIn(service.database)}' AND database NOT LIKE 'published_%'`), '0\n')
      assert.match(await ask(user, 'SELECT 1', '&max_execution_time=100000'), /^Code: 164\./)
      assert.equal(await ask(user, 'SELECT count() FROM blocks'), '0\n')
    }
  })

  it('base tables and other databases are no views', async () => {
    for (const query of [`SELECT * FROM ${service.database}.transfers`, `SELECT * FROM ${service.database}.secrets`, 'SELECT * FROM default.x', `SELECT * FROM published_other.blocks`]) {
      assert.deepEqual((await rows(query)).body.error.code, 'SQL_REFUSED', query)
    }
    assert.equal((await rows('SELECT * FROM secrets')).body.error.code, 'SQL_INVALID')
    assert.equal((await rows(`SELECT count() FROM ${publishedIn(service.database)}.blocks`)).status, 200)
  })

  it('a free key has its rows but no streams; without a key there is nothing', async () => {
    assert.equal((await rows('SELECT 1', service.agentKey)).status, 200)
    const { status, body } = await service.call('POST /v1/sql', { body: { query: 'SELECT 1' } })
    assert.deepEqual([status, body.error.code], [403, 'TIER_REQUIRED'])
    for (const target of ['POST /v1/sql', 'POST /v1/sql/rows']) assert.equal((await service.call(target, { key: null, body: { query: 'SELECT 1' } })).status, 401)
  })

  it('says what is wrong in the words of the server, without the server', async () => {
    const said = async (query: string): Promise<string> => { const { body, text } = await rows(query); assert.ok(body.error, `${query} → ${text}`); return body.error.message }
    assert.match(await said('SELECT nosuch FROM blocks'), /Unknown expression identifier `nosuch`/)
    assert.match(await said('SELECT block_numbr FROM blocks'), /Maybe you meant: \['block_number'\]/)
    assert.match(await said('SELECT 1 FRM blocks x'), /Syntax error: failed at position \d+/)
    assert.match(await said('SELECT * FROM nosuch'), /Unknown table expression identifier 'nosuch'/)
    assert.match(await said("SELECT * FROM transfers_of(address = 'd8da')"), /address: 0x and 40 hex digits/)
    assert.match(await said("SELECT toUInt8('a')"), /Cannot parse string 'a' as UInt8/)
    for (const query of ['SELECT nosuch FROM blocks', "SELECT * FROM transfers_of(address = 'x')", 'SELECT * FROM transfers_of()', "SELECT toDate('x') FROM numbers(3)"]) assert.ok(!/DB::|version|published_|t_[0-9a-f]{12}|\/\w+\//.test(await said(query)), await said(query))
  })

  it('says where the syntax breaks in the statement as it was sent, and what a view with a parameter wants', async () => {
    const said = async (query: string): Promise<string> => (await rows(query)).body.error.message
    assert.match(await said('SELECT 1 FRM blocks x'), /failed at position 14 \(blocks\)/)
    assert.match(await said('SELECT'), /failed at position 7 \(end of query\)/)
    assert.match(await said('SELECT a b c\nFROM blocks'), /failed at position 12 \(c\) \(line 1, col 12\)/)
    assert.match(await said('SELECT 1\nFROM blocks\nWHERE x =='), /failed at position 32 \(end of query\) \(line 3, col 11\)/)
    for (const view of ['transfers_of', 'wallet_of', 'btc_address_of']) assert.equal(await said(`SELECT count() FROM ${view}(address = 'x')`), 'address: 0x and 40 hex digits, or an address of Bitcoin')
    for (const query of ["SELECT * FROM transfers_of WHERE address = '0x1'", 'SELECT count() FROM prices_of']) assert.match(await said(query), /A view with a parameter is asked with it: transfers_of\(address = '0x…'\)/)
  })
})
