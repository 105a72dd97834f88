/** What is asked of the made history: the path of the n-th asking, its bar, and the same question to Postgres where it is compared. */

export interface Question {
  readonly name: string
  /** Milliseconds that 95 of 100 answers may take. */
  readonly bar: number
  readonly path: (n: number, address: string) => string
  /** At least so many times as fast as Postgres (0.5: no slower than twice). */
  readonly times?: number
  readonly postgres?: (n: number, address: string, newest: number) => string
}

const day = 7_200
const bytea = (address: string): string => `'\\x${address.slice(2)}'::bytea`
const sides = (where: string): string => `SELECT from_address AS who, value_usd FROM transfers WHERE ${where} UNION ALL SELECT to_address, value_usd FROM transfers WHERE ${where}`

/** `address`: one of the history's, another each time. Heights stand for hours in Postgres: a block is twelve seconds. */
export const questions: readonly Question[] = [
  { name: 'transfers of one address', bar: 50, times: 0.5, path: (_n, address) => `/v1/wallets/transfers/${address}?limit=50`,
    postgres: (_n, address) => `SELECT * FROM ((SELECT * FROM transfers WHERE from_address = ${bytea(address)} ORDER BY block_number DESC LIMIT 50) UNION ALL (SELECT * FROM transfers WHERE to_address = ${bytea(address)} ORDER BY block_number DESC LIMIT 50)) AS t ORDER BY block_number DESC LIMIT 50` },
  { name: 'whales/recent', bar: 50, path: (n) => `/v1/whales/recent?chain=ETH&limit=50&min_usd=${100_000 + n}` },
  { name: 'wallet profile', bar: 150, times: 0.5, path: (_n, address) => `/v1/wallets/${address}`,
    postgres: (_n, address) => `SELECT count(*), sum(value_usd), min(block_number), max(block_number) FROM (SELECT value_usd, block_number FROM transfers WHERE from_address = ${bytea(address)} UNION ALL SELECT value_usd, block_number FROM transfers WHERE to_address = ${bytea(address)}) AS t` },
  { name: 'flow-explorer over 24 h', bar: 150, times: 30, path: (n) => `/v1/wallets/flow-explorer?chain=ETH&limit=${50 + (n % 50)}`,
    postgres: (n, _address, newest) => `SELECT from_class, to_class, token, count(*), sum(amount), sum(value_usd) AS usd FROM transfers WHERE block_number > ${newest - day} GROUP BY from_class, to_class, token ORDER BY usd DESC NULLS LAST LIMIT ${50 + (n % 50)}` },
  { name: 'exchange-flows over 168 h', bar: 150, times: 30, path: () => '/v1/dashboard/exchange-flows?chain=ETH&hours=168',
    postgres: (_n, _address, newest) => `SELECT entity, token, sum(value_usd) FILTER (WHERE inward), sum(value_usd) FILTER (WHERE NOT inward), sum(amount) FILTER (WHERE inward), sum(amount) FILTER (WHERE NOT inward) FROM (
      SELECT to_entity AS entity, token, value_usd, amount, true AS inward FROM transfers WHERE block_number > ${newest - 7 * day} AND to_class = 'exchange' AND from_entity <> to_entity UNION ALL
      SELECT from_entity, token, value_usd, amount, false FROM transfers WHERE block_number > ${newest - 7 * day} AND from_class = 'exchange' AND from_entity <> to_entity) AS t GROUP BY entity, token` },
  { name: 'top wallets', bar: 100, times: 30, path: (n) => `/v1/wallets/top/ETH?limit=${20 + (n % 50)}`,
    postgres: (n, _address, newest) => `SELECT who, sum(value_usd) AS usd FROM (${sides(`block_number > ${newest - day} AND value_usd > 0`)}) AS t GROUP BY who ORDER BY usd DESC LIMIT ${20 + (n % 50)}` },
  { name: 'trending', bar: 200, path: (n) => `/v1/feed/trending?chain=ETH&hours=${1 + (n % 24)}` },
  { name: 'trail, 2 hops', bar: 300, path: (_n, address) => `/v1/wallets/trail/${address}?chain=ETH&hops=2` },
  { name: 'trail, 4 hops', bar: 1_500, path: (_n, address) => `/v1/wallets/trail/${address}?chain=ETH&hops=4` },
]
