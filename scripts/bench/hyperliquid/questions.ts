/** What is asked of the long history of a made market: every question about the venue, and its bar in milliseconds. */
import type { Question } from '../history/questions.js'

const coins = ['SYN-BTC', 'SYN-ETH', 'SYN-SOL', 'SYN-XRP', 'SYN-DOGE', 'SYN-LINK']
const one = (name: string, path: (n: number, address: string) => string, bar = 200): Question => ({ name, bar, path: (n, address) => `/v1/feed/hl/${path(n, address)}` })

export const questions: readonly Question[] = [
  one('recent', (n) => `recent?limit=50&min_usd=${10_000 + n}`), one('recent over a week', (n) => `recent?limit=50&hours=168&min_usd=${100_000 + n}`),
  one('traders', (n) => `traders?limit=${20 + n % 50}`, 500), one('styled traders', (n) => `traders/styled?limit=${100 + n % 50}`, 500), one('copytrade', () => 'copytrade/curated'),
  one('trader', (n, address) => `trader/${address}?limit=${50 + n % 50}`), one('positions', (n) => `positions?top_n=${1 + n % 20}`), one('pulse', (n) => `pulse?hours=${1 + n % 24}`), one('depth', (n) => `depth?coins=${coins.slice(0, 1 + n % 6).join(',')}`),
  one('flow history', (n) => `flow-history?coin=${coins[n % 6]}&buckets=${12 + n % 36}`), one('funding', () => 'funding'), one('suspects', (n) => `suspects?hours=${720 + n}`), one('insider trades', (n) => `insider-trades?hours=${24 + n}`),
  one('signals', (n) => `signals?hours=${1 + n % 24}`), one('signal log', (n) => `signal-log?limit=${20 + n % 50}`), one('strategies', () => 'strategies'), one('alpha', () => 'alpha'), one('alerts', (n) => `alerts?hours=${1 + n % 24}`),
]
