/** What a text that has not its form should look like, in a sentence: a pattern alone tells a caller nothing. */
import type { z } from 'zod'

const hex40 = '0x and 40 hex digits', hex64 = '64 hex digits'
/** By the pattern of a field. */
const forms: ReadonlyMap<string, string> = new Map([
  ['/^[0-9A-Za-z:._-]{14,128}$/', `an address was expected as its chain writes it: ${hex40}, or one of Bitcoin. Names (ENS) are not resolved`],
  ['/^0x[0-9a-fA-F]{40}$/', `an address was expected: ${hex40}. Symbols and names are not resolved`],
  ['/^0x[0-9a-fA-F]{40}([0-9a-fA-F]{24})?$/', `an address was expected: ${hex40}, or the 64 of a pool id. Symbols and names are not resolved`],
  ['/^(0x)?[0-9a-fA-F]{64}$/', `a hash was expected: ${hex64}, with or without 0x`], ['/^0x[0-9a-fA-F]{64}$/', `a hash was expected: 0x and ${hex64}`],
  ['/^0x[0-9a-f]{40}$/i', `an address was expected: ${hex40}`], ['/^0x([0-9a-f]{40}|[0-9a-f]{64})$/i', `an address or the id of a pool was expected: 0x and 40 or ${hex64}`], ['/^0x[0-9a-f]{64}$/i', `a hash or an id was expected: 0x and ${hex64}`],
  ['/^(([1-9]|[1-9]\\d|1[0-5]\\d|16[0-8])h|[1-7]d)$/', 'a time back was expected: 1h to 168h or 1d to 7d, as 24h'],
])
/** Where what a field is called for can be found otherwise. */
const elsewhere: Readonly<Record<string, string>> = { token: ': ask_blockchain names the token of a listed symbol, list_swap_pairs and list_trending tell addresses' }

/** The sentence for `issue` of the field `name`, which its description tells of; undefined where it is about no form. */
export const formOf = (issue: z.core.$ZodIssue, name: string, described: string): string | undefined => {
  if (issue.code !== 'invalid_format') return undefined
  if (issue.format === 'datetime') return 'a time was expected as ISO 8601 writes it, with its hour: 2025-07-07T00:00:00Z'
  const form = 'pattern' in issue ? forms.get(String(issue.pattern)) : undefined
  return form === undefined ? `it has not the form of what was expected: ${described}` : `${form}${form.includes('Symbols') ? elsewhere[name] ?? '' : ''}`
}
