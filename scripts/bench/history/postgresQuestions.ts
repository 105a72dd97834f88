/** The questions that are compared, as a user of Postgres would put them so that they say what our answers say; and what of our answer must be equal. */

/** What our answer covers: heights, both included. */
export interface Covered { readonly first: number; readonly last: number }
interface Asked extends Covered { readonly n: number; /** 0x and lower-case hex. */ readonly address: string }

export interface PostgresQuestion {
  statement(asked: Asked): string
  /** Lines of our answer as psql prints its rows, columns apart by |, in its order. */
  lines(answer: unknown): string[]
  /** Whether our answer tells all of it: of one that leaves a part out, as it says, only the time is compared. */
  readonly isWhole?: (answer: unknown) => boolean
}

const hex = (column: string): string => `'0x' || encode(${column}, 'hex')`
const bytea = (address: string): string => `'\\x${address.slice(2)}'::bytea`
/** What moved one way in dollars: null where nothing of it has a price, 0 where nothing moved. */
const dollars = (direction: 'in' | 'out'): string => `CASE count(*) FILTER (WHERE direction = '${direction}') WHEN 0 THEN 0 ELSE sum(value_usd) FILTER (WHERE direction = '${direction}') END`
/** Dollars of a token that moved: the made history has no price of its coin in any block, so that nothing is unknown and no 0. */
const unknownOr = (usd: string, moved: string): string => `CASE WHEN ${moved} > 0 THEN nullif(${usd}, 0) ELSE ${usd} END`
const line = (...values: readonly unknown[]): string => values.map((value) => (value === null || value === undefined ? '' : String(value))).join('|')
/** Unix milliseconds of a time. */
const at = (time: string): string => `(extract(epoch FROM ${time}) * 1000)::bigint`
const within = ({ first, last }: Covered): string => `t.block_number BETWEEN ${first} AND ${last}`
const ours = <Row>(rows: unknown): readonly Row[] => rows as readonly Row[]

interface Moved { readonly tx_hash: string; readonly block_number: number; readonly position: number; readonly direction: string; readonly timestamp: string; readonly counterparty: string; readonly counterparty_label: string; readonly counterparty_class: string; readonly token: string; readonly token_symbol: string; readonly token_decimals: number | null; readonly amount: string; readonly value_usd: number | null }
interface Seen { readonly transfers_in: number; readonly transfers_out: number; readonly usd_in: number | null; readonly usd_out: number | null }
interface Profile { readonly profile: Seen & { readonly first_seen: string; readonly last_seen: string; readonly first_block: number; readonly last_block: number }; readonly balances: readonly { readonly token: string; readonly token_symbol: string; readonly transfers: number; readonly net_amount: string | null }[]; readonly counterparties: readonly (Seen & { readonly address: string; readonly label: string; readonly classification: string })[]; readonly labels: readonly { readonly label: string }[] }
interface Flow { readonly from_class: string; readonly to_class: string; readonly token: string; readonly token_symbol: string; readonly token_decimals: number | null; readonly transfers: number; readonly amount: string | null; readonly value_usd: number | null; readonly unpriced: number }
interface Exchange extends Seen { readonly exchange: string; readonly token_count: number; readonly tokens: readonly { readonly token: string; readonly amount_in: string | null; readonly amount_out: string | null; readonly usd_in: number | null; readonly usd_out: number | null }[] }
interface Top extends Seen { readonly address: string; readonly label: string; readonly classification: string; readonly volume_usd: number; readonly first_seen: string; readonly last_seen: string }

/** Moves of one address, a row for each side it is on: the newest `limit` of each, or all. */
const movesOf = (address: string, limit?: number): string => {
  const side = (own: string, other: string, direction: string): string => `SELECT block_number, kind, position, block_time, tx_hash, token, amount, value_usd, ${other} AS other, '${direction}' AS direction FROM transfers WHERE ${own} = ${bytea(address)}`
  return [side('from_address', 'to_address', 'out'), side('to_address', 'from_address', 'in')].map((one) => (limit === undefined ? one : `(${one} ORDER BY block_number DESC LIMIT ${limit})`)).join(' UNION ALL ')
}

export const postgresQuestions: Readonly<Record<string, PostgresQuestion>> = {
  'transfers of one address': {
    statement: ({ address }) => `SELECT ${hex('t.tx_hash')}, t.block_number, t.position, t.direction, ${at('t.block_time')}, ${hex('t.other')}, l.label, coalesce(l.class, 'unknown'), ${hex('t.token')}, k.symbol, k.decimals, t.amount, t.value_usd
      FROM (SELECT * FROM (${movesOf(address, 51)}) AS every ORDER BY block_number DESC, kind DESC, position DESC, direction DESC LIMIT 51) AS t LEFT JOIN labels AS l ON l.address = t.other LEFT JOIN tokens AS k ON k.address = t.token
      ORDER BY t.block_number DESC, t.kind DESC, t.position DESC, t.direction DESC LIMIT 50`,
    lines: (answer) => ours<Moved>((answer as { transfers: unknown }).transfers).map((row) => line(row.tx_hash, row.block_number, row.position, row.direction, Date.parse(row.timestamp), row.counterparty, row.counterparty_label, row.counterparty_class, row.token, row.token_symbol, row.token_decimals, row.amount, row.value_usd)),
  },
  'wallet profile': {
    // What trading earned is left out: swaps are not here. Balances are not valued: the made history has no prices of its last hour.
    statement: ({ address }) => `WITH m AS MATERIALIZED (${movesOf(address)}), parts AS (
      SELECT 1 AS part, 0::numeric AS rank, ARRAY[count(*) FILTER (WHERE direction = 'in')::text, (count(*) FILTER (WHERE direction = 'out'))::text, ${dollars('in')}::text, ${dollars('out')}::text,
        min(block_number)::text, max(block_number)::text, ${at('min(block_time)')}::text, ${at('max(block_time)')}::text, coalesce((SELECT label FROM labels WHERE address = ${bytea(address)}), '')] AS said FROM m
      UNION ALL SELECT 2, row_number() OVER (ORDER BY b.moves DESC, b.token), ARRAY[${hex('b.token')}, coalesce(k.symbol, ''), b.moves::text, b.net::text]
        FROM (SELECT token, count(*) AS moves, sum(CASE direction WHEN 'in' THEN amount ELSE -amount END) AS net FROM m GROUP BY token ORDER BY moves DESC, token LIMIT 50) AS b LEFT JOIN tokens AS k ON k.address = b.token
      UNION ALL SELECT 3, row_number() OVER (ORDER BY c.usd DESC, c.moves DESC, c.other), ARRAY[${hex('c.other')}, coalesce(l.label, ''), coalesce(l.class, 'unknown'), c.ins::text, c.outs::text, c.usd_in::text, c.usd_out::text]
        FROM (SELECT other, count(*) AS moves, count(*) FILTER (WHERE direction = 'in') AS ins, count(*) FILTER (WHERE direction = 'out') AS outs, ${dollars('in')} AS usd_in, ${dollars('out')} AS usd_out,
          coalesce(sum(value_usd), 0) AS usd FROM m WHERE kind NOT IN (7, 8) AND other <> ${bytea(address)} GROUP BY other ORDER BY usd DESC, moves DESC, other LIMIT 10) AS c LEFT JOIN labels AS l ON l.address = c.other)
      SELECT part, array_to_string(said, '|', '') FROM parts ORDER BY part, rank`,
    // Of who moved more than can be summed at once no balances are told.
    isWhole: (answer) => { const { balances, counterparties } = answer as Partial<Record<keyof Profile, unknown>>; return balances !== null && counterparties !== null },
    lines: (answer) => {
      const { profile, balances, counterparties, labels } = answer as Profile
      return [
        line(1, profile.transfers_in, profile.transfers_out, profile.usd_in, profile.usd_out, profile.first_block, profile.last_block, Date.parse(profile.first_seen), Date.parse(profile.last_seen), labels[0]?.label),
        ...balances.map(({ token, token_symbol: symbol, transfers, net_amount: net }) => line(2, token, symbol, transfers, net)),
        ...counterparties.map((row) => line(3, row.address, row.label, row.classification, row.transfers_in, row.transfers_out, row.usd_in, row.usd_out)),
      ]
    },
  },
  'flow-explorer over 24 h': {
    statement: ({ n, ...covered }) => `SELECT f.from_class, f.to_class, ${hex('f.token')}, k.symbol, k.decimals, f.moves, f.total, f.usd, f.unpriced FROM (
      SELECT t.from_class, t.to_class, t.token, count(*) AS moves, sum(t.amount) AS total, sum(t.value_usd) AS usd, count(*) FILTER (WHERE t.value_usd IS NULL) AS unpriced
      FROM transfers AS t WHERE ${within(covered)} GROUP BY t.from_class, t.to_class, t.token ORDER BY usd DESC NULLS LAST LIMIT ${50 + (n % 50)}) AS f LEFT JOIN tokens AS k ON k.address = f.token ORDER BY f.usd DESC NULLS LAST`,
    lines: (answer) => ours<Flow>(answer).map((row) => line(row.from_class, row.to_class, row.token, row.token_symbol, row.token_decimals, row.transfers, row.amount, row.value_usd, row.unpriced)),
  },
  'exchange-flows over 168 h': {
    statement: (covered) => `WITH f AS (SELECT exchange, token, count(*) FILTER (WHERE inward) AS ins, count(*) FILTER (WHERE NOT inward) AS outs, coalesce(sum(value_usd) FILTER (WHERE inward), 0) AS usd_in, coalesce(sum(value_usd) FILTER (WHERE NOT inward), 0) AS usd_out,
        coalesce(sum(amount) FILTER (WHERE inward), 0) AS gained, coalesce(sum(amount) FILTER (WHERE NOT inward), 0) AS lost FROM (
          SELECT t.to_entity AS exchange, t.token, t.value_usd, t.amount, true AS inward FROM transfers AS t WHERE ${within(covered)} AND t.to_class = 'exchange' AND t.from_entity <> t.to_entity UNION ALL
          SELECT t.from_entity, t.token, t.value_usd, t.amount, false FROM transfers AS t WHERE ${within(covered)} AND t.from_class = 'exchange' AND t.from_entity <> t.to_entity) AS m GROUP BY exchange, token),
      placed AS (SELECT f.*, row_number() OVER (PARTITION BY exchange ORDER BY usd_in + usd_out DESC, token) AS place, sum(usd_in + usd_out) OVER (PARTITION BY exchange) AS moved, sum(ins) OVER (PARTITION BY exchange) AS all_ins, sum(outs) OVER (PARTITION BY exchange) AS all_outs,
        sum(usd_in) OVER (PARTITION BY exchange) AS all_usd_in, sum(usd_out) OVER (PARTITION BY exchange) AS all_usd_out, count(*) OVER (PARTITION BY exchange) AS tokens FROM f)
      SELECT p.exchange, p.all_ins, p.all_outs, p.all_usd_in, p.all_usd_out, p.tokens, ${hex('p.token')}, p.gained, p.lost, ${unknownOr('p.usd_in', 'p.gained')}, ${unknownOr('p.usd_out', 'p.lost')} FROM placed AS p LEFT JOIN tokens AS k ON k.address = p.token WHERE p.place <= 20 ORDER BY p.moved DESC, p.exchange, p.place`,
    lines: (answer) => ours<Exchange>((answer as { exchanges: unknown }).exchanges).flatMap((row) => row.tokens.map((token) => line(row.exchange, row.transfers_in, row.transfers_out, row.usd_in, row.usd_out, row.token_count, token.token, token.amount_in, token.amount_out, token.usd_in, token.usd_out))),
  },
  'top wallets': {
    statement: ({ n, ...covered }) => `SELECT ${hex('w.who')}, l.label, coalesce(l.class, 'unknown'), w.ins, w.outs, w.usd_in, w.usd_out, w.usd_in + w.usd_out, ${at('w.since')}, ${at('w.until')} FROM (
      SELECT who, count(*) FILTER (WHERE inward) AS ins, count(*) FILTER (WHERE NOT inward) AS outs, coalesce(sum(value_usd) FILTER (WHERE inward), 0) AS usd_in, coalesce(sum(value_usd) FILTER (WHERE NOT inward), 0) AS usd_out, min(block_time) AS since, max(block_time) AS until FROM (
        SELECT t.to_address AS who, t.value_usd, t.block_time, true AS inward FROM transfers AS t WHERE ${within(covered)} AND t.value_usd > 0 AND t.kind NOT IN (7, 8) AND t.from_address <> t.to_address UNION ALL
        SELECT t.from_address, t.value_usd, t.block_time, false FROM transfers AS t WHERE ${within(covered)} AND t.value_usd > 0 AND t.kind NOT IN (7, 8) AND t.from_address <> t.to_address) AS m
      WHERE who <> '\\x0000000000000000000000000000000000000000' GROUP BY who ORDER BY sum(value_usd) DESC LIMIT ${20 + (n % 50)}) AS w LEFT JOIN labels AS l ON l.address = w.who ORDER BY w.usd_in + w.usd_out DESC`,
    lines: (answer) => ours<Top>(answer).map((row) => line(row.address, row.label, row.classification, row.transfers_in, row.transfers_out, row.usd_in, row.usd_out, row.volume_usd, Date.parse(row.first_seen), Date.parse(row.last_seen))),
  },
}
