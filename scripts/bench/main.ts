/** `npm run bench -- [--only backfill,tip,rest] [--blocks N]`: measures, prints the bars, writes bench/RESULTS.md (not when --only leaves something out). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { benchBackfill } from './backfill.js'
import { benchLive } from './live.js'
import { barsOf, report, type Results } from './report.js'

const known = ['backfill', 'tip', 'rest']
const { values } = parseArgs({ options: {
  blocks: { type: 'string', default: '2048' }, only: { type: 'string', default: known.join(',') }, 'tip-blocks': { type: 'string', default: '40' }, rounds: { type: 'string', default: '5' }, out: { type: 'string' },
} })
const say = (text: string): void => { process.stdout.write(`${text}\n`) }
const wanted = new Set(values.only.split(',').map((name) => name.trim()))
const strangers = [...wanted].filter((name) => !known.includes(name))
const positive = (name: 'blocks' | 'tip-blocks' | 'rounds'): number => {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name}: a whole number above 0 was expected, not '${values[name]}'`)
  return value
}
if (strangers.length > 0) throw new Error(`--only: '${strangers.join(', ')}' is not a part of the bench (known: ${known.join(', ')})`)

const command = ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' ')
const [blocks, tipBlocks, rounds] = [positive('blocks'), positive('tip-blocks'), positive('rounds')]
const backfill = wanted.has('backfill') ? await benchBackfill(blocks, say) : undefined
const live = wanted.has('tip') || wanted.has('rest') ? await benchLive(wanted, tipBlocks, rounds, say) : undefined
const results: Results = { command, ...(backfill === undefined ? {} : { backfill }), ...(live === undefined ? {} : { live }) }
for (const { bar, figure, met } of barsOf(results)) say(`${met ? 'met    ' : 'NOT MET'}  ${bar}: ${figure}`)
const whole = known.every((name) => wanted.has(name))
const out = values.out ?? (whole ? new URL('../../bench/RESULTS.md', import.meta.url) : undefined)
if (out !== undefined) {
  mkdirSync(new URL('../../bench/', import.meta.url), { recursive: true })
  writeFileSync(out, report(results))
  say(`written: ${values.out ?? 'bench/RESULTS.md'}`)
} else say(report(results))
