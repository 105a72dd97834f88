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
  it('leaves other programs\' variables alone and fills in defaults', () => {
    const config = parseConfig({ PATH: '/bin', NODE_ENV: 'test', ETH_RPC_URL: 'http://a:1, https://b' })
    assert.equal(config.PORT, 8080)
    assert.deepEqual(config.ETH_RPC_URL, ['http://a:1', 'https://b'])
  })
})
