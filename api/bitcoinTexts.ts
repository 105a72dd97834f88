/** Answers about Bitcoin as Bitcoin writes: ids of addresses become their texts, hashes lose their 0x. The one place where that is done. */
import { z } from 'zod'
import { partsOf } from './partsOf.js'
import type { Store } from '../schemas/clickhouse.js'
import { loadSql } from '../schemas/sql.js'

const bitcoinTexts = loadSql(import.meta.url, 'bitcoinTexts.sql')
const Row = z.object({ id: z.string(), address: z.string() })
/** Ids and hashes, also within sentences. */
const written = /\b0x(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g
const nobody = `0x${'00'.repeat(20)}`
/** Ids asked for at once. */
const most = 2_000

type Visit = (text: string, chain: string) => string
/** Calls `visit` for every text of an answer, but for those in members that `foreign` names, with the chain it is about: the member `chain` of the nearest object around it, else `chain`. */
const walk = (node: unknown, chain: string, foreign: readonly string[], visit: Visit): unknown => {
  if (typeof node === 'string') return visit(node, chain)
  if (node === null || typeof node !== 'object') return node
  if (Array.isArray(node)) return node.map((part) => walk(part, chain, foreign, visit))
  const own = (node as { chain?: unknown }).chain
  const about = typeof own === 'string' ? own : chain
  return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, foreign.includes(name) ? part : walk(part, about, foreign, visit)]))
}

/**
 * `answer` with what it says of Bitcoin in Bitcoin's words; `chain`: what it is about where it does not say. Answers without Bitcoin pass as they are.
 * foreign: members whose texts others wrote (Operation.foreign). What looks like an id there is none of ours: with an address in its place the answer would say what nobody wrote.
 */
export const inBitcoinsWords = async (answer: unknown, chain: string, store: Store, { signal, foreign = [] }: { readonly signal?: AbortSignal; readonly foreign?: readonly string[] | undefined } = {}): Promise<unknown> => {
  const ids = new Set<string>()
  let found = false
  walk(answer, chain, foreign, (text, about) => {
    if (about === 'BTC') for (const [one] of text.matchAll(written)) { found = true; if (one.length === 42 && one !== nobody) ids.add(one.slice(2)) }
    return text
  })
  if (!found) return answer
  const rows = (await Promise.all(partsOf([...ids], most).map((part) => store.query(bitcoinTexts, { ids: part }, Row, {}, signal)))).flat()
  const texts = new Map(rows.map(({ id, address }) => [id, address]))
  return walk(answer, chain, foreign, (text, about) => (about !== 'BTC' ? text : text.replace(written, (one) => texts.get(one) ?? (one.length === 66 ? one.slice(2) : one))))
}
