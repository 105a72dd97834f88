/** Calls with the answers they got on recorded mainnet blocks: examples of the description and of /mcp/fixtures.json. A test replays them. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

export interface Call { readonly operation: string; readonly arguments: Readonly<Record<string, unknown>> }

const swap = '0xe0ec7848bbd448b11a85dae2fd5e276dd0ea66fd774f5803578933ad0b52251e'

/** What is recorded, in order; every answer but its ages and cursors is the same whenever it is asked for. */
export const calls: readonly Call[] = [
  { operation: 'get_latest_block', arguments: { chain: 'ETH' } },
  { operation: 'list_recent_blocks', arguments: { chain: 'ETH', limit: 1 } },
  { operation: 'list_blocks', arguments: { chain: 'ETH', limit: 1 } },
  { operation: 'list_blocks', arguments: { chain: 'SOL' } },
  { operation: 'get_block', arguments: { chain: 'ETH', block_number: 18_000_000 } },
  { operation: 'list_whales', arguments: { chain: 'ETH', min_usd: 100_000, limit: 2 } },
  { operation: 'list_feed', arguments: { chain: 'ETH', limit: 1 } },
  { operation: 'get_feed_block', arguments: { chain: 'ETH', block_number: 18_000_000 } },
  { operation: 'list_hops', arguments: { tx_hash: swap } },
]

const Recorded = z.object({
  from: z.string().describe('Which blocks were in the store'),
  calls: z.array(z.object({
    operation: z.string(), arguments: z.record(z.string(), z.unknown()), answer: z.unknown().describe('What REST answers'),
    payload: z.record(z.string(), z.unknown()).nullable().describe('What the tool answers; null: REST only'),
  })),
})
export type Recorded = z.infer<typeof Recorded>

export const recordedPath = new URL('recorded.json', import.meta.url)

let read: Recorded | undefined
/** The recording. */
export const recorded = (): Recorded => read ??= Recorded.parse(JSON.parse(readFileSync(recordedPath, 'utf8')))
