/** The admin key of a database: made once, shown once, and written down as what an operator does. */
import { keyPrefix } from '../../api/keyFormat.js'
import { openKeys } from '../../api/keys.js'
import type { Store } from '../../schemas/clickhouse.js'

/** Makes the key where none was ever made, or `another` where one is wanted. The audit log has who made it (`actor`) and its public id, never the key. */
export const giveAdminKey = async (store: Store, actor: string, say: (line: string) => void, another = false): Promise<void> => {
  const key = await openKeys(store, store).ensureAdminKey(another)
  if (key === null) return
  const subject = key.slice(keyPrefix.length, keyPrefix.length + 8)
  // It is made, and nobody can read it again: it is shown also where the line cannot be written.
  try {
    await store.insert('audit', [{ at: new Date().toISOString(), actor, role: 'operator', action: 'issue_key', subject, detail: JSON.stringify({ role: 'admin', name: 'admin' }), request_id: '', outcome: 'ok' }])
  } finally { say(`Admin key  ${key}   (shown this once: keep it)`) }
}
