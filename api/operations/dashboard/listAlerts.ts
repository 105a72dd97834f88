import { z } from 'zod'
import { Address, Amount, EvmAddress, Hash, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { pageByTime, positionsOf } from '../../byTime.js'
import { CoverageStatus } from '../../coverage.js'
import { emptyBecause } from '../../empty.js'
import { blockChainOf, chainField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { newestHeight, pageFields } from '../../pages.js'
import { indexedChains, storedChains } from '../../span.js'
import { unalerted, withUnalerted } from '../../unalerted.js'
import { untrusted } from '../../untrusted.js'
import { markedAmong } from '../perps/made.js'
import { forcedUnheard } from '../perps/shown.js'

const listAlerts = loadSql(import.meta.url, 'listAlerts.sql'), listVenueAlerts = loadSql(import.meta.url, 'listVenueAlerts.sql')
const listAlertRules = loadSql(import.meta.url, 'listAlertRules.sql')
const Rule = z.object({ rule: z.string(), chain: z.string(), threshold: z.number().describe('From this value on it speaks'), unit: z.string(), severity: z.string(), description: z.string() })
const Alert = z.object({
  chain: z.string(), id: z.string(), rule: z.string(), rule_version: z.number().int(), severity: z.string(), block_number: z.number().int(), timestamp: Instant, tx_hash: Hash, position: z.number().int(),
  summary: z.string(), value_usd: z.number().nullable().describe('Of a token that no list names: what its own pools say'), amount: Amount.nullable(), token: EvmAddress.nullable().describe('null: of the perps venue'), from_address: Address, to_address: Address,
})
const Row = Alert.omit({ chain: true }).extend({ summary: z.string().transform((text) => untrusted(text, 500)) })
/** Sort position: height, of the venue Unix milliseconds; id. */
const Position = z.tuple([z.number().int().min(0), z.string().regex(/^[0-9a-f]{64}$/)])
/** The venue's were numbers of segments once: small ones, of which no page can be made; 0 says that it has none. */
const Positions = positionsOf(Position).refine(({ HL: [at] = [0] }) => at === 0 || at > 100_000_000_000)
const zeros = '0'.repeat(64)
/** Above every time. */
const latestMs = 4_102_444_800_000
const isVenue = (chain: string): boolean => chain === 'HL'
/** Of rules that go by dollars: whoever makes a token makes its pools. */
const unbelieved = '; of a token that no list names: at what its own pools say, and low'
const meanings: Readonly<Record<string, string>> = {
  whale_transfer: `A movement of great value${unbelieved}`, exchange_inflow: `Value enters an exchange${unbelieved}`, exchange_outflow: `Value leaves an exchange${unbelieved}`, stablecoin_mint: 'New stablecoins', stablecoin_burn: 'Stablecoins cease to be',
  stablecoin_freeze: 'An issuer freezes a holder', mixer_use: 'Value enters or leaves a mixer', new_pool: 'A known factory makes a pool', liquidation: 'A loan is liquidated, or of the perps venue a position, as the venue said', adl: 'A position was closed against a liquidated one, as the venue said', liquidation_near: 'A position is near its liquidation price: an estimate, told by get_hl_alerts alone', copy_trade: 'An account that leads opens a position',
}

export default operation({
  name: 'list_alerts', aliases: ['recent_alerts', 'get_alerts'], route: 'GET /v1/dashboard/alerts', auth: 'key', lane: 'signals', tool: true, cacheSeconds: 5, sources: ['alerts', 'hl_alerts', 'alert_thresholds'], rows: 'alerts', perps: true,
  summary: 'The alert rules of a chain with their thresholds, and its newest alerts that still stand. Use get_feed_block for what else the block held.',
  input: z.object({ limit: limitField(200, 50), chain: chainField.default('ETH'), cursor: cursorField }),
  output: z.object({ rules: z.array(Rule), count: z.number().int(), alerts: z.array(Alert), ...pageFields, coverage_status: CoverageStatus }),
  empty: async (output, ask) => {
    const { chain } = output.coverage_status, reason = await unalerted(chain, ask, { venues: true })
    // Of whom the venue liquidates its node's files alone tell.
    return forcedUnheard(output) ?? (reason === null ? null : emptyBecause(await ask.services.coverage.silence(chain, 'perps') ?? reason))
  },
  run: async ({ limit, cursor, chain: received }, ask) => {
    const chain = chainOf(received)
    const asked = chain.id === 'HL' ? ['HL'] : storedChains(chain).length > 1 ? [...await indexedChains(chain, ask), 'HL'] : [blockChainOf(received).id]
    const inputs = chain.id === 'ETH' ? {} : { chain: chain.id }
    const { cursors, coverage } = ask.services
    const read = cursor === undefined ? {} : cursors.read('list_alerts', inputs, cursor, Positions)
    const [status, view, rules, ...lists] = await Promise.all([
      coverage.status(chain.id, 'perps'), coverage.view(), ask.store.query(listAlertRules, {}, Rule.omit({ description: true })),
      ...asked.map(async (at) => {
        const [below, id] = read[at] ?? [isVenue(at) ? latestMs : newestHeight, '']
        return (await (isVenue(at) ? ask.store.query(listVenueAlerts, { chain: at, ms: below, id, limit: limit + 1 }, Row) : ask.store.query(listAlerts, { chain: at, block: below, id, limit: limit + 1 }, Row))).map((row) => ({ chain: at, ...row }))
      }),
    ])
    const height = (row: z.infer<typeof Alert>): number => (isVenue(row.chain) ? Date.parse(row.timestamp) : row.block_number)
    const { page, more } = pageByTime(lists, limit, read, (row) => [height(row), row.id] as [number, string], (next) => cursors.write('list_alerts', inputs, next), (row) => [height(row) + 1, zeros] as [number, string],
      // Of a chain without an alert, or without a block, there is nothing to come: one that the stage makes later, of whatever block, is newer than the pages.
      Object.fromEntries([...storedChains(chain), 'HL'].map((id) => [id, [0, zeros] as [number, string]])))
    return { rules: rules.filter((rule) => asked.some((id) => id === rule.chain)).map((rule) => ({ ...rule, description: meanings[rule.rule] ?? '' })), count: page.length, alerts: page, ...more, coverage_status: markedAmong(withUnalerted(status, view, chain.id, { venues: true }), page) }
  },
})
