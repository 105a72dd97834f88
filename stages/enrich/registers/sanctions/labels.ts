/** Listed addresses as labels of chains that are indexed here, so that trails, classes and the pipeline know them. Labels follow the list: what is delisted is removed. */
import type { Store } from '../../../../schemas/clickhouse.js'
import { normalAddress } from '../../../../schemas/addresses/normalAddress.js'
import { z } from 'zod'
import { reloadLabels } from '../loadRegisters.js'
import type { Label } from '../register.js'
import { loadsOf, storeLabels } from '../storeLabels.js'
import type { Designation } from './designation.js'
import type { SanctionsList } from './list.js'

const Accepted = z.object({ count: z.coerce.number() })

const labelsOf = (rows: readonly Designation[], day: string): readonly Label[] => [...new Map(rows.flatMap(({ address, list_id, entity_name, listed_on }) => {
  const { text, form, chain, reason } = normalAddress(address)
  const stored = reason !== null ? '' : form === 'EVM' ? 'ETH' : chain === 'BTC' ? 'BTC' : ''
  const since = listed_on !== null && listed_on >= '1970-01-01' ? listed_on : day
  return stored === '' ? [] : [[`${stored} ${text} ${list_id}`, { chain: stored, address: text, label: entity_name === '' ? list_id : entity_name.slice(0, 64), entity: '', category: 'sanctioned', rule: list_id, level: 'override', confidence: 100, validFrom: since } satisfies Label] as const]
})).values()]

/** Brings the labels of a list to `rows`, where an accepted load is without them; register_loads tells it. May be repeated. */
export const followLabels = async (store: Store, list: SanctionsList, rows: readonly Designation[], listVersion: string, sha256: string): Promise<void> => {
  const { register } = list
  const [{ count }, accepted] = [await loadsOf(store, register), (await store.query("SELECT count() AS count FROM sanctions_loads WHERE register = {register:String} AND status = 'accepted'", { register }, Accepted))[0]?.count ?? 0]
  if (count >= accepted) return
  await storeLabels(store, { source: register, licence: 'official list', version: accepted, labels: labelsOf(rows, new Date().toISOString().slice(0, 10)) })
  await store.insert('register_loads', [{ register, version: listVersion, sha256, rows: rows.length, loaded_at: new Date().toISOString() }], `register_loads|${register}|${accepted}`)
  await reloadLabels(store)
}
