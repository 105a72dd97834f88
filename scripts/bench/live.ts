/** Tip and REST on one stack: the worker follows the node, then goes, and the API is left alone for the requests. */
import { z } from 'zod'
import { openKeys } from '../../api/keys.js'
import { adminScopes } from '../../api/tiers.js'
import { benchRest, type RestResult } from './rest.js'
import { startService } from './service.js'
import { openStack } from './stack.js'
import { benchTip, pollMs, type TipResult } from './tip.js'

export interface LiveResult { readonly tip?: TipResult; readonly rest?: RestResult; readonly clickhouse: string }

export const benchLive = async (wanted: ReadonlySet<string>, tipBlocks: number, rounds: number, say: (text: string) => void): Promise<LiveResult> => {
  const from = 20_000_000, before = 16
  const stack = await openStack(from, before + tipBlocks + 1, ['--head', String(from + before - 1)])
  try {
    const service = await startService(stack, { ETH_START_BLOCK: String(from), ETH_POLL_MS: String(pollMs), PUBLIC_RATE: '1000000' })
    try {
      const { key } = await openKeys(service.store, service.store).issue({ name: 'bench', role: 'admin', tier: 'enterprise', rate_limit: 1_000_000_000, daily_cap: 0, scopes: [...adminScopes], source_ip: '' })
      const headers = { 'X-API-Key': key }
      for (const deadline = Date.now() + 60_000; ;) {
        const answer = await (await fetch(`${service.url}/v1/feed/block/ETH/${from + before - 1}`, { headers })).text()
        if ((JSON.parse(answer) as { block?: object | null }).block != null) break
        if (Date.now() > deadline) throw new Error(`bench: the first blocks were not indexed within 60 s: ${answer.slice(0, 300)}`)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      const tip = wanted.has('tip') ? (say(`tip: ${tipBlocks} blocks …`), await benchTip(stack, service, key, from + before, tipBlocks)) : undefined
      await service.worker.stop()
      const rest = wanted.has('rest') ? (say('rest: the API and bare Koa in turn …'), await benchRest(service, key, from, before, rounds, 3)) : undefined
      const [row] = await service.store.query('SELECT version() AS version', {}, z.object({ version: z.string() }))
      return { ...(tip === undefined ? {} : { tip }), ...(rest === undefined ? {} : { rest }), clickhouse: row?.version ?? '' }
    } finally {
      await service.stop()
    }
  } finally {
    await stack.stop()
  }
}
