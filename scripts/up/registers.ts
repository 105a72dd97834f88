/** The bundled registers (labels, tokens) into the store. */
import type { Store } from '../../schemas/clickhouse.js'
import { loadRegisters } from '../../stages/enrich/registers/loadRegisters.js'

/** Loads what changed; resolves to a line that says what was done. */
export const registersInto = async (store: Store): Promise<string> => {
  const loaded = await loadRegisters(store)
  const fresh = loaded.filter(({ rows }) => rows > 0)
  return fresh.length === 0 ? `${loaded.length} registers are up to date.` : `Registers loaded: ${fresh.map(({ register, rows }) => `${register} (${rows})`).join(', ')}.`
}
