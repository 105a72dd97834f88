import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError, unavailable } from '../../schemas/errors.js'
import { parseOptions, told, wholeOption } from '../../schemas/command.js'
import { freePort } from '../../scripts/embedded/ports.js'
import { startReplayNode } from '../../scripts/replay-node/server.js'
import { clickhouseUrl, freshDatabase, randomName, redisUrl } from '../support/servers.js'
import { root, runScript } from '../support/run.js'

const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> }
/** Commands whose arguments are another program's. */
const foreign = new Set(['test', 'types', 'lint'])
const file = (name: string): string => scripts[name]?.split(' ').at(-1) ?? ''
const nowhere = 'http://127.0.0.1:1'

/** A node that answers who says this user and password, that it has nothing. */
const startGuardedNode = async (auth: string): Promise<{ url: string; close(): Promise<void> }> => {
  const wanted = `Basic ${Buffer.from(auth).toString('base64')}`
  const server = createServer((request, response) => { response.writeHead(request.headers.authorization === wanted ? 200 : 401).end('{"jsonrpc":"2.0","id":1,"result":null}') })
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve) })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => new Promise((resolve) => { server.close(() => { resolve() }) }) }
}

describe('command lines', function () {
  this.timeout(60_000)

  it('say what is wrong with an option, what was expected, and answer --help', () => {
    const options = { stages: { type: 'string' }, once: { type: 'boolean', default: false } } as const
    assert.throws(() => parseOptions('npm run it', options, false, ['--stage', 'x']), { code: 'BAD_ARGUMENT', message: "Unknown option '--stage'\nusage: npm run it" })
    assert.throws(() => parseOptions('npm run it', options, false, ['--stages']), /Option '--stages <value>' argument missing\nusage/)
    assert.throws(() => parseOptions('npm run it', options, false, ['more', 'words']), /Unexpected argument 'more words'/)
    assert.deepEqual({ ...parseOptions('npm run it', options, false, ['--stages', 'a']).values }, { stages: 'a', once: false })
    for (const text of ['', '1e3', '0x5', '-1', '1.5', 'abc', '99999999999999999999', undefined]) assert.throws(() => wholeOption('from', text), /^AppError: --from: a whole number was expected/)
    assert.equal(wholeOption('from', '0'), 0)
    assert.throws(() => wholeOption('seeds', '0', 1), /at least 1/)
  })

  it('tell the operator why a dependency is away', () => {
    assert.equal(told(unavailable('Redis', new Error('connect ECONNREFUSED 127.0.0.1:1'))), 'Redis does not answer (connect ECONNREFUSED 127.0.0.1:1)')
    assert.equal(told(unavailable('Redis', Object.assign(new Error(''), { code: 'ECONNREFUSED' }))), 'Redis does not answer (ECONNREFUSED)')
    assert.equal(told(new AppError('X', 'as it is')), 'as it is')
  })

  for (const name of Object.keys(scripts).filter((one) => !foreign.has(one))) {
    it(`npm run ${name} refuses an option it does not know and shows how it is called`, async () => {
      const { code, text } = await runScript(file(name), ['--nonsense'])
      assert.match(text, new RegExp(`^Unknown option '--nonsense'\nusage: .*npm run ${name}`))
      // 1 means there that a report is not valid; 2, that nothing could be checked.
      assert.equal(code, name === 'verify-report' ? 2 : 1)
    })
  }

  const wrong: readonly (readonly [string, readonly string[], Record<string, string>, RegExp])[] = [
    ['worker', ['--stages', 'ingest,nowhere'], {}, /^--stages: 'nowhere' is not a stage \(known: ingest, normalize, enrich, index, alert\)\n$/],
    ['migrate', [], { CLICKHOUSE_URL: nowhere }, /^ClickHouse does not answer \(connect ECONNREFUSED 127\.0\.0\.1:1\)\n$/],
    ['backfill', ['--from', '1', '--to', '2'], { CLICKHOUSE_URL: nowhere, REDIS_URL: 'redis://127.0.0.1:1' }, /^ClickHouse does not answer \(connect ECONNREFUSED/],
    ['backfill', ['--from', '1', '--to', '2', '--chain', 'SOL'], {}, /^--chain: SOL has no pipeline \(known: ETH, BTC, HL\)\n$/],
    ['backfill', ['--from', '1', '--to', '2', '--chain', 'HL'], {}, /^--chain: HL has no blocks that could be fetched\n$/],
    ['worker', [], { CLICKHOUSE_URL: nowhere, REDIS_URL: 'redis://127.0.0.1:1', LOG_LEVEL: 'silent' }, /^No chain has a node: set ETH_RPC_URL, BTC_RPC_URL, HL_API_URL or HL_FILES_DIR \(/],
    ['labels', ['--chain', 'BTC'], { CLICKHOUSE_URL: nowhere }, /^--chain: BTC has no accounts, tokens and swaps here, which this looks at \(ETH has\)\n$/],
    ['labels', ['--chain', 'NONE'], { CLICKHOUSE_URL: nowhere }, /^--chain: no chain is called NONE\n$/],
    ['train', ['--chain', 'ALL'], { CLICKHOUSE_URL: nowhere }, /^--chain: ALL has no accounts/],
    ['leaders', ['--chain', 'hl'], { CLICKHOUSE_URL: nowhere }, /^--chain: HL has no accounts/],
    ['record', ['1', 'two'], {}, /^'two' is not a block number\nusage/],
    ['up', [], { PORT: 'high', ETH_RPC: 'x' }, /^The environment is wrong:\n {2}ETH_RPC: not a variable of Hydrophone .*\n {2}PORT: must be a whole number\n$/],
  ]
  for (const [name, args, environment, says] of wrong) {
    it(`npm run ${name} ${args.join(' ')} ${Object.keys(environment).join(' ')}: ${String(says).slice(2, 60)}`, async () => {
      const { code, text } = await runScript(file(name), args, environment)
      assert.match(text, says)
      assert.equal(code, 1)
    })
  }

  it('a wrong password, a database that is not there and a node without the block are told as that', async function () {
    // Sixteen programs, one after the other.
    this.timeout(240_000)
    const [url, redis, node] = [await clickhouseUrl(), await redisUrl(), await startReplayNode()], guarded = await startGuardedNode('me:open sesame')
    try {
      const stranger = url.replace('//', '//stranger:wrong@')
      for (const refused of [stranger, url.replace('//', '//default:wrong@')]) for (const [name, ...args] of [['migrate'], ['key', '--tier', 'free'], ['key', '--id', 'AbCd1234'], ['digest', '--chain', 'ETH'], ['digest', '--chain', 'ETH', '--height', '5']] as const) {
        const { text } = await runScript(file(name), args, { CLICKHOUSE_URL: refused })
        assert.equal(text, 'ClickHouse refuses the user or the password of CLICKHOUSE_URL\n', `${refused} ${name} ${args.join(' ')}: ${text}`)
      }
      assert.match((await runScript(file('api'), [], { CLICKHOUSE_URL: url, REDIS_URL: redis, CLICKHOUSE_DATABASE: randomName('none') })).text, /none_\w+ does not exist.*Run `npm run migrate` first\n$/)
      assert.match((await runScript(file('record'), ['5'], { ETH_RPC_URL: `http://127.0.0.1:${await freePort()}` })).text, /^The node does not answer \(connect ECONNREFUSED/)
      assert.match((await runScript(file('record'), ['5'], { ETH_RPC_URL: node.url })).text, /^The node has no block 5\n$/)
      assert.deepEqual([(await runScript(file('record'), ['5'], { ETH_RPC_URL: guarded.url.replace('//', '//me:open%20sesame@') })).text, (await runScript(file('record'), ['5'], { ETH_RPC_URL: guarded.url.replace('//', '//me:other@') })).text],
        ['The node has no block 5\n', 'The node answers eth_getBlockByNumber with status 401\n'])
    } finally { await node.close(); await guarded.close() }
  })

  it('npm run registers -- --bundled --list loads the chosen list and no other', async () => {
    const environment = { CLICKHOUSE_URL: await clickhouseUrl(), CLICKHOUSE_DATABASE: await freshDatabase() }
    for (const says of [/^JP_MOF +accepted +[^\n]+\n$/, /^What is in force of JP_MOF is as new as the bundled list\.\n$/]) {
      const { code, text } = await runScript(file('registers'), ['--bundled', '--list', 'JP_MOF'], environment)
      assert.match(text, says)
      assert.equal(code, 0)
    }
  })
})
