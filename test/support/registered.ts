/** The bundled registers in a store of a test. */
import { z } from 'zod'
import type { Store } from '../../schemas/clickhouse.js'
import { loadRegisters, reloadDictionaries } from '../../stages/enrich/registers/loadRegisters.js'
import { copyRegisters } from './databases.js'
import { clickhouseUrl, randomName } from './servers.js'

const Count = z.object({ count: z.coerce.number() })

/** As loadRegisters leaves it. */
export const fillRegisters = async (store: Store): Promise<void> => {
  const [loads] = await store.query('SELECT count() AS count FROM register_loads', {}, Count)
  if (loads !== undefined && loads.count > 0) { await loadRegisters(store); return }
  await copyRegisters(await clickhouseUrl(), store, () => randomName('t'), loadRegisters)
  await reloadDictionaries(store)
}
