/** The bundled registers (labels, tokens, sanctions lists) into the store. */
import type { Store } from '../../schemas/clickhouse.js'
import { loadRegisters } from '../../stages/enrich/registers/loadRegisters.js'
import { loadBundledLists, sanctionsLists } from '../../stages/enrich/registers/sanctions/loadLists.js'

/** Loads what changed; resolves to a line that says what was done. */
export const registersInto = async (store: Store): Promise<string> => {
  const loaded = await loadRegisters(store)
  const lists = (await loadBundledLists(store)).map(({ register, addresses }) => ({ register, rows: addresses }))
  const fresh = [...loaded.filter(({ rows }) => rows > 0), ...lists]
  return fresh.length === 0 ? `${loaded.length + sanctionsLists.length} registers are up to date.` : `Registers loaded: ${fresh.map(({ register, rows }) => `${register} (${rows})`).join(', ')}.`
}
