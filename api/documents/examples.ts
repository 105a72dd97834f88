/** Answers that recorded.json does not hold, as examples of the description: of keys, of one installation, of what is made for a test. Shortened, secrets left out. A test asks for them again. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const Examples = z.object({
  note: z.string(),
  answers: z.array(z.object({ of: z.string().describe('Name of an operation or a document'), summary: z.string(), value: z.unknown() })),
})
export type Examples = z.infer<typeof Examples>

export const examplesPath = new URL('examples.json', import.meta.url)

let read: Examples | undefined

/** The examples of one operation or document, as OpenAPI has them; undefined where there are none. */
export const shownOf = (name: string): Record<string, unknown> | undefined => {
  read ??= Examples.parse(JSON.parse(readFileSync(examplesPath, 'utf8')))
  const mine = read.answers.filter(({ of }) => of === name)
  return mine.length === 0 ? undefined : Object.fromEntries(mine.map(({ summary, value }, index) => [`shown_${index + 1}`, { summary, value }]))
}
