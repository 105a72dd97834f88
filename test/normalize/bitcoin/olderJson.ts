/** getblock with transactions as nodes of other ages and settings write it, out of what a newer one wrote. */
import { withTexts } from './madeUp.js'

export type Json = Record<string, unknown>
/** JSON again, its amounts as the digits they had. */
const written = (value: unknown): string => JSON.stringify(value).replace(/"(value|fee)":"([0-9.eE+-]+)"/g, '"$1":$2')
/** The answer with every object in it put through `change`. */
const changed = (text: string, change: (one: Json) => Json): string => written(JSON.parse(withTexts(text), (_, value: unknown) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? change(value as Json) : value)))
/** An object without some of its fields. */
export const without = (one: Json, ...names: string[]): Json => Object.fromEntries(Object.entries(one).filter(([name]) => !names.includes(name)))

/** As before Bitcoin Core 22: a list of addresses, how many signatures, no fee, nothing of what is spent. */
export const old = (text: string): string => changed(text, (one) => {
  const { address, ...script } = one
  const rest = without(typeof address === 'string' ? { ...script, reqSigs: 1, addresses: [address] } : one, 'fee', 'prevout')
  return 'hex' in rest && rest['type'] === 'anchor' ? { ...rest, type: 'witness_unknown' } : rest
})
/** Verbosity 2 of a node that has not kept what blocks spent. */
export const bare = (text: string): string => changed(text, (one) => without(one, 'fee', 'prevout'))
