/** What an answer says of itself when it was cut to the size an agent can read. */
import { z } from 'zod'

export const Truncated = z.object({
  field: z.string(), returned: z.number().int(), available: z.number().int(), cut: z.array(z.string()),
  next: z.looseObject({ name: z.string(), arguments: z.looseObject({}) }).nullable(), hint: z.string(),
}).describe('Rows were left out: next is the call that gives those after these')

/** `field`: the list that was cut, of which `returned` rows of `available` are here; `cut`: paths of inner lists and texts that were shortened. */
export type Truncated = z.infer<typeof Truncated>
