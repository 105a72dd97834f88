import { z } from 'zod'
import { keyRefused, usedUp } from '../../faults.js'
import { operation } from '../../operation.js'
import { AccessKey, accessKey } from './accessKey.js'
import { callersKey } from './caller.js'

const graceSeconds = 60
const mostPerHour = 5

export default operation({
  name: 'exchange_key', route: 'POST /v1/keys/exchange', auth: 'public', lane: 'system', tool: false, writes: true, status: 200,
  summary: `A new key for the one that calls: same rights, quota and end; the old one works for ${graceSeconds} more seconds. ${mostPerHour} an hour. A key that leaked is revoked instead.`,
  input: z.object({}),
  output: AccessKey.extend({ api_key_id: z.number().int(), public_id: z.string(), replaces: z.object({ public_id: z.string(), expires_at: z.iso.datetime() }) }),
  run: async (_input, ask) => {
    const { principal, services: { keys, limits }, baseUrl } = ask
    const old = await callersKey(ask)
    const turn = await limits.take('exchange', old.lineage, mostPerHour, 3_600)
    if (!turn.allowed) throw usedUp(turn, `A key is exchanged at most ${mostPerHour} times an hour`)
    const { name, role, tier, rate_limit, daily_cap, scopes, account, lineage, quota, expires_at } = old
    const issued = await keys.issue({ name, role, tier, rate_limit, daily_cap, scopes, account, lineage, quota, expires_at, source_ip: principal.ip, origin: 'exchange' })
    const end = new Date(Math.min(Date.parse(expires_at), Date.now() + graceSeconds * 1_000)).toISOString()
    let ended = await keys.change(old, { expires_at: end })
    // What was recorded first of that version of the key may be something else, as that it was attached: then the end is of the next one.
    while (ended.revoked_at === null && Date.parse(ended.expires_at) > Date.parse(end)) ended = await keys.change(ended, { expires_at: end })
    // A revocation that came in between meant the new key, too.
    if ((await keys.find(old.public_id))?.revoked_at !== null) {
      await keys.revoke(issued.record)
      throw keyRefused()
    }
    return { ...accessKey(issued, baseUrl), api_key_id: issued.record.id, public_id: issued.record.public_id, replaces: { public_id: ended.public_id, expires_at: new Date(ended.expires_at).toISOString() } }
  },
})
