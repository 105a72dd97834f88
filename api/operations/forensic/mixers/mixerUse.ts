/** How an address used mixers: what it did itself, and leads to who may stand on the other side. A lead is where to look, never proof. */
import { z } from 'zod'
import { Address, Amount, EvmAddress, Hash, Instant } from '../../../../schemas/primitives.js'
import { loadSql, type SqlFile } from '../../../../schemas/sql.js'
import { firstOf } from '../../../cut.js'
import type { Ask } from '../../../operation.js'
import { untrusted } from '../../../untrusted.js'
import { newestTxs } from '../../wallets/dealings.js'
import type { Dealt } from '../../wallets/trail/exposures.js'

const [listMixerUses, listJoinUses, listBtcMixerUses, listMixerLeads, listRailgunLeads] = ['listMixerUses.sql', 'listJoinUses.sql', 'listBtcMixerUses.sql', 'listMixerLeads.sql', 'listRailgunLeads.sql'].map((name) => loadSql(import.meta.url, name)) as [SqlFile, SqlFile, SqlFile, SqlFile, SqlFile]
const bands = ['strong', 'medium', 'weak'] as const
const version = 1
/** Mixers with an address, with token and direction, in one answer. */
export const mostMixers = 200
/** Of more uses of its own the newest are compared with others', and it is said. */
const mostUses = 2_000
/** A withdrawal so long after a linked deposit, or before, is a lead. */
const hours = 72
/** From so many alike on a profile says nothing. */
const mostAlike = 10

export const MixerUse = z.object({
  mixer: Address.describe('Zero: a CoinJoin has no address'), label: z.string(), protocol: z.string().describe('tornado, railgun, or the kind of CoinJoin'), confidence: z.number().int().nullable().describe('That it is one, 0 to 100; 100 where it is official'), direction: z.enum(['deposit', 'withdrawal']), token: EvmAddress,
  transfers: z.number().int(), amount: Amount.nullable().describe('null: on Bitcoin, an input is not known, and so how much'), value_usd: z.number().nullable(), first_seen: Instant, last_seen: Instant, tx_hash: Hash.describe('The largest'),
})
export const MixerLead = z.object({
  rule: z.string().describe('Rule and version'), band: z.enum(bands).describe('How much there is to it; none is proof'), address: Address, side: z.enum(['deposit', 'withdrawal']).describe('What that address did'), pools: z.number().int(), matches: z.number().int(),
  own_tx: Hash, other_tx: Hash, hours_apart: z.number(), others: z.number().int().describe('Addresses that were on that side of those pools in time'), alike: z.number().int().describe('Addresses that this rule names'), amounts_match: z.boolean().nullable().describe('Railgun: what came out is what went in less at most 1 % of fees; null: the pool has one amount'), reason: z.string(),
})
const text = z.string().transform((raw) => untrusted(raw, 120))
const UseRow = MixerUse.extend({ label: text, protocol: text })
const LeadRow = MixerLead.omit({ band: true, reason: true })
type Lead = z.infer<typeof LeadRow>

const reasons: Readonly<Record<string, string>> = {
  address_reuse: 'The same address stands on both sides of the same pool', linked_address: `An address it dealt with directly used the same pool within ${hours} hours`, pool_profile: 'As many uses of each of the same pools, all of them in time',
  railgun_reuse: 'The same address stands on both sides of Railgun, in the same asset', railgun_linked: `An address it dealt with directly was on the other side of Railgun within ${hours} hours, in the same asset`,
  railgun_amount: `The same asset and an amount that fits stood on the other side of Railgun within ${hours} hours`,
}
const bandOf = ({ rule, alike, pools, amounts_match: fits }: Lead): z.infer<typeof MixerLead>['band'] => {
  const best = { address_reuse: 'strong', railgun_reuse: fits === true ? 'strong' : 'medium', linked_address: 'medium', railgun_linked: fits === true ? 'medium' : 'weak', pool_profile: alike === 1 && pools >= 3 ? 'medium' : 'weak' } as const
  return rule in best ? best[rule as keyof typeof best] : 'weak'
}

export interface MixerUses { readonly uses: z.infer<typeof MixerUse>[]; readonly more: boolean; readonly leads: z.infer<typeof MixerLead>[]; /** Whether all uses were compared. */ readonly compared: boolean }

/** Uses of mixers by `id` (hex without 0x) of a stored chain up to a height, with leads; Bitcoin has no leads: a CoinJoin mixes all its inputs. `others`: mixers beside those that labels know. */
export const readMixerUse = async (id: string, chain: string, upto: number, others: readonly Dealt[], ask: Ask): Promise<MixerUses> => {
  const params = { chain, address: id, upto }
  const read = (sql: SqlFile, more: object = {}): Promise<z.infer<typeof UseRow>[]> => ask.store.query(sql, { ...params, ...more }, UseRow, {}, ask.signal)
  const limit = mostMixers + 1
  const known = { limit, others: [...new Map(others.map(({ address, label, entity, sure }) => [address, [address, label, entity, String(sure)]])).values()] }
  const [named = [], joins = []] = await Promise.all(chain === 'BTC' ? [read(listBtcMixerUses, { ...known, most: newestTxs }), read(listJoinUses)] : [read(listMixerUses, known)])
  const { rows, has_more: more } = firstOf(named, mostMixers), uses = [...rows, ...joins]
  const used = (protocol: string): number => (chain === 'BTC' ? 0 : uses.filter((one) => one.protocol === protocol).reduce((sum, { transfers }) => sum + transfers, 0))
  const leadsOf = async (protocol: string, sql: SqlFile): Promise<Lead[]> => (used(protocol) === 0 ? [] : ask.store.query(sql, { ...params, hours, uses: mostUses }, LeadRow, {}, ask.signal))
  const leads = (await Promise.all([leadsOf('tornado', listMixerLeads), leadsOf('railgun', listRailgunLeads)])).flat()
  return {
    uses, more, compared: !more && Math.max(used('tornado'), used('railgun')) <= mostUses,
    leads: leads.filter(({ rule, alike }) => !['pool_profile', 'railgun_amount'].includes(rule) || alike < mostAlike).map((lead) => ({ ...lead, rule: `mixer_${lead.rule}/${version}`, band: bandOf(lead), reason: reasons[lead.rule] ?? '' }))
      .sort((a, b) => bands.indexOf(a.band) - bands.indexOf(b.band)),
  }
}
