/** After a cut of a venue with many coins: which are asked for first, and what else is asked meanwhile. */
import assert from 'node:assert/strict'
import { startVenue } from '../../../scripts/replay-node/hyperliquid/server.js'
import type { Heard } from '../../../stages/ingest/hyperliquid/journal.js'
import { listen } from '../../../stages/ingest/hyperliquid/listener.js'
import { openRest } from '../../../stages/ingest/hyperliquid/rest.js'
import { until } from '../../support/pipeline.js'

const many = 60, names = Array.from({ length: many }, (_, nth) => `C${nth}`)
/** Of each coin as many dollars as its number says, the last ones the most. */
const universe = names.map((name) => ({ name, szDecimals: 1, maxLeverage: 3 })), volumes = names.map((_, nth) => ({ dayNtlVlm: String(nth) }))

describe('many coins after a cut', () => {
  it('are asked for the most traded first, within what the venue lets; other questions have their turn meanwhile, and the rest stays a gap', async () => {
    const asked: string[] = [], heard: Heard[] = []
    const venue = await startVenue({ everyMs: 86_400_000, answer: ({ type, coin, dex }) => {
      if (type === 'recentTrades') asked.push(String(coin))
      return type === 'recentTrades' ? [] : type === 'perpDexs' ? [null] : type === 'metaAndAssetCtxs' && dex === undefined ? [{ universe }, volumes] : type === 'spotMetaAndAssetCtxs' ? [{ universe: [], tokens: [] }, []] : type === 'allMids' ? {} : undefined
    } })
    const rest = openRest(venue.url, 800, (one) => { heard.push(one) })
    const listener = listen({ socketUrl: `${venue.url.replace('http', 'ws')}/ws`, coins: [], books: [], accounts: [], before: () => Promise.resolve({ heardLast: null, unasked: [], rated: new Set() }) }, rest, (one) => { heard.push(one) }, () => undefined)
    const states = () => heard.filter(({ kind }) => kind === 'gap').map(({ payload }) => (JSON.parse(String(payload)) as { state?: string }).state)
    try {
      await until(() => Promise.resolve(heard.some(({ payload }) => payload.includes(`"coin":"C${many - 1}"`))), 'nothing was subscribed')
      venue.cut()
      let before = -1
      await until(async () => { const still = asked.length > 0 && asked.length === before; before = asked.length; await new Promise((resolve) => { setTimeout(resolve, 300) }); return still }, 'nothing was asked')
      assert.deepEqual(asked, [...names].reverse().slice(0, asked.length))
      assert.ok(asked.length > 5 && asked.length < many / 2, `${asked.length} were asked for`)
      assert.deepEqual(states(), ['waits'])
      const began = Date.now()
      for (let nth = 0; nth < 20; nth += 1) await rest.info.allMids()
      assert.ok(Date.now() - began < 5_000, `others waited for ${Date.now() - began} ms`)
      assert.deepEqual(states(), ['waits'])
    } finally { await listener.close(); await rest.close(); await venue.close() }
  }).timeout(60_000)
})
