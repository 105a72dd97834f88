import { z } from 'zod'
import { bitcoinId, bitcoinText, clusterRules } from '../../../schemas/bitcoin.js'
import { Address, Hash } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { isBitcoin } from '../../addresses.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { addressField, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { lastPlace, newestHeight, pageFields, pageOf } from '../../pages.js'
import { statusOfAll } from '../../reach.js'
import { untrusted } from '../../untrusted.js'
import { clusterHeight, detectors, emptyUnlessClustered, HeldMerge, HeldRow, ofHeld, readHeight } from './clusters.js'
import { Wrapped, wrappedOf } from './wrapped.js'

const sql = (name: string) => loadSql(import.meta.url, `${name}.sql`)
const getBtcCluster = sql('getBtcCluster'), listMembers = sql('listClusterMembers'), listChanges = sql('listClusterChanges'), listHeld = sql('listHeldMerges')
const text = z.string().transform((raw) => untrusted(raw, 64))
const Row = z.object({ cluster: z.string(), size: z.coerce.number(), name: z.string(), called: text, labelled: z.number(), evidence: z.array(z.tuple([z.string(), text, text, z.number()])) })
const Change = z.object({
  block_number: z.number().int(), tx_hash: Hash, kind: z.enum(['new', 'addition', 'merge']), merged: z.array(z.string()).describe('Clusters that became part of it'), addresses: z.number().int().describe('That were in none before'), size: z.number().int().describe('After it'),
})
const ChangeRow = Change.extend({ addresses: z.coerce.number() })
const Entity = z.object({
  name: z.string(), labelled_addresses: z.number().int(), evidence: z.array(z.object({ address: Address, entity: z.string(), source: z.string(), confidence: z.number().int() })).describe('The surest 5'),
})
const Method = z.object({
  heuristic: z.string(), version: z.number().int(), confidence: z.enum(['medium', 'none']).describe('Inputs spent together mostly show one owner; none: there is no cluster'),
  detectors: z.array(z.object({ name: z.string(), version: z.number().int() })).describe('Of CoinJoins: what they find joins nobody. Version: of new blocks, older ones may have been seen by a lower one (list_coinjoins)'),
})
const Member = z.object({ address: Address })
const Position = z.string().regex(/^[0-9a-f]{40}$/)
const first = '00'.repeat(20)

export default operation({
  name: 'get_btc_cluster', aliases: ['btc_cluster'], route: 'GET /v1/btc/clusters/{address}', auth: 'key', lane: 'forensic', tool: true, cacheSeconds: 10, chain: 'BTC', sources: ['btc_clusters', 'labels'], rows: 'members', hours: Infinity,
  summary: 'Addresses that spent together with this one; owner, history, merges held back.',
  input: z.object({ address: addressField, limit: limitField(1_000, 20), cursor: cursorField }),
  output: z.object({
    chain: z.string(), address: z.string(), cluster: z.string().nullable().describe('null: it is in none; spending together joins nobody where it is held_back, a CoinJoin, or of what anybody may spend'), size: z.number().int(), as_of_height: clusterHeight, method: Method, wrapped: Wrapped.nullable().describe('Its other form, P2SH or segwit; joins no clusters'),
    entity: Entity.nullable(), changes: z.array(Change).describe('The newest 10'), held_back: z.array(HeldMerge).describe('The newest 5 merges not made: two names would have met'), members: z.array(Member), ...pageFields, coverage_status: CoverageStatus,
  }),
  empty: (output, ask) => (isBitcoin(output.address, ask) ? emptyUnlessClustered(output, ask) : emptyBecause('unsupported_input')),
  run: async (input, ask) => {
    const address = bitcoinText(input.address), { cursors } = ask.services
    const after = input.cursor === undefined ? first : cursors.read('get_btc_cluster', { address }, input.cursor, Position)
    const [[row], height, status, wrapped] = await Promise.all([isBitcoin(address, ask) ? ask.store.query(getBtcCluster, { id: bitcoinId(address).slice(2) }, Row, {}, ask.signal) : [], readHeight(ask), statusOfAll({ id: 'BTC' }, { id: 'BTC' }, ask), isBitcoin(address, ask) ? wrappedOf(address, ask) : null])
    const methodOf = (confidence: 'medium' | 'none') => ({ heuristic: 'multi_input', version: clusterRules, confidence, detectors })
    const same = { chain: 'BTC', address, wrapped, as_of_height: height, coverage_status: status }
    const heldOf = async (cluster: string) => (await ask.store.query(listHeld, { cluster, block: newestHeight, index: lastPlace, limit: 5 }, HeldRow, {}, ask.signal)).map(ofHeld)
    if (row === undefined) return { ...same, cluster: null, size: isBitcoin(address, ask) ? 1 : 0, method: methodOf('none'), entity: null, changes: [], held_back: isBitcoin(address, ask) ? await heldOf(bitcoinId(address).slice(2)) : [], members: [], next_cursor: null, has_more: false }
    const { cluster, size, name, called, labelled, evidence } = row
    const [changes, held, members] = await Promise.all([
      ask.store.query(listChanges, { cluster, limit: 10 }, ChangeRow, {}, ask.signal), heldOf(cluster),
      ask.store.query(listMembers, { cluster, after, limit: input.limit + 1 }, z.object({ address: z.string() }), {}, ask.signal),
    ])
    const { page, more } = pageOf(members, input.limit, (last) => cursors.write('get_btc_cluster', { address }, last.address.slice(2)))
    return {
      ...same, cluster, size, method: methodOf('medium'), changes, held_back: held, members: page, ...more,
      entity: name === '' ? null : { name: called === '' ? name : called, labelled_addresses: labelled, evidence: evidence.map(([one, entity, source, confidence]) => ({ address: one, entity, source, confidence })) },
    }
  },
})
