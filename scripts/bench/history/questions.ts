/** What is asked of the made history: the path of the n-th asking and its bar. */

export interface Question {
  readonly name: string
  /** Milliseconds that 95 of 100 answers may take. */
  readonly bar: number
  /** `address`: one of the history's, another each time. */
  readonly path: (n: number, address: string) => string
  /** At least so many times as fast as Postgres (0.5: no slower than twice); its question stands in postgresQuestions.ts. */
  readonly times?: number
}

export const questions: readonly Question[] = [
  { name: 'transfers of one address', bar: 50, times: 0.5, path: (_n, address) => `/v1/wallets/transfers/${address}?limit=50` },
  { name: 'whales/recent', bar: 50, path: (n) => `/v1/whales/recent?chain=ETH&limit=50&min_usd=${100_000 + n}` },
  { name: 'wallet profile', bar: 150, times: 0.5, path: (_n, address) => `/v1/wallets/${address}` },
  { name: 'flow-explorer over 24 h', bar: 150, times: 30, path: (n) => `/v1/wallets/flow-explorer?chain=ETH&limit=${50 + (n % 50)}` },
  { name: 'exchange-flows over 168 h', bar: 150, times: 30, path: () => '/v1/dashboard/exchange-flows?chain=ETH&hours=168' },
  { name: 'top wallets', bar: 100, times: 30, path: (n) => `/v1/wallets/top/ETH?limit=${20 + (n % 50)}` },
  { name: 'trending', bar: 200, path: (n) => `/v1/feed/trending?chain=ETH&hours=${1 + (n % 24)}` },
  { name: 'trail, 2 hops', bar: 300, path: (_n, address) => `/v1/wallets/trail/${address}?chain=ETH&hops=2` },
  { name: 'trail, 4 hops', bar: 1_500, path: (_n, address) => `/v1/wallets/trail/${address}?chain=ETH&hops=4` },
]
