import assert from 'node:assert/strict'
import { parseConfig } from '../../schemas/config.js'

describe('the environment', () => {
  const wrong = (environment: Record<string, string>, says: RegExp): void => { assert.throws(() => parseConfig(environment), says) }

  it('names what is malformed and says what was expected', () => {
    wrong({ PORT: 'abc' }, /PORT: must be a whole number/)
    wrong({ PORT: '70000' }, /PORT: .*65535/)
    wrong({ ETH_RPC_URL: 'node:8545' }, /ETH_RPC_URL\.0: must be a URL \(http or https\)/)
    wrong({ LOG_LEVEL: 'loud' }, /LOG_LEVEL: /)
    // Each endpoint has one vote on the head.
    wrong({ ETH_RPC_URL: 'http://a:1,http://b:1,http://A:1/' }, /ETH_RPC_URL: names one of them twice$/)
  })
  it('names a password with a bare % without showing it', () => {
    for (const [name, at] of [['CLICKHOUSE_URL', 'http://user:se%cret@h:8123'], ['REDIS_URL', 'redis://:se%cret@h'], ['ETH_RPC_URL', 'http://a:1,http://us%er:secret@h'], ['BTC_RPC_URL', 'http://user:secret%@h']] as const) {
      assert.throws(() => parseConfig({ [name]: at }), (thrown: Error) => new RegExp(`${name}(\\.\\d)?: a % in its user or password is written %25$`).test(thrown.message) && !/cret/.test(thrown.message), name)
    }
    assert.doesNotThrow(() => parseConfig({ CLICKHOUSE_URL: 'http://user:se%25cret@h:8123' }))
    wrong({ REDIS_URL: 'h:6379' }, /REDIS_URL: must be a URL \(redis or rediss\)$/)
  })
  it('takes a number for the database of Redis, or none', () => {
    for (const url of ['redis://h/hydrophone', 'redis://h/1/2', 'redis://h/?db=x']) wrong({ REDIS_URL: url }, /REDIS_URL: its path must be the number of a database/)
    for (const url of ['redis://h', 'redis://h/', 'rediss://u:p@h:6379/12', 'redis://h?db=3&family=6']) assert.equal(parseConfig({ REDIS_URL: url }).REDIS_URL, url)
  })
  it('names every variable that is wrong at once', () => { wrong({ PORT: 'abc', ETH_FOO: '1' }, /ETH_FOO: not a variable[^]*PORT: must/) })
  it('names what is one of ours misspelt, whatever it begins with', () => {
    for (const [name, meant] of [
      ['TRUSTED_PROXY', 'TRUSTED_PROXIES'], ['SIGNAL_EVERY_SECONDS', 'SIGNALS_EVERY_SECONDS'], ['LOG_LEVLE', 'LOG_LEVEL'], ['LOG_TO_STORES', 'LOG_TO_STORE'],
      ['DATA_DIRS', 'DATA_DIR'], ['GIT_COMIT', 'GIT_COMMIT'], ['PUBLIC_RATES', 'PUBLIC_RATE'], ['URL_PUBLIC', 'PUBLIC_URL'], ['HUTDOWN_SECONDS', 'SHUTDOWN_SECONDS'],
    ] as const) wrong({ [name]: '1' }, new RegExp(`${name}: not a variable of Hydrophone \\(${meant} is\\)`))
    for (const name of ['TRADERS_FOO', 'SIGNALS_PER_MINUTE']) wrong({ [name]: '1' }, new RegExp(`${name}: not a variable of Hydrophone \\(known: ${name.split('_')[0]}_EVERY_SECONDS\\)`))
  })
  it('leaves what other programs own alone, though it begins like one of ours', () => {
    for (const name of [
      'BSC_RPC_URL', 'LTC_RPC_URL', 'ETC_FINALITY', 'BCH_START_BLOCK', 'DATE_DIR', 'LOGLEVEL', 'LOG_FORMAT', 'LOG_FILE', 'LOG_DIR', 'LOGNAME', 'GIT_DIR', 'GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME', 'GIT_EDITOR', 'GIT_BRANCH', 'DATA_PATH', 'DATABASE_URL', 'XDG_DATA_DIRS', 'XDG_DATA_HOME', 'PUBLIC_KEY',
      'HOSTNAME', 'HOSTTYPE', 'HOSTS', 'PORTS', 'POST', 'TRUST_PROXY', 'NODE_ENV', 'NODE_OPTIONS', 'npm_config_loglevel', 'SHELL', 'SECONDS',
    ]) assert.doesNotThrow(() => parseConfig({ [name]: 'x' }), name)
  })
  it('leaves other programs\' variables alone and fills in defaults', () => {
    const config = parseConfig({ PATH: '/bin', NODE_ENV: 'test', ETH_RPC_URL: 'http://a:1, https://b' })
    assert.equal(config.PORT, 8080)
    assert.deepEqual(config.ETH_RPC_URL, ['http://a:1', 'https://b'])
  })
})
