/** A list as large as OFAC's (121 MB) is read in under 300 MB. */
import assert from 'node:assert/strict'
import { runScript } from '../../../support/run.js'

describe('a list of 121 MB', () => {
  it('is read in under 300 MB of memory, in a process of its own', async function () {
    this.timeout(240_000)
    const { code, text } = await runScript('test/enrich/registers/sanctions/readLarge.ts', [String(121_000_000)])
    assert.equal(code, 0, text)
    const { size, entries, listings, resident } = JSON.parse(text) as Record<string, number>
    assert.ok((size ?? 0) >= 121_000_000)
    assert.deepEqual([entries, listings], [1, 2])
    assert.ok((resident ?? Infinity) < 300_000_000, `${String(resident)} bytes`)
  })
})
