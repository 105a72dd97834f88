import assert from 'node:assert/strict'
import { followedState, summary } from '../../scripts/up/screen.js'

describe('the screen of up', () => {
  it('says what is listened to, the venue as well as chains', () => {
    assert.match(followedState([], false), /^No node is set: give ETH_RPC_URL, BTC_RPC_URL, HL_API_URL or HL_FILES_DIR /)
    assert.deepEqual([followedState([], true), followedState(['Ethereum'], false), followedState(['Ethereum', 'Bitcoin'], true)],
      ['It listens to Hyperliquid.', 'It follows Ethereum on your nodes.', 'It follows Ethereum and Bitcoin on your nodes and listens to Hyperliquid.'])
  })

  it('says how a key is had where none was given', () => {
    const shown = (key: string | null) => summary('http://here', key, '', { clickhouse: { url: 'http://127.0.0.1:8123', file: null }, redis: { url: 'redis://127.0.0.1:6379', file: null } }, null)
    assert.match(shown(null), /curl -s -X POST 'http:\/\/here\/v1\/keys'[\s\S]*X-API-Key: YOUR_KEY/)
    assert.doesNotMatch(shown('hyd_x'), /YOUR_KEY|POST/)
  })

  it('names stores without what only the operator knows', () => {
    const shown = (clickhouse: string, redis: string) => /CLICKHOUSE_URL=(\S+) REDIS_URL=(\S+)/.exec(summary('http://here', 'key', '', { clickhouse: { url: clickhouse, file: null }, redis: { url: redis, file: null } }, null))?.slice(1)
    assert.deepEqual(shown('http://127.0.0.1:8123', 'redis://127.0.0.1:6379'), ['http://127.0.0.1:8123', 'redis://127.0.0.1:6379'])
    assert.deepEqual(shown('http://127.0.0.1:8123/3f0c1d2e4b5a69788796a5b4c3d2e1f0', 'redis://127.0.0.1:6379/3?password=open-sesame'), ['http://127.0.0.1:8123/***', 'redis://127.0.0.1:6379/3?***'])
    assert.deepEqual(shown('https://me:open-sesame@store.example/', 'rediss://:open-sesame@redis.example'), ['https://me:***@store.example', 'rediss://:***@redis.example'])
  })
})
