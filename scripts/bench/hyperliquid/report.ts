/** What the bench of the venue found, in words. */
import { table } from '../markdown.js'
import type { HyperliquidResult } from './hyperliquid.js'

type Bar = { readonly bar: string; readonly figure: string; readonly met: boolean }
/** Styles that the rules name; market makers and scalpers are told apart from them and count as none. */
const styles = ['SNIPER', 'DIRECTIONAL', 'STEAMROLLER', 'HEDGER']
const shown = (style: string): string => (styles.includes(style) ? style : style.startsWith('(') ? style : 'none')

/** Share of traders made with a style that were told as it. */
const rightly = ({ history: { judged } }: HyperliquidResult): number => {
  const styled = judged.filter(({ made }) => made !== '')
  const all = styled.reduce((sum, { traders }) => sum + traders, 0)
  return all === 0 ? 0 : styled.filter(({ made, told }) => made === told).reduce((sum, { traders }) => sum + traders, 0) / all
}

/** Of those made with a style how many were told as it, and of those told as it how many were made so. */
const styleRows = ({ history: { judged } }: HyperliquidResult): string[][] => styles.map((style) => {
  const count = (rows: HyperliquidResult['history']['judged']): number => rows.reduce((sum, { traders }) => sum + traders, 0)
  const made = judged.filter((row) => row.made === style), told = judged.filter((row) => row.told === style), both = count(made.filter((row) => row.told === style))
  const share = (all: number): string => (all === 0 ? 'none' : `${both} of ${all}, ${(100 * both / all).toFixed(1)} %`)
  return [style, share(count(made)), share(count(told))]
})

export const hyperliquidBars = (result: HyperliquidResult): Bar[] => {
  const { files, live, answered, history } = result
  const rate = files.fills / files.seconds
  return [
    { bar: 'hyperliquid: at least 20,000 fills/s from a node\'s files to rows, all five stages', figure: `${rate.toFixed(0)} fills/s`, met: rate >= 20_000 },
    { bar: `hyperliquid: socket to /v1/feed/hl/recent at ${live.rate} messages/s, p95 within 300 ms`, figure: `${live.p95.toFixed(0)} ms${live.lost === 0 ? '' : `, ${live.lost} not seen`}`, met: live.p95 <= 300 && live.lost === 0 },
    ...answered.map(({ name, bar, p95 }) => ({ bar: `hyperliquid: ${name} on ${(history.market.fills / 1e6).toFixed(1)} million fills, p95 under ${bar} ms`, figure: `${p95.toFixed(0)} ms`, met: p95 < bar })),
    { bar: 'hyperliquid: made traders told as the style they were made with, at least 9 of 10', figure: `${(rightly(result) * 100).toFixed(1)} %`, met: rightly(result) >= 0.9 },
  ]
}

export const hyperliquidSection = (result: HyperliquidResult): string[] => {
  const { files, live, history, answered, othersShare } = result
  const roles = [...new Set(history.judged.map(({ role, made }) => `${role}|${made}`))]
  const columns = [...styles, 'none', '(not judged)']
  return [
    '## Hyperliquid', `A made market: prices, traders and makers from a seed, every trade with two sides, results and funding that sum to nothing. Nothing of it is the venue's. Other processes took ${(100 * othersShare).toFixed(0)} % of the machine meanwhile.`,
    `Files: ${files.fills} fills, ${files.megabytes.toFixed(0)} MB in hourly files that appear at once, ${files.segments} segments, until the last stage of the last had ended: ${files.seconds.toFixed(1)} s. Count and sum of results are those that were written.`,
    table(['process', 'CPU-seconds', 'µs per fill'], Object.entries(files.cpu).map(([name, seconds]) => [name, seconds.toFixed(1), (seconds * 1e6 / files.fills).toFixed(1)])),
    table(['stage', 'batches', 'mean ms of a batch'], files.stages.map(({ stage, batches, milliseconds }) => [stage, batches, milliseconds.toFixed(0)])),
    `Socket: ${live.rate} messages a second for ${live.seconds} s, one trade each, every setting as it is by default, ${live.segments} segments; the same question in turn, remembered answers included. Until the answer shows the trade: p50 ${live.p50.toFixed(0)}, p95 ${live.p95.toFixed(0)} ms.`,
    `Questions: ${history.market.fills} fills of ${history.market.traders} traders and ${history.market.makers} makers in ${history.market.minutes / 1_440} days, made and worked out in ${history.seconds.toFixed(0)} s (${history.tasks.map(({ name, runs, seconds }) => `${name} ${seconds.toFixed(0)} s in ${runs} run${runs === 1 ? '' : 's'}`).join(', ') || 'no task of the schedule had anything to do'}). No answer is remembered.`,
    table(['question', 'p50 ms', 'p95 ms', 'bar'], answered.map(({ name, p50, p95, bar }) => [name, p50.toFixed(1), p95.toFixed(1), bar])),
    'Styles: how traders were made (rows) and what they were told as (columns). An empty style is none of the four; leaders are made to be worth following and trade like directional ones. Losers mean to lose: those that lean to one side most days are directional by the rule, whatever they earn.',
    table(['style', 'made so that were told so', 'told so that were made so'], styleRows(result)),
    table(['made as', 'style', ...columns], roles.map((key) => { const [role = '', made = ''] = key.split('|'); return [role, made === '' ? 'none' : made, ...columns.map((column) => history.judged.filter((row) => row.role === role && row.made === made && shown(row.told) === column).reduce((sum, { traders }) => sum + traders, 0))] })),
  ]
}
