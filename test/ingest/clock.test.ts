/** A clock that is set while nodes are asked: who was left out for a while is left out for that while. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../schemas/errors.js'
import { plain } from '../../schemas/slots.js'
import { startVenue } from '../../scripts/replay-node/hyperliquid/server.js'
import { hasNoTraces, fetchBlock, type Abilities } from '../../stages/ingest/ethereum/fetchBlock.js'
import type { Endpoint } from '../../stages/ingest/ethereum/endpoint.js'
import { openSocket } from '../../stages/ingest/hyperliquid/socket.js'
import { openSource, type Answers, type Asked } from '../../stages/ingest/source.js'
import { openStanding } from '../../stages/ingest/standing.js'
import type { Context } from '../../stages/stage.js'
import { until } from '../support/pipeline.js'

const hour = 3_600_000

describe('a clock that is set while nodes are asked', function () {
  this.timeout(30_000)
  const now = Date.now, passed = performance.now.bind(performance)
  afterEach(() => { Date.now = now; Reflect.deleteProperty(performance, 'now') })
  /** So many milliseconds later, by a clock that was set back by an hour meanwhile. */
  const later = (milliseconds: number): void => { Date.now = () => now() + milliseconds - hour; performance.now = () => passed() + milliseconds }

  const head = async () => ({ number: 5, hash: '0xaa', parentHash: '0xbb', time: 0 })

  it('leaves no endpoint out for longer that was found wrong', async () => {
    let isRefused = true
    const one = (name: string, tracesKind: string): Asked<Answers> => ({
      name, latest: head, at: head, check: async () => undefined, busy: () => 0, close: async () => undefined, isPart: (got) => got.tracesKind === '',
      fetch: async (number) => {
        if (tracesKind !== '' && isRefused) throw new AppError('RPC_REFUSED', `${name}: HTTP 403`, { retry: 'attempt', endpoint: name })
        return { number, endpoint: name, block: plain(Buffer.alloc(1)), receipts: plain(Buffer.alloc(1)), traces: plain(Buffer.alloc(0)), tracesKind }
      },
    })
    const source = openSource<Answers>({
      asked: [one('whole', 'call_traces'), one('part', '')], finality: 2, lanes: 1, linked: () => ({ hash: 'aa', parent: 'bb' }),
      land: async (_store, _batch, answers) => { for await (const _ of answers) { /* who gave it is told in the outcome */ } return null },
    })
    const context = { store: { query: async () => [] }, again: false, checkpoint: async () => undefined } as unknown as Context
    const given = async (): Promise<string> => (await source.ingest({ chain: 'ETH', from: 5, to: 5, hash: '0xaa', generation: 0, floor: 5 }, context)).endpoint
    assert.equal(await given(), 'part')
    isRefused = false
    assert.equal(await given(), 'part', 'it is left out for a while')
    later(10_001)
    assert.equal(await given(), 'whole')
  })

  it('leaves no endpoint out for longer that did not answer', async () => {
    let checks = 0
    const one = (name: string, check: () => Promise<void>) => ({ name, latest: head, at: head, check })
    const { usable } = openStanding([one('good', async () => undefined), one('away', async () => { checks += 1; throw new AppError('RPC_DOWN', 'away', { retry: 'wait' }) })], 1_000, () => undefined)
    await usable()
    await usable()
    assert.equal(checks, 1)
    later(1_001)
    await usable()
    assert.equal(checks, 2)
  })

  it('keeps no node from being asked for traces again', async () => {
    let isRefused = true
    const answer = plain(Buffer.from('{"jsonrpc":"2.0","id":1,"result":[]}'))
    const endpoint = { name: 'node', call: async (method: string) => {
      if (isRefused && /trace/.test(method)) throw new AppError('RPC_REFUSED', 'node: forbidden', { retry: 'attempt', endpoint: 'node', body: { status: 403 } })
      return answer
    } } as unknown as Endpoint
    const abilities: Abilities = {}, fetched = async (): Promise<string> => (await fetchBlock(endpoint, abilities, 5, '', true)).tracesKind
    assert.deepEqual([await fetched(), hasNoTraces(abilities, 5, false)], ['', true])
    isRefused = false
    assert.equal(await fetched(), '')
    later(600_001)
    assert.deepEqual([hasNoTraces(abilities, 5, false), await fetched()], [false, 'call_traces'])
  })

  it('cuts no connection to the venue that stands: an hour forward is no hour of silence', async () => {
    const venue = await startVenue({ everyMs: 86_400_000 }), silences: unknown[] = []
    const socket = openSocket(`${venue.url.replace('http', 'ws')}/ws`, { heard: () => undefined, back: (silence) => { silences.push(silence) }, failed: () => undefined })
    try {
      await socket.want({ coins: new Set(['BTC']), books: new Set(), accounts: [] })
      await until(async () => socket.connected(), 'it is not connected')
      Date.now = () => now() + hour
      // Whether it is dead is looked at every 5 s.
      await sleep(6_000)
      assert.deepEqual([venue.counters.connections, silences], [1, []])
    } finally { Date.now = now; await socket.close(); await venue.close() }
  })
})
