/** When the socket was heard last: answers to questions go on while it is cut, so they do not count where it was heard at all. */
import assert from 'node:assert/strict'
import { openJournal, type Heard } from '../../../stages/ingest/hyperliquid/journal.js'
import { freshStore } from '../../support/servers.js'

describe('what was heard last', function () {
  this.timeout(60_000)

  it('is what the socket said; where it never said anything, the newest of all', async () => {
    const { store } = await freshStore()
    const one = (kind: Heard['kind'], at: number): Heard => ({ kind, request: '{}', payload: Buffer.from('{}'), endpoint: 'venue', at })
    const at = Math.floor(Date.now() / 1_000) * 1_000
    assert.equal(await openJournal(store, 'HL').listened(Date.now() + 1_000), null)
    await openJournal(store, 'HL').append([one('info', at - 9_000)])
    assert.equal(await openJournal(store, 'HL').listened(Date.now() + 1_000), at - 9_000)
    await openJournal(store, 'HL').append([one('info', at + 400)])
    assert.equal(await openJournal(store, 'HL').listened(at + 300), null, 'an answer in the second of the start is its own')
    for (const heard of [one('ws', at - 8_123), one('info', at - 5_000), one('gap', at)]) await openJournal(store, 'HL').append([heard])
    assert.equal(await openJournal(store, 'HL').listened(Date.now() + 1_000), at - 8_123)
  })
})
