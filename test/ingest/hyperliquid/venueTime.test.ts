import assert from 'node:assert/strict'
import { venueTimeOf } from '../../../stages/ingest/hyperliquid/venueTime.js'

describe('how new a payload is by the venue\'s clock', () => {
  for (const [name, payload, expected] of [
    ['lists that go up', '[{"time":1790231124037},{"time":1790231124038}]', 1_790_231_124_038], ['lists that go down', '[{"time": 1790231124038},{"time": 1790231124037}]', 1_790_231_124_038],
    ['a node\'s times', '{"coin":"BTC","time":"2026-09-24T06:25:24.037123456","px":"1"}', 1_790_231_124_037], ['none', '{"mids":{"BTC":"1"}}', 0], ['what is no time', '{"time":5,"time":"soon"}', 0],
  ] as const) it(name, () => { assert.equal(venueTimeOf(Buffer.from(payload)), expected) })
})
