/** What an answer says of itself when it was cut to the size an agent can read. */
import { z } from 'zod'

export const Truncated = z.object({
  field: z.string().describe('The list that was cut; empty where several were'),
  returned: z.number().int(), available: z.number().int().describe('Rows this call had found'),
  cut: z.array(z.string()).describe('Paths of inner lists and texts that were shortened'),
  next: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }).nullable().describe('The call that gives the rows after these; null: there is none'),
  hint: z.string(),
}).describe('Present when rows were left out to keep the answer short')
export type Truncated = z.infer<typeof Truncated>
