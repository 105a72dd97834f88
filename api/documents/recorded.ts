/** Calls with the answers they got on recorded mainnet blocks: examples of the description and of /mcp/fixtures.json. A test replays them. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Recorded = z.object({
  from: z.string().describe('Which blocks were in the store'),
  calls: z.array(z.object({
    operation: z.string(), arguments: z.record(z.string(), z.unknown()), answer: z.unknown().describe('What REST answers; ages, cursors and what belongs to the moment are masked'),
    payload: z.union([z.literal('answer'), z.record(z.string(), z.unknown())]).nullable().describe('What the tool answers; \'answer\': the same; null: REST only'),
  })),
})
export type Recorded = z.infer<typeof Recorded>

export const recordedPath = new URL('recorded.json', import.meta.url)

let read: Recorded | undefined
/** The recording. */
export const recorded = (): Recorded => read ??= Recorded.parse(JSON.parse(readFileSync(recordedPath, 'utf8')))

/** What the tool of a recorded call answers; null: REST only. */
export const payloadOf = ({ answer, payload }: Recorded['calls'][number]): Record<string, unknown> | null => (payload === 'answer' ? answer as Record<string, unknown> : payload)
