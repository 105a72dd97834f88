import { z } from 'zod'
import { Address, Instant } from '../../../schemas/primitives.js'
import { loadSql } from '../../../schemas/sql.js'
import { emptyBecause } from '../../empty.js'
import { storedField, chainOf, cursorField, limitField } from '../../fields.js'
import { operation } from '../../operation.js'
import { listed, pageOf, Ranked, highestRank } from '../../pages.js'
import { endOf, indexedChains, segmentBlocksOf, upTo } from '../../span.js'
import { dollarsOf } from '../../unpriced.js'
import { unlabelledWarnings } from '../../unlabelled.js'
import { unlistedWarnings } from '../../unlisted.js'
import { untrusted } from '../../untrusted.js'
import { everyRegister, registers } from '../forensic/screening.js'
import { readRules } from '../labels/byRules.js'
import { byRank, heldBy, heldOf, RankedTogether } from './merged.js'
import { levelOf, nameOf, readRule, type RiskRule } from './trail/scores.js'

const riskyWallets = { ETH: loadSql(import.meta.url, 'riskyWallets.sql', 'shares'), BTC: loadSql(import.meta.url, 'riskyWallets.sql', 'rows') } as const
/** Transfers of risky addresses that are read for their parties, as many of those parties together, and of one of them; parties that are scored; on Bitcoin transactions of one of them and of all, each of which costs a granule of inputs and one of outputs. */
const most = { mostMoves: 2_000_000, mostParties: 5_000, mostOfParty: 100_000, mostEach: 2_000, mostTxs: 6_000 }

/** sanctioned null: not every register was there to be asked. */
const RiskyWallet = z.object({
  chain: z.string(), address: Address, risk_score: z.number().int().min(0).max(100).describe(`At least, by itself and direct exposure: get_wallet_compliance says it as risk_at_least, and risk_score only where all is known; of ETH by the coin and listed tokens; on Bitcoin by the newest ${most.mostEach} transactions of each it dealt with, its own change counted as moved`), risk_level: z.enum(['severe', 'high', 'medium', 'low']), classification: z.string(), label: z.string(), entity: z.string(),
  sanctioned: z.boolean().nullable(), reasons: z.array(z.string()), volume_usd: z.number().nullable().describe('null on BTC: nothing of it has a price'), last_seen: Instant.nullable(), scored_at: Instant.describe('Time of the newest block that counts'),
})
const Text = z.string().transform((text) => untrusted(text, 200))
const Row = RiskyWallet.pick({ address: true, classification: true, volume_usd: true, last_seen: true }).extend({
  volume_usd: z.number(),  label: Text, entity: Text,  score: z.number(), confidence: z.number(), official: z.coerce.boolean(), listed: z.number(), own: z.number(), exposures: z.array(z.tuple([z.string(), z.number(), z.number(), z.number(), z.number()])), rank: z.string(), counted: z.coerce.boolean(), cut: z.coerce.boolean(),
})

/** Each reason with the rule and its version. */
const reasonsOf = ({ chain, classification, confidence, official, listed: onRegister, own, exposures, counted }: z.infer<typeof Row> & { readonly chain: string }, rule: RiskRule): string[] => [
  ...onRegister === 1 ? ['Listed by a sanctions register'] : own > 0 ? [`${nameOf(rule)}: said to be ${classification} ${official ? 'officially' : `with confidence ${confidence}`}`] : [],
  ...exposures.map(([category, share, transfers, unpriced, unlisted]) =>
    `${nameOf(rule)}: ${transfers} transfers with ${category} directly, ${share > 0 && share < 0.0005 ? '< 0.1' : (100 * share).toFixed(1)}% of its priced volume${chain === 'BTC' ? '' : counted ? ' in the coin and listed tokens' : ', whatever the tokens: it moved too often for more'}${unpriced > 0 ? `; ${unpriced} without a price do not count` : ''}${unlisted > 0 ? `; ${unlisted} of tokens that no list names do not count` : ''}`),
]

/** Where not all was looked through nobody is to take the list for all there are. */
const cutWarning = (chain: string): string => `Of what risky addresses of ${chain}, or who dealt with them, moved not all was looked through: some may not be in this list, or risk more`

export default operation({
  name: 'list_risky_wallets', aliases: ['risky_wallets', 'get_risky_wallets'], route: 'GET /v1/wallets/risky/{chain}', auth: 'key', lane: 'compliance', tool: true, cacheSeconds: 60, sources: [...registers, 'labels', 'label_changes', 'transfers', 'risk_rules'], chain: 'ETH', hours: Infinity,
  summary: 'Addresses in the index that are risky themselves or dealt directly with such, the riskiest first. Use get_wallet_compliance for one.',
  input: z.object({ chain: storedField, min_risk: z.number().int().min(0).max(100).default(50).describe('Least score'), limit: limitField(100, 20), cursor: cursorField }),
  output: z.array(RiskyWallet),
  run: async (input, ask) => {
    const { cursors, coverage } = ask.services
    const chain = chainOf(input.chain)
    const inputs = { chain: chain.id, min_risk: input.min_risk }
    const asked = await indexedChains(chain, ask)
    const [heights, rank, after] = input.cursor === undefined ? [undefined, highestRank, ''] as const
      : asked.length > 1 ? cursors.read('list_risky_wallets', inputs, input.cursor, RankedTogether) : cursors.read('list_risky_wallets', inputs, input.cursor, Ranked)
    const [{ bounds }, rule, whole, ...untold] = await Promise.all([coverage.view(), readRule(ask), everyRegister(ask), unlabelledWarnings(asked, ask), asked.includes('ETH') ? unlistedWarnings('ETH', ask) : []])
    const newestOf = (id: string): number => heldOf(heights, id) ?? bounds.get(id)?.newest ?? 0
    const parts = await Promise.all(asked.map(async (id) => {
      const end = await endOf(id, upTo(heldOf(heights, id)), ask)
      if (end === null) return { rows: [], warnings: [] }
      const read = (of: object): Promise<z.infer<typeof Row>[]> => ask.store.query(riskyWallets[id], {
        chain: id, newest: newestOf(id), segmentBlocks: segmentBlocksOf(id), categories: [...rule.weights.keys()], weights: [...rule.weights.values()], own_confidence: rule.own_confidence, least: input.min_risk, ...most, rank, after, limit: input.limit + 1, ...of,
      }, Row)
      const found = await read({})
      // Where none is risky enough any other tells whether all was looked through.
      const [told] = found.length > 0 ? found : await read({ least: 0, rank: highestRank, after: '', limit: 1 })
      const withRules = await readRules(found.map(({ address }) => address), id, ask)
      return { rows: found.map((row) => ({ ...withRules(row), chain: id, at: new Date(end.to).toISOString() })), warnings: told?.cut === true ? [cutWarning(id)] : [] }
    }))
    const rows = parts.flatMap((part) => part.rows).sort(byRank)
    const { page, more } = pageOf(rows, input.limit, (last) => cursors.write('list_risky_wallets', inputs, [heldBy(asked, newestOf), last.rank, last.address]))
    return listed(page.map((row) => ({
      chain: row.chain, address: row.address, risk_score: row.score, risk_level: levelOf(row.score, rule), classification: row.classification, label: row.label, entity: row.entity,
      sanctioned: row.listed === 1 ? true : whole ? false : null, reasons: reasonsOf(row, rule), volume_usd: dollarsOf(row.chain === 'BTC', row.volume_usd), last_seen: row.last_seen, scored_at: row.at,
    })), { ...more, warnings: [...untold.flat(), ...parts.flatMap(({ warnings }) => warnings)], ...(page.length === 0 && untold.flat().length > 0 ? { empty: emptyBecause(await coverage.silence(chain.id, 'compliance') ?? 'data_gap') } : {}) })
  },
})
