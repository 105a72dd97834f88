/** Screening, in words. */
import { table } from '../markdown.js'
import { screeningBars, type ScreeningResult } from './screening.js'

export const screeningBarsOf = ({ p99, batchP99 }: ScreeningResult): { bar: string; figure: string; met: boolean }[] => [
  { bar: `screening one address: p99 under ${screeningBars.single} ms`, figure: `${p99.toFixed(1)} ms`, met: p99 < screeningBars.single },
  { bar: `screening 1,000 addresses in one request: p99 under ${screeningBars.batch} ms`, figure: `${batchP99.toFixed(0)} ms`, met: batchP99 < screeningBars.batch },
]

export const screeningSection = ({ listed, singles, p50, p99, batches, batchP50, batchP99, cpu, batchCpu, matches, othersShare }: ScreeningResult): string[] => [
  '## Screening', `The bundled lists (${listed} addresses), one caller, requests in turn, most addresses never asked about before; ${matches} matches. From the request to the last byte of the answer. Other processes took ${(100 * othersShare).toFixed(0)} % of the machine meanwhile.`,
  table(['what', 'requests', 'p50 ms', 'p99 ms', 'CPU of the API, ms'], [['one address', singles, p50.toFixed(2), p99.toFixed(2), cpu.toFixed(2)], ['1,000 addresses', batches, batchP50.toFixed(1), batchP99.toFixed(1), batchCpu.toFixed(1)]]),
]
