/** The other form of an address: a P2SH address and the segwit script it wraps. One key or script stands behind both. A link, which joins no clusters. */
import { z } from 'zod'
import { bitcoinId, bitcoinScriptType } from '../../../schemas/bitcoin.js'
import { networkOf } from '../../../schemas/bitcoinNetworks.js'
import { wrappedIn, wrapsScript } from '../../../schemas/bitcoinWraps.js'
import { Address } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import type { Ask } from '../../operation.js'

const wasSeen = loadSql(import.meta.url, 'wasSeen.sql'), wrappedScript = loadSql(import.meta.url, 'wrappedScript.sql')
export const Wrapped = z.object({
  address: Address, relation: z.enum(['wrapped_in', 'wraps']).describe('wrapped_in: it is the P2SH address around this one'), name: z.literal('p2sh_segwit'), version: z.number().int(), confidence: z.number().int().describe('0 to 100'),
  seen: z.boolean().describe('Whether the index has it'),
})

/** Of a segwit address of version 0 the P2SH address around it; of a P2SH address that was spent here the segwit address its script shows; null: there is none, or it is not known. */
export const wrappedOf = async (address: string, ask: Ask): Promise<z.infer<typeof Wrapped> | null> => {
  const network = networkOf(ask.config.BTC_GENESIS), around = wrappedIn(address, network)
  const [shown] = bitcoinScriptType(address, network) === 'scripthash' ? await ask.store.query(wrappedScript, { id: bitcoinId(address).slice(2) }, z.object({ script: z.string() }), {}, ask.signal) : []
  const other = around ?? (shown === undefined ? null : wrapsScript(address, Buffer.from(shown.script, 'hex'), network))
  if (other === null) return null
  const [row] = await ask.store.query(wasSeen, { id: bitcoinId(other).slice(2) }, z.object({ seen: z.number() }), {}, ask.signal)
  return { address: other, relation: around === null ? 'wraps' : 'wrapped_in', name: 'p2sh_segwit', version: 1, confidence: 95, seen: (row?.seen ?? 0) > 0 }
}
