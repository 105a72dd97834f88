import assert from 'node:assert/strict'
import { pruned } from '../../api/mcp/trim.js'

describe('a long text', () => {
  it('is cut between characters, never within one', () => {
    for (const before of [998, 999, 1_000]) {
      const { payload, cut } = pruned({ name: `${'a'.repeat(before)}${'\u{1f600}'.repeat(9)}`, list: ['x'] }, 9_000)
      assert.deepEqual([payload['name'], cut], [`${'a'.repeat(before)}${before === 998 ? '\u{1f600}' : ''}`, ['name']])
    }
  })
})
