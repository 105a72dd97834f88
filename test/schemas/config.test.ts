import assert from 'node:assert/strict'
import { parseConfig } from '../../schemas/config.js'

describe('the environment', () => {
  const wrong = (environment: Record<string, string>, says: RegExp): void => { assert.throws(() => parseConfig(environment), says) }

  it('names what is malformed and says what was expected', () => {
    wrong({ PORT: 'abc' }, /PORT: must be a whole number/)
    wrong({ PORT: '70000' }, /PORT: .*65535/)
    wrong({ ETH_RPC_URL: 'node:8545' }, /ETH_RPC_URL\.0: must be a URL \(http or https\)/)
    wrong({ LOG_LEVEL: 'loud' }, /LOG_LEVEL: /)
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
