/** What the printed report says of shares. */
import assert from 'node:assert/strict'
import { percent } from '../../api/operations/verify/pdf/sections.js'

describe('shares in the printed report', () => {
  it('are two digits where they are small, and nothing only where they are nothing', () => {
    assert.deepEqual([null, 0, 1e-9, 0.00004, 0.00009999, 0.0001, 0.05, 0.1, 1].map(percent), ['unknown', '0.00 %', '< 0.01 %', '< 0.01 %', '< 0.01 %', '0.01 %', '5.00 %', '10.0 %', '100.0 %'])
  })
})
